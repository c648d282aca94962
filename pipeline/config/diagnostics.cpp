// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/diagnostics.hpp"

#include <algorithm>
#include <tuple>

#include "config/habits.hpp"
#include "config/keys.hpp"
#include "millrace/nearest.hpp"

namespace millrace::inline v1 {

namespace {

/// Walks a tree once and gives each diagnostic the path of the innermost value that it lies in.
class PathFinder {
 public:
  explicit PathFinder(std::vector<Diagnostic>& all) {
    for (auto& diagnostic : all)
      if (diagnostic.where.line > 0) by_place_.push_back(&diagnostic);
    std::ranges::sort(by_place_, {}, place);
  }

  void visit(const Value& value) {
    mark(value.where, value.length);
    const std::size_t size = path_.size();
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      path_ += "[" + std::to_string(i) + "]";
      visit(value.items[i]);
      path_.resize(size);
    }
    for (const auto& entry : value.entries) {
      if (is_name(entry.key))
        path_ += (path_.empty() ? "" : ".") + entry.key;
      else
        path_ += "[" + quote(entry.key) + "]";
      mark(entry.where, entry.length);
      visit(entry.value);
      path_.resize(size);
    }
  }

 private:
  static std::pair<int, int> place(const Diagnostic* diagnostic) {
    return {diagnostic->where.line, diagnostic->where.column};
  }

  /// An alias is what its anchor is: the first path holds, and those within it.
  void mark(Position where, int length) {
    const std::pair first(where.line, where.column);
    for (auto at = std::ranges::lower_bound(by_place_, first, {}, place);
         at != by_place_.end() && (*at)->where.line == where.line &&
         (*at)->where.column < where.column + length;
         ++at)
      if (path_.starts_with((*at)->path)) (*at)->path = path_;
  }

  std::vector<Diagnostic*> by_place_;
  std::string path_;
};

}  // namespace

void Diagnostics::add(Diagnostic::Severity severity, Code code, Position where, int length,
                      std::string message, Advice advice) {
  if (severity == Diagnostic::Severity::error) ++errors_;
  Diagnostic told;
  told.severity = severity;
  told.code = name_of(code);
  told.file = file_;
  told.where = where;
  told.length = std::max(length, 1);
  told.message = std::move(message);
  told.hint = std::move(advice.hint);
  told.fix = std::move(advice.fix);
  if (told.fix && told.fix->where == Position()) {
    told.fix->where = where;
    told.fix->length = told.length;
  }
  all_.push_back(std::move(told));
}

void Diagnostics::find_paths(const Value& root) {
  if (!all_.empty()) PathFinder(all_).visit(root);
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

Advice suggest(std::string_view name, const std::vector<std::string>& candidates) {
  if (auto ours = other_word_for(name, candidates))
    return {"here it is called " + quote(*ours), std::move(*ours)};
  auto meant = nearest(name, candidates);
  if (!meant) return {};
  return {"did you mean " + quote(*meant) + "?", std::move(*meant)};
}

}  // namespace millrace::inline v1
