// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/exif.hpp"

#include <random>

#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::codecs;

namespace {

std::vector<std::byte> block(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

}  // namespace

TEST_CASE("an EXIF block gives back orientation and resolution", "[codecs][exif]") {
  for (int tag = 1; tag <= 8; ++tag) {
    const auto made = make_exif(static_cast<Orientation>(tag), Resolution{300, 72.5});
    CHECK(read_exif(made).orientation == tag);
    CHECK(read_exif(made).resolution == Resolution{300, 72.5});
  }
  CHECK_FALSE(read_exif(make_exif(Orientation::upright, std::nullopt)).resolution);
}

TEST_CASE("EXIF is read from the highest byte on too, and behind its JPEG prefix",
          "[codecs][exif]") {
  const auto big = block({'M', 'M',  0, 42, 0, 0, 0, 8, 0, 1,  //
                          1,   0x12, 0, 3,  0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0});
  CHECK(read_exif(big).orientation == 6);
  auto prefixed = block({'E', 'x', 'i', 'f', 0, 0});
  prefixed.insert(prefixed.end(), big.begin(), big.end());
  CHECK(read_exif(prefixed).orientation == 6);
}

TEST_CASE("a broken EXIF block is as good as none", "[codecs][exif]") {
  CHECK_FALSE(read_exif({}).orientation);
  CHECK_FALSE(read_exif(block({'I', 'I', 42, 0, 0xFF, 0xFF, 0xFF, 0xFF})).orientation);
  CHECK_FALSE(read_exif(block({'I', 'I', 43, 0, 8, 0, 0, 0, 0, 0})).orientation);
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    auto damaged = make_exif(Orientation::mirrored, Resolution{300, 300});
    for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = std::byte(random() % 256);
    damaged.resize(random() % (damaged.size() + 1));
    const Exif exif = read_exif(damaged);
    if (exif.resolution) CHECK(exif.resolution->x > 0);
  }
}

TEST_CASE("resolutions that mean nothing are none", "[codecs][exif]") {
  CHECK_FALSE(resolution_of(0, 300));
  CHECK_FALSE(resolution_of(-1, 300));
  CHECK_FALSE(resolution_of(300, INFINITY));
  CHECK(resolution_of(300, 200) == Resolution{300, 200});
}

TEST_CASE("dots per metre become the whole dots per inch that they were rounded from",
          "[codecs][exif]") {
  CHECK(dots_per_inch(11811, 0.0254) == 300);
  CHECK(dots_per_inch(2835, 0.0254) == 72);
  CHECK_THAT(dots_per_inch(11820, 0.0254), WithinAbs(300.228, 1e-9));
}
