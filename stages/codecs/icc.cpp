// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/icc.hpp"

#include <lcms2.h>

#include <algorithm>
#include <limits>
#include <list>
#include <memory>
#include <string_view>

#include "millrace/guarded.hpp"
#include "millrace/once_value.hpp"

namespace millrace::codecs {

namespace {

struct ProfileCloser {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using OpenProfile = std::unique_ptr<void, ProfileCloser>;

/// Null where lcms2 refuses the profile.
std::shared_ptr<void> make_transform(std::span<const std::byte> profile, int bits, bool inverted) {
  const OpenProfile from(
      cmsOpenProfileFromMem(profile.data(), static_cast<cmsUInt32Number>(profile.size())));
  const OpenProfile to(cmsCreate_sRGBProfile());
  if (!from || !to || cmsGetColorSpace(from.get()) != cmsSigCmykData) return nullptr;
  const auto cmyk = bits == 16 ? (inverted ? TYPE_CMYK_16_REV : TYPE_CMYK_16)
                               : (inverted ? TYPE_CMYK_8_REV : TYPE_CMYK_8);
  // Without its one-pixel cache a transform may be used by many threads at once.
  void* transform = cmsCreateTransform(
      from.get(), cmyk, to.get(), bits == 16 ? TYPE_BGR_16 : TYPE_BGR_8,
      INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION);
  return transform ? std::shared_ptr<void>(transform, cmsDeleteTransform) : nullptr;
}

/// The transforms used last: making one takes some 10 ms, and a folder's pictures share profiles.
/// Who needs the same waits for it, and nobody else. [any thread, at once]
class TransformCache {
 public:
  std::shared_ptr<void> get(const Context& context, std::span<const std::byte> profile, int bits,
                            bool inverted) {
    const auto transform = entries_.with([&](Entries& entries) {
      const auto at = std::ranges::find_if(entries, [&](const Entry& entry) {
        return entry.bits == bits && entry.inverted == inverted &&
               std::ranges::equal(entry.profile, profile);
      });
      if (at != entries.end()) {
        entries.splice(entries.begin(), entries, at);
      } else {
        entries.push_front(
            {{profile.begin(), profile.end()}, bits, inverted, std::make_shared<Transform>()});
        if (entries.size() > capacity) entries.pop_back();
      }
      return entries.front().transform;
    });
    return transform->get(context, [&] { return make_transform(profile, bits, inverted); });
  }

 private:
  static constexpr std::size_t capacity = 8;
  using Transform = OnceValue<std::shared_ptr<void>>;
  struct Entry {
    std::vector<std::byte> profile;
    int bits;
    bool inverted;
    std::shared_ptr<Transform> transform;
  };
  using Entries = std::list<Entry>;  // the last used in front
  Guarded<Entries> entries_;
};

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
  static TransformCache cache;
  if (profile.empty()) return;
  if (space_of(profile) == ProfileSpace::cmyk)
    transform_ = cache.get(context, profile, bits, inverted);
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

}  // namespace millrace::codecs
