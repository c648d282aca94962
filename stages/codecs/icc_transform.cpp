// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/icc_transform.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <list>
#include <vector>

#include "millrace/guarded.hpp"
#include "millrace/once_value.hpp"

namespace millrace::codecs {

namespace {

struct ProfileCloser {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using OpenProfile = std::unique_ptr<void, ProfileCloser>;

cmsColorSpaceSignature signature_of(ProfileSpace space) {
  if (space == ProfileSpace::cmyk) return cmsSigCmykData;
  return space == ProfileSpace::gray ? cmsSigGrayData : cmsSigRgbData;
}

OpenProfile srgb(ProfileSpace space) {
  OpenProfile colour(cmsCreate_sRGBProfile());
  if (space != ProfileSpace::gray || !colour) return colour;
  const auto* const curve =
      static_cast<const cmsToneCurve*>(cmsReadTag(colour.get(), cmsSigRedTRCTag));
  return OpenProfile(curve ? cmsCreateGrayProfile(cmsD50_xyY(), curve) : nullptr);
}

/// Whether some colours all over the space come out as they went in.
template <class Sample>
bool keeps_samples(void* transform, cmsUInt32Number format) {
  constexpr int steps = 9, one_step = sizeof(Sample) == 1 ? 1 : 257;
  const auto channels = T_CHANNELS(format), all = channels + T_EXTRA(format);
  std::size_t count = 1;
  for (cmsUInt32Number c = 0; c < channels; ++c) count *= steps;
  std::vector<Sample> in(count * all, 0), out;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0, rest = i; c < channels; ++c, rest /= steps)
      in[i * all + c] = static_cast<Sample>(rest % steps * (255 * one_step) / (steps - 1));
  out = in;
  cmsDoTransform(transform, in.data(), out.data(), static_cast<cmsUInt32Number>(count));
  return std::ranges::equal(in, out, [](int a, int b) { return std::abs(a - b) <= one_step; });
}

ProfileTransform make_transform(std::span<const std::byte> profile, const Conversion& conversion) {
  const OpenProfile from(
      cmsOpenProfileFromMem(profile.data(), static_cast<cmsUInt32Number>(profile.size())));
  const OpenProfile to = srgb(conversion.space);
  if (!from || !to || cmsGetColorSpace(from.get()) != signature_of(conversion.space)) return {};
  // Without its one-pixel cache a transform may be used by many threads at once.
  void* const handle = cmsCreateTransform(
      from.get(), conversion.from, to.get(), conversion.to, INTENT_RELATIVE_COLORIMETRIC,
      cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_COPY_ALPHA);
  if (!handle) return {};
  ProfileTransform transform{{handle, cmsDeleteTransform}};
  if (conversion.from == conversion.to)
    transform.changes = T_BYTES(conversion.from) == 1
                            ? !keeps_samples<std::uint8_t>(handle, conversion.from)
                            : !keeps_samples<std::uint16_t>(handle, conversion.from);
  return transform;
}

/// The transforms used last. Who needs the same waits for it, and nobody else.
class TransformCache {
 public:
  ProfileTransform get(const Context& context, std::span<const std::byte> profile,
                       const Conversion& conversion) {
    const auto transform = entries_.with([&](Entries& entries) {
      const auto at = std::ranges::find_if(entries, [&](const Entry& entry) {
        return entry.conversion == conversion && std::ranges::equal(entry.profile, profile);
      });
      if (at != entries.end()) {
        entries.splice(entries.begin(), entries, at);
      } else {
        entries.push_front(
            {{profile.begin(), profile.end()}, conversion, std::make_shared<Made>()});
        if (entries.size() > capacity) entries.pop_back();
      }
      return entries.front().transform;
    });
    return transform->get(context, [&] { return make_transform(profile, conversion); });
  }

 private:
  static constexpr std::size_t capacity = 8;
  using Made = OnceValue<ProfileTransform>;
  struct Entry {
    std::vector<std::byte> profile;
    Conversion conversion;
    std::shared_ptr<Made> transform;
  };
  using Entries = std::list<Entry>;  // the last used in front
  Guarded<Entries> entries_;
};

}  // namespace

ProfileTransform transform_to_srgb(const Context& context, std::span<const std::byte> profile,
                                   const Conversion& conversion) {
  static TransformCache cache;
  return cache.get(context, profile, conversion);
}

}  // namespace millrace::codecs
