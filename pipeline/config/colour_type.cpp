// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "config/scalars.hpp"
#include "millrace/option.hpp"

namespace millrace::inline v1 {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

struct NamedColour {
  std::string_view name;
  Colour colour;
};

// CSS Color Module Level 3, section 4.1
constexpr std::array<NamedColour, 16> basic_colours{{{"black", {0, 0, 0}},
                                                     {"silver", {192, 192, 192}},
                                                     {"gray", {128, 128, 128}},
                                                     {"white", {255, 255, 255}},
                                                     {"maroon", {128, 0, 0}},
                                                     {"red", {255, 0, 0}},
                                                     {"purple", {128, 0, 128}},
                                                     {"fuchsia", {255, 0, 255}},
                                                     {"green", {0, 128, 0}},
                                                     {"lime", {0, 255, 0}},
                                                     {"olive", {128, 128, 0}},
                                                     {"yellow", {255, 255, 0}},
                                                     {"navy", {0, 0, 128}},
                                                     {"blue", {0, 0, 255}},
                                                     {"teal", {0, 128, 128}},
                                                     {"aqua", {0, 255, 255}}}};

}  // namespace

template <>
std::string OptionType<Colour>::name() {
  return "colour";
}
template <>
Complaint OptionType<Colour>::parse(const Value& value, Colour& to) {
  const std::string what = "a colour (#rgb, #rrggbb or one of the 16 basic names, such as white)";
  if (value.kind == Value::Kind::null)
    return "there is no value; give " + what + ", and quote one that begins with '#'";
  if (value.kind != Value::Kind::scalar) return not_a(what, value);
  const auto& text = value.text;
  const auto named = std::ranges::find(basic_colours, text, &NamedColour::name);
  if (named != basic_colours.end()) {
    to = named->colour;
    return std::nullopt;
  }
  const bool is_short = text.size() == 4;
  if (!text.starts_with('#') || (!is_short && text.size() != 7) ||
      !std::all_of(text.begin() + 1, text.end(), [](char c) { return hex(c) >= 0; }))
    return not_a(what, value);
  const auto channel = [&](std::size_t i) {
    return static_cast<std::uint8_t>(is_short ? hex(text[1 + i]) * 17
                                              : hex(text[1 + 2 * i]) * 16 + hex(text[2 + 2 * i]));
  };
  to = {channel(0), channel(1), channel(2)};
  return std::nullopt;
}
template <>
std::string OptionType<Colour>::print(const Colour& value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "#";
  for (const auto channel : {value.red, value.green, value.blue}) {
    text += digits[channel >> 4];
    text += digits[channel & 15];
  }
  return text;
}
template <>
std::optional<double> OptionType<Colour>::number(const Colour&) {
  return std::nullopt;
}
template <>
std::string OptionType<Colour>::schema() {
  std::string names;
  for (const auto& each : basic_colours)
    names += (names.empty() ? "\"" : ",\"") + std::string(each.name) + "\"";
  return R"({"anyOf":[{"enum":[)" + names +
         R"(]},{"type":"string","pattern":"^#([0-9a-fA-F]{3}){1,2}$"}]})";
}

}  // namespace millrace::inline v1
