// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/grouping.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

namespace millrace::cli {
namespace {

constexpr std::string_view gap = "\u2026";

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Where what begins at `at` ends, if that is a thing of one item: its name, a number, something in
/// quotes, a path. 0: it is not.
std::size_t end_of_particular(std::string_view text, std::size_t at, std::string_view item) {
  constexpr std::size_t least_name = 3;  // shorter ones are words of any sentence
  const auto rest = text.substr(at);
  const bool begins_word = at == 0 || is_space(text[at - 1]) || text[at - 1] == '(';
  if (begins_word && item.size() >= least_name && rest.starts_with(item)) return at + item.size();
  if (text[at] == '\'') {
    const auto end = text.find('\'', at + 1);
    // An apostrophe is none.
    return begins_word && end != text.npos ? end + 1 : 0;
  }
  if (is_digit(text[at])) {
    std::size_t end = at;
    while (end < text.size() &&
           (is_digit(text[end]) ||
            (text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]))))
      ++end;
    return end;
  }
  if (!begins_word) return 0;
  const auto end =
      std::min(text.size(),
               static_cast<std::size_t>(std::ranges::find_if(rest, is_space) - rest.begin()) + at);
  auto word = text.substr(at, end - at);
  while (!word.empty() && std::string_view(".,:;)").find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  return word.find('/') == word.npos ? 0 : at + word.size();
}

/// The message without what is its item's alone.
std::string skeleton_of(const Failure& failure) {
  const std::string_view text = failure.message;
  std::string skeleton;
  for (std::size_t at = 0; at < text.size();) {
    if (const auto end = end_of_particular(text, at, failure.item); end > at) {
      skeleton += gap;
      at = end;
    } else {
      skeleton += text[at++];
    }
  }
  return skeleton;
}

}  // namespace

std::vector<FailureGroup> grouped(const std::vector<Failure>& failures) {
  std::vector<FailureGroup> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const auto& failure : failures) {
    auto skeleton = skeleton_of(failure);
    const auto [place, is_new] = places.try_emplace({failure.stage, skeleton}, groups.size());
    if (is_new) groups.push_back({failure.stage, failure.message, true, {}});
    auto& group = groups[place->second];
    if (group.is_the_same && group.message != failure.message) {
      group.is_the_same = false;
      group.message = std::move(skeleton);
    }
    group.members.push_back(&failure);
  }
  return groups;
}

}  // namespace millrace::cli
