// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/live/notices.hpp"

#include <new>
#include <utility>

#include "cli/summary.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

constexpr std::size_t most = 1000;

}  // namespace

void Notices::failed(const Failure& failure) noexcept { add("failed: ", failure); }
void Notices::warned(const Failure& warning) noexcept { add("warning: ", warning); }

void Notices::add(const char* kind, const Failure& what) noexcept {
  try {
    waiting_.with([&](Waiting& waiting) {
      if (waiting.lines.size() < most)
        waiting.lines.push_back(kind + line_of(what));
      else
        ++waiting.more;
    });
  } catch (const std::bad_alloc&) {  // the summary has it, or fails by itself
    return;
  }
}

std::string Notices::take() {
  const auto taken = waiting_.with([](Waiting& waiting) {
    const bool loses = waiting.more > 0 || waiting.has_lost;
    return std::exchange(waiting, Waiting{{}, 0, loses});
  });
  std::string text;
  for (const auto& line : taken.lines) text += line + "\n";
  if (taken.more > 0)
    text += "and " + std::to_string(taken.more) + " more, which the summary tells\n";
  return text;
}

bool Notices::has_lost() const {
  return waiting_.read([](const Waiting& waiting) { return waiting.has_lost || waiting.more > 0; });
}

}  // namespace millrace::cli
