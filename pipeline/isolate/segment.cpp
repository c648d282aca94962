// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "isolate/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "concurrency/effective_memory.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::size_t page = 4096;
constexpr std::uint64_t kept_bytes = std::uint64_t{128} << 20;  // a few camera pictures
constexpr std::size_t kept_segments = 64;                       // each holds a descriptor

std::atomic<std::uint64_t> last_id = 0;

[[noreturn]] void refuse(const char* what) {
  throw Error(ErrorKind::resource,
              std::string("cannot share memory: ") + what + ": " + std::strerror(errno));
}

int protection(Segment::Access access) {
  return access == Segment::Access::read ? PROT_READ : PROT_READ | PROT_WRITE;
}

/// So that pictures of about one size use the same segments: an eighth of waste at most.
std::size_t rounded(std::size_t size) {
  const std::size_t step = std::max(page, std::bit_floor(std::max(size, page)) / 8);
  return (size + step - 1) / step * step;
}

}  // namespace

Segment::Segment(Descriptor file, std::size_t size, Access access)
    : file_(std::move(file)), size_(size), id_(++last_id) {
  void* const at =
      ::mmap(nullptr, size, protection(access), MAP_SHARED | MAP_POPULATE, file_.get(), 0);
  if (at == MAP_FAILED) refuse("mmap");
  data_ = static_cast<std::byte*>(at);
}

Segment::~Segment() {
  if (data_) ::munmap(data_, size_);
}

std::shared_ptr<Segment> Segment::make(std::size_t size) {
  Descriptor file(::memfd_create("millrace", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) refuse("memfd_create");
  // Not only promised: where memory is short this fails, and a later touch would be a SIGBUS.
  int error = 0;
  do error = ::posix_fallocate(file.get(), 0, static_cast<off_t>(size));
  while (error == EINTR);
  if (error != 0) {
    errno = error;
    refuse("fallocate");
  }
  if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    refuse("seal");
  return std::shared_ptr<Segment>(new Segment(std::move(file), size, Access::write));
}

std::shared_ptr<Segment> Segment::map(Descriptor file, std::size_t size, Access access) {
  struct stat about {};
  const int seals = ::fcntl(file.get(), F_GET_SEALS);
  const bool is_long_enough = size > 0 && ::fstat(file.get(), &about) == 0 &&
                              static_cast<std::uint64_t>(about.st_size) >= size;
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || !is_long_enough) throw Malformed();
  return std::shared_ptr<Segment>(new Segment(std::move(file), size, access));
}

void Segment::allow(Access access) const noexcept {
  // Where this fails the memory stays as it was, which is only less safe.
  (void)::mprotect(data_, size_, protection(access));
}

void Segment::detach() {
  const std::vector<std::byte> content(data_, data_ + size_);
  void* const at =
      ::mmap(data_, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (at == MAP_FAILED) refuse("mmap");
  std::ranges::copy(content, data_);
  file_.close();
}

SegmentPool& SegmentPool::instance() {
  static auto& pool = *new SegmentPool;
  return pool;
}

void SegmentPool::set_budget(Budget budget) {
  const std::lock_guard lock(mutex_);
  budget_ = std::move(budget);
}

void SegmentPool::begin() {
  const std::lock_guard lock(mutex_);
  ++users_;
}

void SegmentPool::end() {
  std::vector<std::shared_ptr<Segment>> unused;  // unmapped after the lock
  const std::lock_guard lock(mutex_);
  if (--users_ > 0) return;
  bytes_ -= std::exchange(free_bytes_, 0);
  unused.swap(free_);
}

Loan SegmentPool::lend(std::size_t size) {
  auto segment = take(rounded(size));
  Segment* const lent = segment.get();
  return {lent, [this, segment = std::move(segment)](Segment*) mutable {
            give_back(std::move(segment));
          }};
}

/// The smallest that is free, unless most of it would lie idle.
std::shared_ptr<Segment> SegmentPool::take(std::size_t size) {
  std::unique_lock lock(mutex_);
  auto best = free_.end();
  for (auto at = free_.begin(); at != free_.end(); ++at)
    if ((*at)->size() >= size && (*at)->size() / 2 <= size &&
        (best == free_.end() || (*at)->size() < (*best)->size()))
      best = at;
  if (best != free_.end()) {
    auto segment = std::move(*best);
    free_.erase(best);
    free_bytes_ -= segment->size();
    return segment;
  }
  // The system would give page after page until it has to end a process, whichever that is.
  if (const auto most = effective_memory(); size > most || bytes_ > most - size)
    throw std::bad_alloc();
  if (budget_) budget_(bytes_ + size);
  bytes_ += size;
  lock.unlock();
  try {
    return Segment::make(size);
  } catch (...) {
    lock.lock();
    bytes_ -= size;
    throw;
  }
}

void SegmentPool::give_back(std::shared_ptr<Segment> segment) noexcept {
  std::vector<std::shared_ptr<Segment>> unused;  // unmapped after the lock
  try {
    const std::lock_guard lock(mutex_);
    free_bytes_ += segment->size();
    free_.push_back(std::move(segment));
    while (!free_.empty() &&
           (users_ == 0 || free_bytes_ > kept_bytes || free_.size() > kept_segments)) {
      unused.push_back(free_.front());
      free_bytes_ -= free_.front()->size();
      bytes_ -= free_.front()->size();
      free_.erase(free_.begin());
    }
  } catch (...) {  // no memory for the list: what could not be listed is unmapped
  }
}

}  // namespace millrace::inline v1
