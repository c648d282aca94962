// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "isolate/shared_pixels.hpp"

#include <memory>
#include <utility>

#include "millrace/error.hpp"

namespace millrace::inline v1 {
namespace {

// Below, copying costs less than the descriptor and the mapping that each segment has.
constexpr std::size_t least_shared = std::size_t{256} << 10;

thread_local bool shares = false;

class Allocator final : public cv::MatAllocator {
 public:
  explicit Allocator(cv::MatAllocator* usual) : usual_(usual) {}

  cv::UMatData* allocate(int dimensions, const int* sizes, int type, void* data, std::size_t* steps,
                         cv::AccessFlag flags, cv::UMatUsageFlags usage) const override {
    std::size_t bytes = CV_ELEM_SIZE(type);
    for (int i = 0; i < dimensions; ++i) bytes *= static_cast<std::size_t>(sizes[i]);
    if (!shares || data || bytes < least_shared)
      return usual_->allocate(dimensions, sizes, type, data, steps, flags, usage);
    try {
      cv::UMatData* const made = hold(SegmentPool::instance().lend(bytes), 0, bytes);
      std::size_t step = CV_ELEM_SIZE(type);
      for (int i = dimensions; i-- > 0; step *= static_cast<std::size_t>(sizes[i]))
        if (steps) steps[i] = step;
      return made;
    } catch (const Error&) {  // no descriptor left, say: it will be copied
      return usual_->allocate(dimensions, sizes, type, data, steps, flags, usage);
    }
  }
  bool allocate(cv::UMatData* data, cv::AccessFlag, cv::UMatUsageFlags) const override {
    return data != nullptr;
  }
  void deallocate(cv::UMatData* data) const override {
    if (!data) return;
    const std::unique_ptr<Loan> loan(static_cast<Loan*>(std::exchange(data->handle, nullptr)));
    delete data;
  }

  cv::UMatData* hold(Loan loan, std::size_t offset, std::size_t bytes) const {
    auto held = std::make_unique<Loan>(std::move(loan));
    auto* const data = new cv::UMatData(this);
    data->data = data->origdata = reinterpret_cast<uchar*>((*held)->data() + offset);
    data->size = bytes;
    data->handle = held.release();
    return data;
  }

 private:
  cv::MatAllocator* const usual_;
};

const Allocator& allocator() {
  // Never destroyed: pictures may outlive everything.
  static const auto& allocator = *new Allocator(cv::Mat::getDefaultAllocator());
  return allocator;
}

}  // namespace

SharePixels::SharePixels(bool share) noexcept : before_(std::exchange(shares, share)) {}
SharePixels::~SharePixels() { shares = before_; }

void install_shared_pixels() {
  static const bool installed = [] {
    cv::Mat::setDefaultAllocator(const_cast<Allocator*>(&allocator()));
    return true;
  }();
  (void)installed;
}

Loan segment_of(const cv::Mat& pixels) {
  const bool is_ours = pixels.u && pixels.u->currAllocator == &allocator() && pixels.u->handle;
  return is_ours ? *static_cast<const Loan*>(pixels.u->handle) : nullptr;
}

cv::Mat pixels_in(Loan segment, std::size_t offset, cv::Size size, int type, std::size_t step) {
  auto* const data = segment->data() + offset;
  cv::Mat pixels(size, type, data, step);
  pixels.u =
      allocator().hold(std::move(segment), offset, step * static_cast<std::size_t>(size.height));
  pixels.u->refcount = 1;
  return pixels;
}

}  // namespace millrace::inline v1
