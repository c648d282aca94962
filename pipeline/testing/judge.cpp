// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/judge.hpp"

#include <algorithm>

#include "testing/judge_outputs.hpp"
#include "testing/test_keys.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::size_t names_shown = 10;

std::string told(const Failure& failure) {
  std::string text = failure.item;
  if (!failure.stage.empty()) text += (text.empty() ? "" : ": ") + failure.stage;
  return text + (text.empty() ? "" : ": ") + failure.message + " (" + kind_text(failure.kind) + ")";
}

bool is_kind(const ExpectedFailure& expected, ErrorKind kind) {
  using Kind = ExpectedFailure::Kind;
  switch (expected.kind) {
    case Kind::any:
      return true;
    case Kind::input:
      return kind == ErrorKind::input;
    case Kind::transient:
      return kind == ErrorKind::transient;
    case Kind::resource:
      return kind == ErrorKind::resource;
    case Kind::cancelled:
      return kind == ErrorKind::cancelled;
    case Kind::plugin:
      return kind == ErrorKind::plugin;
    case Kind::internal:
      return kind == ErrorKind::internal;
    case Kind::config:
      return kind == ErrorKind::config || kind == ErrorKind::usage;
  }
  return false;
}

/// What concerns the whole run names its stage in the message.
bool is_at(const ExpectedFailure& expected, const Failure& failure) {
  if (expected.stage.empty() || expected.stage == failure.stage) return true;
  return failure.stage.empty() && failure.message.starts_with(expected.stage + ": ");
}

bool fits(const ExpectedFailure& expected, const Failure& failure) {
  return (expected.item.empty() || expected.item == failure.item) && is_at(expected, failure) &&
         is_kind(expected, failure.kind) &&
         failure.message.find(expected.message) != std::string::npos;
}

std::string wanted(const ExpectedFailure& expected) {
  std::string text = "expected a failure";
  if (!expected.item.empty()) text += " of " + expected.item;
  if (!expected.stage.empty()) text += " at " + quote(expected.stage);
  Options options;
  ExpectedFailure shown = expected;
  declare(options, shown);
  if (expected.kind != ExpectedFailure::Kind::any)
    text += " of kind " + options.find("kind")->print();
  if (!expected.message.empty()) text += " with " + quote(expected.message);
  return text;
}

void judge_failures(const TestCase& test, const Outcome& outcome, TestResult& result) {
  const auto& expected = test.expect.failures;
  for (const auto& failure : outcome.failures)
    if (std::ranges::none_of(expected, [&](const auto& one) { return fits(one, failure); }))
      result.errors.push_back(told(failure));
  for (const auto& one : expected) {
    const auto fitting = [&](const auto& failure) { return fits(one, failure); };
    if (std::ranges::any_of(outcome.failures, fitting)) continue;
    result.complaints.push_back("failure: " + wanted(one) + ", got " +
                                (outcome.failures.empty() ? "none" : "another"));
  }
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), names_shown); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > names_shown) text += ", ... (" + std::to_string(names.size()) + " in all)";
  return names.empty() ? "none" : text;
}

/// Each expected name takes one that it is the end of, the longest first.
void judge_files(std::vector<std::string> expected, std::vector<std::string> got,
                 TestResult& result) {
  std::ranges::stable_sort(expected,
                           [](const auto& a, const auto& b) { return a.size() > b.size(); });
  std::vector<std::string> missing;
  for (const auto& name : expected) {
    const auto is_it = [&](const std::string& file) {
      return file == name || file.ends_with("/" + name);
    };
    const auto found = std::ranges::find_if(got, is_it);
    if (found == got.end())
      missing.push_back(name);
    else
      got.erase(found);
  }
  if (!missing.empty()) result.complaints.push_back("files: not written: " + listed(missing));
  if (!got.empty()) result.complaints.push_back("files: not expected: " + listed(got));
}

}  // namespace

std::string kind_text(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::config:
      return "config";
    case ErrorKind::input:
      return "input";
    case ErrorKind::transient:
      return "transient";
    case ErrorKind::resource:
      return "resource";
    case ErrorKind::cancelled:
      return "cancelled";
    case ErrorKind::plugin:
      return "plugin";
    case ErrorKind::internal:
      break;
  }
  return "internal";
}

void judge(const TestCase& test, const Outcome& outcome, const std::filesystem::path& folder,
           const TestSettings& settings, TestResult& result) {
  judge_failures(test, outcome, result);
  const auto& expect = test.expect;
  const auto count = outcome.outputs.size();
  if (expect.count && !expect.count->holds(static_cast<std::int64_t>(count)))
    result.complaints.push_back("count: got " + std::to_string(count) + ", expected " +
                                OptionType<Comparison>::print(*expect.count));
  if (expect.files) judge_files(*expect.files, outcome.files, result);
  if (!expect.of_outputs()) return;
  // What has failed has said so; that nothing came of it is no news.
  if (count == 0 && outcome.failures.empty()) {
    result.complaints.push_back("nothing came out that could be looked at");
    for (const auto& skip : outcome.skips)
      result.notes.push_back("skipped: " + skip.item + ": " + skip.stage + ": " + skip.message);
  } else if (count == 0 && result.errors.empty()) {
    result.complaints.push_back("nothing came out that could be looked at: all inputs failed");
  }
  judge_outputs(test, outcome.outputs, folder, settings, result);
}

}  // namespace millrace::inline v1
