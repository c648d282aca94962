// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/engine_types.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <string_view>

#include "config/diagnostics.hpp"
#include "config/keys.hpp"
#include "config/scalars.hpp"

namespace millrace::inline v1 {
namespace {

using namespace std::chrono_literals;

constexpr Duration shortest_wait = 1ms, longest_wait = 24h;
constexpr std::uint64_t least_memory = std::uint64_t{1} << 20;
constexpr std::size_t max_workers = 1024;
constexpr double most_per_second = 1e6;
constexpr double least_per_hour = 0.01;

struct Per {
  std::string_view unit;
  double seconds;
};
constexpr std::array<Per, 3> rate_units{{{"s", 1}, {"min", 60}, {"h", 3600}}};

std::optional<Duration> read_wait(std::string_view text) {
  Duration wait{};
  const auto complaint = OptionType<Duration>::parse(Value::scalar(std::string(text)), wait);
  return complaint ? std::nullopt : std::optional(wait);
}

bool is_whole(double number) {
  return std::abs(number - std::round(number)) <= 1e-9 * std::abs(number);
}

}  // namespace

std::string OptionType<Backoff>::name() { return "wait"; }

Complaint OptionType<Backoff>::parse(const Value& value, Backoff& to) {
  const std::string what = "a wait with its unit (such as 2s) or a range of waits (1s..30s)";
  const auto* text = plain(value);
  if (!text) return not_plain(what, value);
  const auto dots = text->find("..");
  const auto first = read_wait(std::string_view(*text).substr(0, dots));
  const auto longest =
      dots == text->npos ? first : read_wait(std::string_view(*text).substr(dots + 2));
  if (!first || !longest) return not_a(what, value);
  for (const Duration wait : {*first, *longest})
    if (wait < shortest_wait || wait > longest_wait)
      return "the wait " + OptionType<Duration>::print(wait) + " is outside 1ms..24h";
  if (*longest < *first) return "in '" + *text + "' the shorter wait must come first";
  to = {*first, dots == text->npos ? std::max(Backoff().longest, *first) : *longest};
  return std::nullopt;
}

std::string OptionType<Backoff>::print(const Backoff& value) {
  return OptionType<Duration>::print(value.first) + ".." +
         OptionType<Duration>::print(value.longest);
}

std::string OptionType<Backoff>::schema() {
  const std::string wait = "[0-9.]+(ns|us|ms|s|m|h)";
  return R"({"type":"string","pattern":"^)" + wait + R"((\\.\\.)" + wait + R"()?$"})";
}

std::string OptionType<MemoryShare>::name() { return "amount of memory"; }

Complaint OptionType<MemoryShare>::parse(const Value& value, MemoryShare& to) {
  const std::string what = "an amount of memory (such as 2GiB, 50% or auto)";
  if (value.kind == Value::Kind::scalar && value.text == "auto") {
    to = {};
    return std::nullopt;
  }
  const auto* text = plain(value);
  if (!text) return not_plain(what, value);
  if (text->ends_with('%')) {
    const auto number = read_number<double>(std::string_view(*text).substr(0, text->size() - 1));
    if (!number.number) return not_a(what, value);
    if (!(*number.number > 0 && *number.number <= 100))
      return "'" + *text + "' is outside of what memory may be: more than 0%, up to 100%";
    to = {*number.number, 0};
    return std::nullopt;
  }
  ByteSize size;
  if (OptionType<ByteSize>::parse(value, size)) return not_a(what, value);
  if (size.bytes < least_memory)
    return "'" + *text + "' is outside of what memory may be: 1MiB or more" +
           (std::isdigit(static_cast<unsigned char>(text->back()))
                ? "; a number alone is bytes, write its unit (" + *text + "MiB)"
                : "");
  to = {0, size.bytes};
  return std::nullopt;
}

std::string OptionType<MemoryShare>::print(const MemoryShare& value) {
  if (value == MemoryShare()) return "auto";
  return value.percent > 0 ? OptionType<double>::print(value.percent) + "%"
                           : OptionType<ByteSize>::print({value.bytes});
}

std::string OptionType<MemoryShare>::schema() {
  return R"({"anyOf":[{"type":"string","pattern":"^([0-9.]+%|auto)$"},)" +
         OptionType<ByteSize>::schema() + "]}";
}

std::string OptionType<Rate>::name() { return "rate"; }

Complaint OptionType<Rate>::parse(const Value& value, Rate& to) {
  const std::string what = "a rate (a number with /s, /min or /h, such as 20/s)";
  const auto* text = plain(value);
  if (!text) return not_plain(what, value);
  const auto slash = std::min(text->find('/'), text->size());
  const auto number = read_number<double>(std::string_view(*text).substr(0, slash)).number;
  const auto unit = std::ranges::find(
      rate_units, std::string_view(*text).substr(std::min(slash + 1, text->size())), &Per::unit);
  if (!number || unit == rate_units.end()) return not_a(what, value);
  const double per_second = *number / unit->seconds;
  if (per_second * 3600 < least_per_hour || per_second > most_per_second)
    return "'" + *text + "' is outside 0.01/h..1000000/s";
  to.per_second = per_second;
  return std::nullopt;
}

std::string OptionType<Rate>::print(const Rate& value) {
  for (const auto& [unit, seconds] : rate_units) {
    const double number = value.per_second * seconds;
    if (is_whole(number))
      return OptionType<double>::print(std::round(number)) + "/" + std::string(unit);
  }
  return OptionType<double>::print(value.per_second) + "/s";
}

std::string OptionType<StageId>::name() { return "name"; }

Complaint OptionType<StageId>::parse(const Value& value, StageId& to) {
  if (value.kind != Value::Kind::scalar) return "an id is a name";
  if (!is_name(value.text)) return quote(value.text) + " cannot be an id";
  to.name = value.text;
  return std::nullopt;
}

std::string OptionType<StageId>::schema() {
  return R"({"type":"string","pattern":"^[A-Za-z_][A-Za-z0-9_-]*$"})";
}

std::string OptionType<From>::name() { return "an id or a list of ids"; }

Complaint OptionType<From>::parse(const Value& value, From& to) {
  const auto is_id = [](const Value& id) { return id.kind == Value::Kind::scalar; };
  if (!is_id(value) && (value.kind != Value::Kind::list || value.items.empty()))
    return "names no stage";
  if (!std::ranges::all_of(value.items, is_id)) return "is a list of ids";
  to.ids = is_id(value) ? std::vector{value} : value.items;
  return std::nullopt;
}

std::string OptionType<From>::print(const From& value) {
  std::string text;
  for (const auto& id : value.ids) text += (text.empty() ? "" : ", ") + id.text;
  return value.ids.size() > 1 ? "[" + text + "]" : text;
}

std::string OptionType<From>::schema() {
  return R"({"type":["string","array"],"items":{"type":"string"},"minItems":1})";
}

std::string OptionType<Workers>::name() {
  return "1.." + std::to_string(max_workers) + ", cpu (one per CPU), or a multiple such as 2*cpu";
}

Complaint OptionType<Workers>::parse(const Value& value, Workers& to) {
  const auto* text = plain(value);
  if (!text) return not_plain("a number of workers", value);
  const bool per_cpu = text->ends_with("*cpu");
  const auto digits = std::string_view(*text).substr(0, text->size() - (per_cpu ? 4 : 0));
  const auto number = *text == "cpu" ? 1 : read_number<std::size_t>(digits).number.value_or(0);
  const bool is_number = *text == "cpu" || read_number<std::size_t>(digits).number;
  if (!is_number) return not_a("a number of workers", value);
  if (number < 1 || number > max_workers) return quote(*text) + " is outside " + name();
  to = {number, per_cpu || *text == "cpu"};
  return std::nullopt;
}

std::string OptionType<Workers>::print(const Workers& value) {
  if (!value.per_cpu) return std::to_string(value.count);
  return value.count == 1 ? "cpu" : std::to_string(value.count) + "*cpu";
}

std::string OptionType<Workers>::schema() {
  return R"({"type":["integer","string"],"minimum":1,"maximum":)" + std::to_string(max_workers) +
         R"(,"pattern":"^([0-9]+\\*)?cpu$"})";
}

std::string OptionType<InFlight>::name() { return "whole number or auto"; }

Complaint OptionType<InFlight>::parse(const Value& value, InFlight& to) {
  if (value.kind == Value::Kind::scalar && value.text == "auto") {
    to.count.reset();
    return std::nullopt;
  }
  std::int64_t count = 0;
  auto complaint = parse_number("a whole number", value, count);
  if (!complaint) to.count = count;
  return complaint;
}

std::string OptionType<InFlight>::print(const InFlight& value) {
  return value.count ? std::to_string(*value.count) : "auto";
}

std::optional<double> OptionType<InFlight>::number(const InFlight& value) {
  if (!value.count) return std::nullopt;
  return static_cast<double>(*value.count);
}

std::string OptionType<InFlight>::schema() {
  return R"({"type":["integer","string"],"pattern":"^auto$"})";
}

std::string OptionType<Rate>::schema() {
  return R"({"type":"string","pattern":"^[0-9.]+/(s|min|h)$"})";
}

}  // namespace millrace::inline v1
