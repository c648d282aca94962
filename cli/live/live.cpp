// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/live/live.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <utility>

#include "cli/console.hpp"
#include "cli/live/draw.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

using namespace std::chrono_literals;

constexpr Duration before_a_block = 300ms;
constexpr Duration between_frames = 100ms;
constexpr Duration before_a_line = 10s;
constexpr Duration between_lines = 30s;
constexpr Duration between_looks = 1s;  // where failures are told as they happen
constexpr Duration rates_are_over = 5s;

bool has_room() {
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  return ::poll(&ready, 1, 0) != 0;  // an error is the write's to meet
}

void tell(std::string_view text) {
  while (!text.empty() && has_room()) {
    const auto end = text.find('\n');
    millrace::cli::say(text.substr(0, std::min<std::size_t>(end, PIPE_BUF - 1)));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
}

}  // namespace

Live::Live(const Progress& progress, Showing showing, std::string noun)
    : progress_(progress), showing_(showing), noun_(std::move(noun)) {
  if (showing == Showing::block) terminal_.emplace(STDERR_FILENO);
  next_ = terminal_ ? before_a_block : between_looks;
}

std::optional<Duration> Live::next() const {
  return showing_ == Showing::nothing ? std::nullopt : std::optional(next_);
}

void Live::show(Duration time) {
  if (showing_ == Showing::nothing || time < next_) return;
  next_ = time + (terminal_ ? between_frames : between_looks);
  looks_.push_back(snapshot_of(progress_, time));
  pace_.add(looks_.back());
  while (looks_.size() > 2 && time - looks_[1].time >= rates_are_over) looks_.pop_front();
  if (terminal_)
    show_block();
  else if (time >= before_a_line)
    show_lines(time);
}

void Live::show_block() {
  if (!terminal_->is_free()) return;  // what is to be told waits
  const auto& now = looks_.back();
  block_ =
      draw({noun_, now, pace_.per_second(), pace_.left(), stopping_, rows_of(looks_.front(), now)},
           terminal_->screen());
  terminal_->draw(notices_.take(), block_);
  has_begun_ = true;
}

void Live::show_lines(Duration time) {
  tell(notices_.take());
  has_begun_ = true;
  if (time < next_line_) return;
  next_line_ = time + between_lines;
  tell("millrace: " + in_words({noun_, looks_.back(), pace_.per_second(), pace_.left()}));
}

void Live::say(std::string_view text) {
  if (!terminal_) return tell(text);
  std::string lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines += printable(text.substr(0, end)) + "\n";
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  terminal_->draw(lines, terminal_->is_free() ? block_ : std::vector<Line>());
}

void Live::suspend() {
  block_.clear();
  if (terminal_) terminal_->erase();
}

void Live::resume() {
  if (terminal_) terminal_->forget();
  looks_.clear();  // the workers' times count the stop, the run's does not
}

bool Live::end() {
  block_.clear();
  if (!terminal_) {
    if (has_begun_) tell(notices_.take());
    return false;
  }
  terminal_->draw(has_begun_ ? notices_.take() : "", {});
  terminal_->flush();
  return has_begun_ && !notices_.has_lost();
}

}  // namespace millrace::cli
