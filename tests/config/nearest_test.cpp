// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/nearest.hpp"

#include "support/catch.hpp"

using namespace millrace;

TEST_CASE("the edit distance counts changes and exchanges of neighbours", "[config][nearest]") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("resize", "resize") == 0);
  CHECK(edit_distance("resise", "resize") == 1);
  CHECK(edit_distance("rseize", "resize") == 1);
  CHECK(edit_distance("resiz", "resize") == 1);
  CHECK(edit_distance("resizze", "resize") == 1);
  CHECK(edit_distance("RESIZE", "resize") == 0);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest name is one that was probably meant", "[config][nearest]") {
  const std::vector<std::string> names{"resize", "deskew", "decode", "encode", "ocr", "grayscale"};
  CHECK(nearest("resise", names) == "resize");
  CHECK(nearest("Deskew", names) == "deskew");
  CHECK(nearest("decoed", names) == "decode");
  CHECK(nearest("orc", names) == "ocr");
  CHECK(nearest("greyscale", names) == "grayscale");
  CHECK(nearest("gray", names) == "grayscale");
}

TEST_CASE("a name that is far from all has no nearest", "[config][nearest]") {
  const std::vector<std::string> names{"resize", "decode", "encode", "a"};
  CHECK_FALSE(nearest("blur", names));
  CHECK_FALSE(nearest("b", names));
  CHECK_FALSE(nearest("", names));
  CHECK_FALSE(nearest(std::string(100000, 'r'), names));
  CHECK_FALSE(nearest("code", {"codec", "codes"}).value_or("codec") != "codec");
  CHECK(did_you_mean("blur", names).empty());
}

TEST_CASE("two names that begin alike are no answer to their beginning", "[config][nearest]") {
  CHECK_FALSE(nearest("max", {"max_pixels", "max_frames"}));
  CHECK(nearest("max", {"max_pixels", "min_frames"}) == "max_pixels");
}
