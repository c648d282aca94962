// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

/// Code points of UTF-8 text, with every run of white space as one space and none at the ends.
inline std::vector<char32_t> folded_code_points(std::string_view text) {
  std::vector<char32_t> points;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t point = length == 1 ? lead : lead & (0x7F >> length);
    for (int k = 1; k < length && i + k < text.size(); ++k)
      point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3F);
    i += length;
    const bool space = point <= ' ';
    if (!space || (!points.empty() && points.back() != U' '))
      points.push_back(space ? U' ' : point);
  }
  if (!points.empty() && points.back() == U' ') points.pop_back();
  return points;
}

/// Levenshtein's distance between `read` and `truth`, divided by the truth's length: the character
/// error rate, white space folded.
inline double character_error(std::string_view read, std::string_view truth) {
  const auto a = folded_code_points(read), b = folded_code_points(truth);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return static_cast<double>(row[b.size()]) /
         static_cast<double>(std::max<std::size_t>(1, b.size()));
}
