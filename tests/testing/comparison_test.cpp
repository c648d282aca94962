// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/comparison.hpp"

#include "support/catch.hpp"
#include "testing/test_keys.hpp"
#include "testing/text_difference.hpp"

using namespace millrace;

namespace {

template <class T>
std::string read(const std::string& text) {
  T value;
  const auto complaint = OptionType<T>::parse(Value::scalar(text), value);
  return complaint ? *complaint : OptionType<T>::print(value);
}

}  // namespace

TEST_CASE("a comparison is a number, a bound or a range", "[testing]") {
  CHECK(read<Comparison>("800") == "800");
  CHECK(read<Comparison>("<= 600") == "<= 600");
  CHECK(read<Comparison>(">=600") == ">= 600");
  CHECK(read<Comparison>("< 600") == "<= 599");
  CHECK(read<Comparison>("> 600") == ">= 601");
  CHECK(read<Comparison>("10..20") == "10..20");
  for (const auto* wrong :
       {"", "x", "-1", "<", "=> 3", "20..10", "1.5", "1..", "99999999999999999999"})
    CHECK_THAT(read<Comparison>(wrong), ContainsSubstring("is not a number or comparison"));
}

TEST_CASE("a share is a percentage", "[testing]") {
  CHECK(read<Share>("0.5%") == "0.5%");
  CHECK_THAT(read<Share>("0.5"), ContainsSubstring("is not a percentage (such as 1%)"));
  CHECK_THAT(read<Share>("101%"), ContainsSubstring("is not a percentage from 0% to 100%"));
  CHECK(percent_text(0) == "0.0%");
  CHECK(percent_text(12.34) == "12.3%");
  CHECK(percent_text(0.0004) == "0.0004%");
}

TEST_CASE("the distance of two texts is counted in characters, white space folded", "[testing]") {
  CHECK(characters_between("kitten", "sitting", 10) == 3U);
  CHECK(characters_between("m\xC3\xBChle", "muhle", 10) == 1U);
  CHECK(characters_between(" a\n b ", "a b", 0) == 0U);
  CHECK(characters_between("", "abc", 3) == 3U);
  CHECK(characters_between("abc", "", 2) == std::nullopt);
  CHECK(characters_between("\xFF\xFE", "ab", 2) == 2U);
}

TEST_CASE("far texts have the distance that a full table gives", "[testing]") {
  std::string a, b;
  for (int i = 0; i < 300; ++i) {
    a += static_cast<char>('a' + i * i % 7);
    b += static_cast<char>('a' + i * 5 % 11);
  }
  const auto distance = characters_between(a, b, 300);
  REQUIRE(distance);
  CHECK(*distance > 64);  // more than the first band
  CHECK(characters_between(a, b, *distance) == distance);
  CHECK(characters_between(a, b, *distance - 1) == std::nullopt);
  CHECK(characters_between(b, a, 300) == distance);
}

TEST_CASE("lines that differ are shown with one line around them", "[testing]") {
  CHECK(unified_difference("a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n", 10) == " b\n-c\n+X\n d\n");
  CHECK(unified_difference("a\n", "a\n", 10).empty());
  CHECK(unified_difference("", "a\nb\nc\n", 2) == "+a\n+b\n...\n");
}

TEST_CASE("the keys of tests are declared like options", "[testing]") {
  const auto& tests = test_keys();
  CHECK(tests.key == "tests");
  REQUIRE(tests.maps.size() == 2);
  const auto& expect = tests.maps[1];
  CHECK(expect.key == "expect");
  std::vector<std::string> keys;
  for (const auto& option : expect.options.all()) {
    keys.push_back(option.name());
    CHECK(option.summary().ends_with('.'));
  }
  for (const auto& map : expect.maps) keys.push_back(map.key);
  CHECK(keys == std::vector<std::string>{"count", "width", "height", "channels", "bits", "format",
                                         "files", "refused", "picture", "text", "failure"});
  CHECK(expect.maps[0].options.all().at(1).default_text() == "1%");
}
