// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/live/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace millrace::cli {
namespace {

/// Opened anew, so that not waiting is nobody else's; -1 where that is not allowed.
int opened_anew(int descriptor) {
  std::array<char, 256> name;
  if (::ttyname_r(descriptor, name.data(), name.size()) != 0) return -1;
  return ::open(name.data(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/// By the first of the variables that POSIX asks in this order; the locale itself need not exist.
bool speaks_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(variable);
    if (!value || !*value) continue;
    std::string name = value;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name.find("utf-8") != name.npos || name.find("utf8") != name.npos;
  }
  return false;
}

bool wants_colours() {
  const char* const none = std::getenv("NO_COLOR");
  return !none || !*none;
}

}  // namespace

Terminal::Terminal(int descriptor) : descriptor_(descriptor), own_(opened_anew(descriptor)) {}

bool Terminal::is_one(int descriptor) {
  const char* const kind = std::getenv("TERM");
  return ::isatty(descriptor) && kind && *kind && std::string_view(kind) != "dumb";
}

Screen Terminal::screen() const {
  Screen screen{.unicode = speaks_utf8(), .colours = wants_colours()};
  winsize size{};
  if (::ioctl(descriptor_, TIOCGWINSZ, &size) != 0) return screen;
  if (size.ws_col > 0) screen.columns = size.ws_col;
  if (size.ws_row > 0) screen.lines = size.ws_row;
  return screen;
}

bool Terminal::is_free() {
  const auto job = ::tcgetpgrp(descriptor_);
  if (job >= 0 && job != ::getpgrp()) return false;
  send("");
  return pending_.empty();
}

/// Lines that are wider than the terminal has become take several of its rows.
std::size_t Terminal::rows(std::size_t columns) const {
  std::size_t sum = 0;
  for (const auto width : widths_) sum += std::max<std::size_t>(1, (width + columns - 1) / columns);
  return sum;
}

void Terminal::draw(std::string_view above, const std::vector<Line>& block) {
  const auto columns = screen().columns;
  std::string text;
  if (!widths_.empty()) {
    text += "\r\x1b[" + std::to_string(rows(columns)) + "A";
    // Otherwise each line is erased behind its new text, which does not flicker.
    if (columns != columns_ || !above.empty() || block.empty()) text += "\x1b[J";
  }
  text += above;
  widths_.clear();
  columns_ = columns;
  for (const auto& line : block) {
    text += line.text() + "\x1b[K\n";
    widths_.push_back(line.columns());
  }
  if (!block.empty()) text += "\x1b[J";
  send(text);
}

void Terminal::flush() {
  constexpr int patience_ms = 200;
  pollfd ready{own_ ? own_.get() : descriptor_, POLLOUT, 0};
  while (!pending_.empty() && ::poll(&ready, 1, patience_ms) > 0) send("");
}

/// One write, so that a terminal shows all of it at once. Of an end that is gone nobody is told:
/// there is nobody.
void Terminal::send(std::string_view text) {
  pending_ += text;
  const int to = own_ ? own_.get() : descriptor_;
  // Where it would wait for room: so little that there is none of that.
  const std::size_t most = own_ ? pending_.size() : 128;
  pollfd ready{to, POLLOUT, 0};
  while (!pending_.empty() && ::poll(&ready, 1, 0) > 0) {
    const auto count = ::write(to, pending_.data(), std::min(pending_.size(), most));
    if (count < 0 && errno != EAGAIN && errno != EINTR) pending_.clear();
    if (count <= 0) return;
    pending_.erase(0, static_cast<std::size_t>(count));
  }
}

}  // namespace millrace::cli
