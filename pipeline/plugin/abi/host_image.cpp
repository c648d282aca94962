// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <limits>
#include <new>

#include "plugin/abi/call.hpp"
#include "plugin/abi/host.hpp"

namespace millrace::abi {
namespace {

template <class T>
T& content_as(Content& content) {
  if (auto* payload = std::get_if<T>(&content.payload)) return *payload;
  throw Misuse{std::string("uses ") + name_of(kind_of(content.payload)) + " as " +
               name_of(payload_kind_of<T>)};
}

mr_image view_of(const Image& image, bool writable) {
  mr_image view{};
  view.width = static_cast<std::uint32_t>(image.pixels.cols);
  view.height = static_cast<std::uint32_t>(image.pixels.rows);
  view.channels = static_cast<std::uint32_t>(image.pixels.channels());
  view.depth = image.pixels.depth() == CV_16U ? 16 : 8;
  view.orientation = static_cast<std::uint32_t>(image.orientation);
  view.stride = image.pixels.step[0];
  view.pixels = image.pixels.data;
  view.writable = writable ? image.pixels.data : nullptr;
  if (image.resolution) {
    view.dpi_x = image.resolution->x;
    view.dpi_y = image.resolution->y;
  }
  view.full_width = static_cast<std::uint32_t>(image.full_size.width);
  view.full_height = static_cast<std::uint32_t>(image.full_size.height);
  if (image.icc_profile) {
    view.icc = image.icc_profile->data();
    view.icc_size = image.icc_profile->size();
  }
  view.format = image.format.c_str();
  return view;
}

int size_of(std::uint32_t pixels, const char* what) {
  if (pixels > static_cast<std::uint32_t>(std::numeric_limits<int>::max()))
    throw Misuse{"gives a picture the " + std::string(what) + " " + std::to_string(pixels)};
  return static_cast<int>(pixels);
}

/// What the picture's file is to say.
void describe(const mr_image& from, Image& image) {
  if (from.orientation > 8)
    throw Misuse{"gives a picture the orientation " + std::to_string(from.orientation) +
                 "; there are 1 to 8"};
  if (from.icc_size > 0 && !from.icc) throw Misuse{"gives a picture a null colour profile"};
  image.orientation = static_cast<Orientation>(std::max<std::uint32_t>(from.orientation, 1));
  image.resolution.reset();
  if (from.dpi_x > 0 && from.dpi_y > 0) image.resolution = Resolution{from.dpi_x, from.dpi_y};
  image.full_size = {size_of(from.full_width, "full width"),
                     size_of(from.full_height, "full height")};
  image.format = text_or_empty(from.format);
  const auto* icc = static_cast<const std::byte*>(from.icc);
  // A profile that is there already may be what `icc` points to.
  std::shared_ptr<const std::vector<std::byte>> profile;
  if (from.icc_size > 0)
    profile = std::make_shared<const std::vector<std::byte>>(icc, icc + from.icc_size);
  image.icc_profile = std::move(profile);
}

int type_of(const mr_image& image) {
  if (image.channels != 1 && image.channels != 3 && image.channels != 4)
    throw Misuse{"makes a picture of " + std::to_string(image.channels) +
                 " channels; there are 1, 3 and 4"};
  if (image.depth != 8 && image.depth != 16)
    throw Misuse{"makes a picture of " + std::to_string(image.depth) + " bits; there are 8 and 16"};
  return CV_MAKETYPE(image.depth == 16 ? CV_16U : CV_8U, static_cast<int>(image.channels));
}

mr_result image_view(const mr_payload* payload, mr_image* view) {
  return guard([&] {
    const auto content = Payloads::instance().find(payload);
    give(view_of(content_as<Image>(*content), false), view);
  });
}

mr_result image_new(mr_item* item, mr_image* image, mr_payload** payload) {
  return guard([&] {
    Call& call = Call::on_worker(item);
    const mr_image wanted = taken(image);
    const int type = type_of(wanted);
    if (wanted.width == 0 || wanted.height == 0) throw Misuse{"makes a picture without pixels"};
    constexpr std::uint64_t most = PTRDIFF_MAX;  // OpenCV multiplies without looking
    if (std::uint64_t{wanted.width} * wanted.height > most / CV_ELEM_SIZE(type))
      throw std::bad_alloc();
    Image made;
    describe(wanted, made);
    made.pixels.create(size_of(wanted.height, "height"), size_of(wanted.width, "width"), type);
    target(payload) = call.add(std::move(made));
    give(view_of(std::get<Image>(Payloads::instance().find(*payload)->payload), true), image);
  });
}

mr_result image_edit(mr_item* item, mr_payload* payload, mr_image* image, mr_payload** edited) {
  return guard([&] {
    Call& call = Call::on_worker(item);
    target(edited);
    taken(image);
    content_as<Image>(*Payloads::instance().find(payload));
    Image own;
    {
      auto content = Payloads::instance().take(payload);
      auto& from = std::get<Image>(content->payload);
      own = content.use_count() == 1 ? std::move(from) : from;
    }
    own.own_pixels();
    *edited = call.add(std::move(own));
    give(view_of(std::get<Image>(Payloads::instance().find(*edited)->payload), true), image);
  });
}

mr_result image_describe(mr_payload* payload, const mr_image* image) {
  return guard([&] {
    const auto content = Payloads::instance().find(payload);
    auto& target_image = content_as<Image>(*content);
    if (!content->own) throw Misuse{"changes a picture that it did not make; call image_edit()"};
    describe(taken(image), target_image);
  });
}

/// Where no bytes are: C forbids null even for functions that are to copy none.
std::byte* place_of(std::byte* data) noexcept {
  static std::byte nothing{};
  return data ? data : &nothing;
}

mr_result bytes_view(const mr_payload* payload, mr_bytes* view) {
  return guard([&] {
    const auto content = Payloads::instance().find(payload);
    const auto& bytes = content_as<Bytes>(*content);
    mr_bytes full{};
    full.data = place_of(bytes.data ? const_cast<std::byte*>(bytes.data->data()) : nullptr);
    full.size = bytes.data ? bytes.data->size() : 0;
    full.extension = bytes.extension.c_str();
    give(full, view);
  });
}

mr_result bytes_new(mr_item* item, std::size_t size, const char* extension, void** data,
                    mr_payload** payload) {
  return guard([&] {
    Call& call = Call::on_worker(item);
    target(payload);
    if (size > PTRDIFF_MAX) throw std::bad_alloc();
    auto made = std::make_shared<std::vector<std::byte>>(size);
    target(data) = place_of(made->data());
    *payload = call.add(Bytes{std::move(made), text_or_empty(extension)});
  });
}

}  // namespace

void add_images(mr_host& host) {
  host.image_view = image_view;
  host.image_new = image_new;
  host.image_edit = image_edit;
  host.image_describe = image_describe;
  host.bytes_view = bytes_view;
  host.bytes_new = bytes_new;
}

}  // namespace millrace::abi
