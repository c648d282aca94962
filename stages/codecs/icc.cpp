// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/icc.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <string_view>

#include "stages/codecs/icc_transform.hpp"
#include "stages/support/bands.hpp"

namespace millrace::codecs {

namespace {

/// As lcms2 counts the pictures' own channels.
cmsUInt32Number format_of(const cv::Mat& pixels) {
  const bool deep = pixels.depth() == CV_16U;
  if (pixels.channels() == 1) return deep ? TYPE_GRAY_16 : TYPE_GRAY_8;
  if (pixels.channels() == 3) return deep ? TYPE_BGR_16 : TYPE_BGR_8;
  return deep ? TYPE_BGRA_16 : TYPE_BGRA_8;
}

template <class T>
void convert_by_formula(const T* from, T* to, int count, bool inverted) {
  constexpr std::uint64_t top = std::numeric_limits<T>::max();
  for (int i = 0; i < count; ++i, from += 4, to += 3) {
    const auto light = [&](int ink) -> std::uint64_t {
      return inverted ? from[ink] : static_cast<T>(top - from[ink]);
    };
    for (int c = 0; c < 3; ++c) to[c] = static_cast<T>((light(2 - c) * light(3) + top / 2) / top);
  }
}

}  // namespace

ProfileSpace space_of(std::span<const std::byte> profile) noexcept {
  constexpr std::size_t header_size = 128, space_at = 16, signature_at = 36;
  if (profile.size() < header_size) return ProfileSpace::none;
  const std::string_view text(reinterpret_cast<const char*>(profile.data()), header_size);
  if (text.substr(signature_at, 4) != "acsp") return ProfileSpace::none;
  const auto space = text.substr(space_at, 4);
  if (space == "GRAY") return ProfileSpace::gray;
  if (space == "RGB ") return ProfileSpace::rgb;
  if (space == "CMYK") return ProfileSpace::cmyk;
  return ProfileSpace::other;
}

Profile fitting_profile(Profile profile, int channels, ItemContext& context) {
  if (!profile) return nullptr;
  const ProfileSpace space = space_of(*profile);
  if (space == (channels == 1 ? ProfileSpace::gray : ProfileSpace::rgb)) return profile;
  constexpr const char* what[] = {"a broken", "a gray", "an RGB", "a CMYK", "an unusual"};
  context.warn(std::string(what[static_cast<int>(space)]) + " ICC profile is dropped: it does " +
               "not describe a " + (channels == 1 ? "gray" : "colour") + " picture");
  return nullptr;
}

CmykConverter::CmykConverter(std::span<const std::byte> profile, int bits, bool inverted,
                             ItemContext& context)
    : bits_(bits), inverted_(inverted) {
  if (profile.empty()) return;
  const bool deep = bits == 16;
  const cmsUInt32Number plain = deep ? TYPE_CMYK_16 : TYPE_CMYK_8;
  const cmsUInt32Number reversed = deep ? TYPE_CMYK_16_REV : TYPE_CMYK_8_REV;
  const cmsUInt32Number light = deep ? TYPE_BGR_16 : TYPE_BGR_8;
  const Conversion conversion{ProfileSpace::cmyk, inverted ? reversed : plain, light};
  if (space_of(profile) == ProfileSpace::cmyk)
    transform_ = transform_to_srgb(context, profile, conversion).handle;
  if (!transform_)
    context.warn("its ICC profile does not describe CMYK; converted by the plain formula");
}

void CmykConverter::convert(const void* from, void* to, int count) const {
  if (transform_)
    cmsDoTransform(transform_.get(), from, to, static_cast<cmsUInt32Number>(count));
  else if (bits_ == 16)
    convert_by_formula(static_cast<const std::uint16_t*>(from), static_cast<std::uint16_t*>(to),
                       count, inverted_);
  else
    convert_by_formula(static_cast<const std::uint8_t*>(from), static_cast<std::uint8_t*>(to),
                       count, inverted_);
}

void make_srgb(Image& image, ItemContext& context) {
  const Profile profile =
      fitting_profile(std::move(image.icc_profile), image.pixels.channels(), context);
  image.icc_profile.reset();
  if (!profile) return;
  const auto format = format_of(image.pixels);
  const auto transform = transform_to_srgb(context, *profile, {space_of(*profile), format, format});
  if (!transform.handle) {
    context.warn("its ICC profile cannot be used; the colours are left as they are");
    return;
  }
  if (!transform.changes) return;
  image.own_pixels();
  const int columns = image.pixels.cols;
  for_bands(context, image.pixels.rows, rows_of_band(1 << 18, columns), [&](int first, int last) {
    for (int y = first; y < last; ++y)
      cmsDoTransform(transform.handle.get(), image.pixels.ptr(y), image.pixels.ptr(y),
                     static_cast<cmsUInt32Number>(columns));
  });
}

}  // namespace millrace::codecs
