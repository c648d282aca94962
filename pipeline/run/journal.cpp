// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/journal.hpp"

#include <algorithm>
#include <opencv2/core.hpp>
#include <tuple>
#include <utility>

#include "millrace/fault.hpp"

namespace millrace::inline v1 {
namespace {

// what() of OpenCV holds its version and the path of its source file: of no use to anybody here.
Error error_of(const cv::Exception& error) {
  if (error.code == cv::Error::StsNoMem) return {ErrorKind::resource, "out of memory in OpenCV"};
  const std::string where = error.func.empty() ? "" : error.func + ": ";
  return {ErrorKind::internal, "OpenCV: " + where + error.err};
}

}  // namespace

void Journal::write(Chapter chapter, const Origin& origin, std::size_t source, std::size_t stage,
                    const Error& error) {
  Entry entry{source,
              origin.index,
              origin.page,
              stage,
              {origin.label(), plan_.stages[stage].id, error.kind(), error.what()}};
  tell(chapter, entry.failure);
  chapters_.with([&](Chapters& chapters) {
    chapters[static_cast<std::size_t>(chapter)].push_back(std::move(entry));
  });
}

void Journal::tell(Chapter chapter, const Failure& failure) const noexcept {
  if (!observer_) return;
  switch (chapter) {
    case Chapter::failures:
      return observer_->failed(failure);
    case Chapter::warnings:
      return observer_->warned(failure);
    case Chapter::skips:
      return observer_->skipped(failure);
  }
}

void Journal::fill(Report& report) {
  auto chapters = chapters_.with([](Chapters& all) { return std::exchange(all, {}); });
  const auto take = [&](Chapter chapter) {
    return in_order(std::move(chapters[static_cast<std::size_t>(chapter)]));
  };
  report.failures = take(Chapter::failures);
  report.warnings = take(Chapter::warnings);
  report.skips = take(Chapter::skips);
}

std::vector<Failure> Journal::in_order(std::vector<Entry> entries) {
  std::ranges::stable_sort(entries, {}, [](const Entry& entry) {
    return std::tuple(entry.source, entry.index, entry.page.value_or(0), entry.stage);
  });
  std::vector<Failure> failures;
  for (auto& entry : entries) failures.push_back(std::move(entry.failure));
  return failures;
}

Error error_in_flight() {
  try {
    throw;
  } catch (const cv::Exception& error) {
    return error_of(error);
  } catch (...) {
    return Fault::current().error();
  }
}

}  // namespace millrace::inline v1
