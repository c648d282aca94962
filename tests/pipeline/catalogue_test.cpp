// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/catalogue.hpp"

#include "millrace/run.hpp"
#include "support/catch.hpp"

using namespace millrace;

TEST_CASE("the catalogue keeps the first of two stages of one name", "[catalogue]") {
  Catalogue catalogue;
  catalogue.add({"resize", "The first.", Role::stage, nullptr, {}});
  catalogue.add({"resize", "The second.", Role::stage, nullptr, "other.so"});
  REQUIRE(catalogue.find("resize")->summary == "The first.");
  REQUIRE(catalogue.conflicts().size() == 1);
  CHECK_THAT(catalogue.conflicts()[0], ContainsSubstring("other.so"));
}
