// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/natural_order.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace millrace;

TEST_CASE("natural order is that in which people count", "[files][order]") {
  const std::vector<std::string> ordered = {
      "",
      "1",
      "2",
      "10",
      "a",
      "a/z",
      "a-1",
      "A1",
      "a1b2",
      "a01b3",
      "a1b10",
      "a2",
      "b/1a",
      "b/10.jpg",
      "b/x",
      "page2.tif",
      "page10.tif",
      "page010x",
      "page99999999999999999999999",
      "page100000000000000000000000",
  };
  for (std::size_t i = 0; i < ordered.size(); ++i)
    for (std::size_t j = 0; j < ordered.size(); ++j) {
      CAPTURE(ordered[i], ordered[j]);
      CHECK(natural_less(ordered[i], ordered[j]) == (i < j));
    }
}
