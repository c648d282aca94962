// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/option.hpp"

#include <limits>

#include "config/source_text.hpp"
#include "config/yaml.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace std::chrono_literals;

namespace {

template <class T>
std::optional<T> parse(const std::string& text) {
  T value{};
  return OptionType<T>::parse(Value::scalar(text), value) ? std::nullopt : std::optional(value);
}

template <class T>
void prints_back(std::initializer_list<T> values) {
  for (const T& value : values) {
    INFO(OptionType<T>::print(value));
    CHECK(parse<T>(OptionType<T>::print(value)) == value);
  }
}

}  // namespace

TEST_CASE("numbers are decimal and mean one thing", "[config][option]") {
  CHECK(parse<double>("1e3") == 1000);
  CHECK(parse<double>("-0.5") == -0.5);
  CHECK(parse<double>(".5") == 0.5);
  CHECK(parse<double>("0") == 0);
  for (const char* text : {"0x10", "012", "-012", "1_000", " 5", "5 ", "+5", "nan", "inf", "1e999",
                           "", "-", ".", "1,5", "five"}) {
    INFO(text);
    CHECK_FALSE(parse<double>(text));
    CHECK_FALSE(parse<int>(text));
  }
}

TEST_CASE("whole numbers refuse fractions and what does not fit", "[config][option]") {
  CHECK(parse<int>("-12") == -12);
  CHECK(parse<std::int64_t>("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"3.5", "3.0", "1e3", "9223372036854775808"})
    CHECK_FALSE(parse<std::int64_t>(text));
  CHECK_FALSE(parse<int>("2147483648"));
}

TEST_CASE("a truth value is true or false and nothing else", "[config][option]") {
  CHECK(parse<bool>("true") == true);
  CHECK(parse<bool>("false") == false);
  for (const char* text : {"yes", "on", "True", "1", "", "no", "off"})
    CHECK_FALSE(parse<bool>(text));
}

TEST_CASE("a quoted scalar is text and no number", "[config][option]") {
  Value value = Value::scalar("5");
  value.quoted = true;
  int number = 0;
  std::string text;
  CHECK_THAT(*OptionType<int>::parse(value, number), ContainsSubstring("remove the quotes"));
  CHECK_FALSE(OptionType<std::string>::parse(value, text));
  CHECK(text == "5");
}

TEST_CASE("durations and sizes have units", "[config][option]") {
  CHECK(parse<Duration>("500ms") == 500ms);
  CHECK(parse<Duration>("1.5h") == 90min);
  CHECK(parse<Duration>("0s") == 0s);
  CHECK(parse<ByteSize>("4096") == ByteSize{4096});
  CHECK(parse<ByteSize>("512KiB") == ByteSize{524288});
  CHECK(parse<ByteSize>("2GB") == ByteSize{2000000000});
  CHECK(parse<ByteSize>("0.5MiB") == ByteSize{524288});
  for (const char* text : {"30", "2 m", "-1s", "1d", "s", "1.2.3s", "9999999999h", "05s"})
    CHECK_FALSE(parse<Duration>(text));
  for (const char* text : {"1 KiB", "-1", "1kib", "KiB", "8388608TiB"})
    CHECK_FALSE(parse<ByteSize>(text));
}

TEST_CASE("lengths and colours are read in their short forms", "[config][option]") {
  CHECK(parse<Length>("50%") == Length{50, true});
  CHECK(parse<Length>("800") == Length{800, false});
  CHECK(parse<Colour>("#f80") == Colour{255, 136, 0});
  CHECK(parse<Colour>("#FF8000") == Colour{255, 128, 0});
  CHECK(parse<Colour>("navy") == Colour{0, 0, 128});
  for (const char* text : {"%", "5 %", "10px", "%5"}) CHECK_FALSE(parse<Length>(text));
  for (const char* text : {"#", "#ff", "#ffff", "ff8000", "Navy"}) CHECK_FALSE(parse<Colour>(text));
}

TEST_CASE("every type reads back what it prints", "[config][option]") {
  prints_back<bool>({true, false});
  prints_back<int>({0, -5, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()});
  prints_back<double>({0, 0.1, -2.5, 1e6, 1e20, 1.0 / 3, 5e-324});
  prints_back<Length>({{12.5, true}, {65535, false}});
  prints_back<Colour>({{1, 2, 3}, {255, 255, 255}});
  prints_back<ByteSize>({{0}, {1}, {1536}, {1 << 30}, {9007199254740993}});
  prints_back<Duration>({0s, 1ns, 90s, 24h, Duration(9007199254740993)});
}

TEST_CASE("a list prints as YAML that reads back", "[config][option]") {
  const std::vector<std::string> list{"eng", "**/*.png", "a, b", "", "say \"\\x\"", "~", "\n"};
  Diagnostics diagnostics("list");
  const auto value =
      read_yaml(SourceText(OptionType<std::vector<std::string>>::print(list)), diagnostics);
  REQUIRE(value);
  std::vector<std::string> again;
  CHECK_FALSE(OptionType<std::vector<std::string>>::parse(*value, again));
  CHECK(again == list);
}

TEST_CASE("an option says what it allows and refuses the rest", "[config][option]") {
  double angle = 1, scale = 2;
  Options options;
  Option& bounded = options.add("angle", angle, "To turn by.").range(0, 45).unit("degrees");
  const double none = std::numeric_limits<double>::infinity();
  Option& open = options.add("scale", scale, "To grow by.").range(1, none);
  CHECK(bounded.allowed() == "0..45 degrees");
  CHECK(bounded.assign(Value::scalar("90")) == "90 is outside 0..45 degrees");
  CHECK(open.allowed() == "1 or more");
  CHECK(open.assign(Value::scalar("0.5")) == "0.5 is not 1 or more");
  CHECK_FALSE(open.assign(Value::scalar("1e6")));
  CHECK(scale == 1e6);
  CHECK(open.default_text() == "2");
}
