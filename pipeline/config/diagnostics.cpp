// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/diagnostics.hpp"

#include <algorithm>
#include <tuple>

namespace millrace::inline v1 {

void Diagnostics::add(Diagnostic::Severity severity, Position where, int length,
                      std::string message, std::string hint) {
  if (severity == Diagnostic::Severity::error) ++errors_;
  all_.push_back(
      {severity, file_, where, std::max(length, 1), std::move(message), std::move(hint)});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  auto all = all_;
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) {
    return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
  });
  std::vector<Diagnostic> unique;
  for (auto& diagnostic : all) {
    bool known = false;
    for (auto other = unique.rbegin(); other != unique.rend() && !known; ++other) {
      if (other->where != diagnostic.where) break;
      known = other->message == diagnostic.message && other->hint == diagnostic.hint;
    }
    if (!known) unique.push_back(std::move(diagnostic));
  }
  return unique;
}

std::string join(const std::vector<std::string>& names, const std::string& last) {
  constexpr std::size_t most = 16;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? std::string() : i + 1 == names.size() ? " " + last + " " : ", ") + names[i];
  return names.size() > most ? text + ", ... (" + std::to_string(names.size()) + " in all)" : text;
}

}  // namespace millrace::inline v1
