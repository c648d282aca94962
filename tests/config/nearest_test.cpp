// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/nearest.hpp"

#include "config/habits.hpp"
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

TEST_CASE("another tool's word means what there is at its place", "[config][nearest]") {
  CHECK(other_word_for("threads", {"id", "workers"}) == "workers");
  CHECK(other_word_for("Auto-Orient", {"orient", "resize"}) == "orient");
  CHECK(other_word_for("input", {"from", "id"}) == "from");
  CHECK(other_word_for("input", {"files", "write"}) == "files");
  CHECK_FALSE(other_word_for("threads", {"memory"}));
  CHECK_FALSE(other_word_for("", {"workers"}));
  CHECK_FALSE(other_word_for("threads jobs", {"workers"}));
}

TEST_CASE("a path is foreign only where a shell or Windows would see more in it",
          "[config][nearest]") {
  CHECK(foreign_path("~/a b")->text == "\"${env:HOME}/a b\"");
  CHECK(foreign_path("$XDG_DATA_HOME/a")->text == "\"${env:XDG_DATA_HOME}/a\"");
  for (const char* text : {"C:\\a", "c:/a", "C:\temp"}) CHECK(foreign_path(text));
  for (const char* text : {"~", "./~/a", "a~/b", "$RECYCLE.BIN", "$", "$a/b", "C:", "a:b", "C:a"}) {
    INFO(text);
    CHECK_FALSE(foreign_path(text));
  }
}
