// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/icc.hpp"

#include <array>
#include <thread>

#include "codecs/samples.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::codecs;
using namespace millrace::samples;

TEST_CASE("a profile's colour space is read from its header", "[codecs][icc]") {
  CHECK(space_of(srgb_profile()) == ProfileSpace::rgb);
  CHECK(space_of(gray_profile()) == ProfileSpace::gray);
  CHECK(space_of(colourless_cmyk_profile()) == ProfileSpace::cmyk);
  CHECK(space_of({}) == ProfileSpace::none);
  CHECK(space_of(File(200)) == ProfileSpace::none);
}

TEST_CASE("ink becomes light by the plain formula where there is no profile", "[codecs][icc]") {
  ItemContext context = item();
  const std::uint8_t inks[] = {0, 255, 255, 0, 128, 0, 0, 128, 0, 0, 0, 255};
  std::array<std::uint8_t, 9> bgr{};
  CmykConverter({}, 8, false, context).convert(inks, bgr.data(), 3);
  CHECK(bgr == std::array<std::uint8_t, 9>{0, 0, 255, 127, 127, 63, 0, 0, 0});
  const std::uint16_t deep[] = {65535, 0, 0, 65535};
  std::array<std::uint16_t, 3> light{};
  CmykConverter({}, 16, true, context).convert(deep, light.data(), 1);
  CHECK(light == std::array<std::uint16_t, 3>{0, 0, 65535});
  CHECK(context.warnings().empty());
}

TEST_CASE("threads share one transform of a profile", "[codecs][icc]") {
  const File profile = colourless_cmyk_profile();
  std::vector<std::array<std::uint8_t, 3>> results(4);
  std::vector<std::jthread> threads;
  for (auto& result : results)
    threads.emplace_back([&profile, &result] {
      ItemContext context = item();
      const std::uint8_t ink[] = {200, 10, 90, 30};
      for (int i = 0; i < 200; ++i)
        CmykConverter(profile, 8, false, context).convert(ink, result.data(), 1);
    });
  threads.clear();
  for (const auto& result : results) {
    CHECK(result == results[0]);
    CHECK(std::abs(result[0] - result[2]) <= 2);
  }
}

TEST_CASE("a broken CMYK profile falls back to the formula with a warning", "[codecs][icc]") {
  File profile = colourless_cmyk_profile();
  profile.resize(140);
  ItemContext context = item();
  const std::uint8_t ink[] = {0, 0, 0, 0};
  std::array<std::uint8_t, 3> bgr{};
  CmykConverter(profile, 8, false, context).convert(ink, bgr.data(), 1);
  CHECK(bgr == std::array<std::uint8_t, 3>{255, 255, 255});
  CHECK(context.warnings().size() == 1);
}
