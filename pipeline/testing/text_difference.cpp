// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/text_difference.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "config/utf8.hpp"

namespace millrace::inline v1 {
namespace {

// Longer texts are not compared line by line.
constexpr std::size_t most_lines = 2000;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// What is not UTF-8 counts as a character a byte.
std::vector<char32_t> points_of(std::string_view text) {
  constexpr char32_t raw = 0x110000;
  std::vector<char32_t> points;
  for (std::size_t at = 0; at < text.size();) {
    const auto point = read_utf8(text, at);
    points.push_back(point.size > 0 ? point.value : raw + static_cast<unsigned char>(text[at]));
    at += std::max<std::size_t>(point.size, 1);
  }
  return points;
}

/// Of the two texts without what they begin and end with alike.
std::optional<std::size_t> distance_within(const std::vector<char32_t>& a,
                                           const std::vector<char32_t>& b, std::size_t band) {
  const std::size_t longer = std::max(a.size(), b.size()), shorter = std::min(a.size(), b.size());
  if (longer - shorter > band) return std::nullopt;
  constexpr std::size_t far = std::numeric_limits<std::size_t>::max() / 2;
  std::vector<std::size_t> row(b.size() + 1, far);
  for (std::size_t j = 0; j <= std::min(b.size(), band); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::size_t first = i > band ? i - band : 1, last = std::min(b.size(), i + band);
    std::size_t diagonal = row[first - 1];
    row[first - 1] = first == 1 && i <= band ? i : far;
    for (std::size_t j = first; j <= last; ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row.back() <= band ? std::optional(row.back()) : std::nullopt;
}

void strip_alike(std::vector<char32_t>& a, std::vector<char32_t>& b) {
  const auto front = std::ranges::mismatch(a, b);
  a.erase(a.begin(), front.in1);
  b.erase(b.begin(), front.in2);
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.pop_back();
    b.pop_back();
  }
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

struct Line {
  char sign;
  std::string_view text;
};

/// Every line, by the longest common subsequence.
std::vector<Line> edits_of(const std::vector<std::string_view>& a,
                           const std::vector<std::string_view>& b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> common((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i * width + j] =
          a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                       : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
  std::vector<Line> edits;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const bool both = i < a.size() && j < b.size();
    if (both && a[i] == b[j]) {
      edits.push_back({' ', a[i++]});
      ++j;
    } else if (j == b.size() ||
               (both && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      edits.push_back({'-', a[i++]});
    } else {
      edits.push_back({'+', b[j++]});
    }
  }
  return edits;
}

}  // namespace

std::string folded(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (!is_blank(c))
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

std::size_t characters_of(std::string_view text) { return points_of(folded(text)).size(); }

std::optional<std::size_t> characters_between(std::string_view got, std::string_view expected,
                                              std::size_t most) {
  auto a = points_of(folded(got)), b = points_of(folded(expected));
  strip_alike(a, b);
  for (std::size_t band = std::min<std::size_t>(64, most);; band = std::min(band * 4, most)) {
    if (const auto distance = distance_within(a, b, band)) return distance;
    if (band >= std::min(most, std::max(a.size(), b.size()))) return std::nullopt;
  }
}

std::string unified_difference(std::string_view expected, std::string_view got, std::size_t lines) {
  const auto a = lines_of(expected), b = lines_of(got);
  if (a.size() > most_lines || b.size() > most_lines) return {};
  const auto edits = edits_of(a, b);
  const auto differs = [&](std::size_t i) { return i < edits.size() && edits[i].sign != ' '; };
  std::string text;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (!differs(i) && !differs(i + 1) && (i == 0 || !differs(i - 1))) continue;
    if (shown++ == lines) return text + "...\n";
    text += edits[i].sign + std::string(edits[i].text) + "\n";
  }
  return text;
}

}  // namespace millrace::inline v1
