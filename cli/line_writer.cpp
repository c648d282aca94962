// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/line_writer.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <string_view>
#include <utility>

#include "millrace/error.hpp"
#include "stages/support/file_error.hpp"

namespace millrace::cli {
namespace {

constexpr std::size_t room = std::size_t{16} << 20;

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace

LineWriter::LineWriter(Descriptor to)
    : to_(std::move(to)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!wake_) throw Error(ErrorKind::resource, "cannot write events: " + reason_of(errno));
  thread_ = std::thread([this] {
    ::pthread_setname_np(::pthread_self(), "events");
    write_all();
  });
}

bool LineWriter::put(std::string line, double share) {
  line += '\n';
  const std::lock_guard lock(mutex_);
  const auto taken = static_cast<double>(waiting_.size() + writing_ + line.size());
  if (is_over_ || taken > share * static_cast<double>(room)) return false;
  waiting_ += line;
  changed_.notify_one();
  return true;
}

int LineWriter::broken() const {
  const std::lock_guard lock(mutex_);
  return broken_;
}

std::size_t LineWriter::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

void LineWriter::end(std::chrono::milliseconds patience) {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    patience_ = patience;
  }
  changed_.notify_one();
  const std::uint64_t one = 1;
  while (::write(wake_.get(), &one, sizeof one) < 0 && errno == EINTR) {
  }
  thread_.join();
}

void LineWriter::write_all() {
  std::string text;
  std::unique_lock lock(mutex_);
  while (!is_over_) {
    changed_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    text.clear();
    std::swap(text, waiting_);
    writing_ = text.size();
    lock.unlock();
    const auto written = write(text);
    lock.lock();
    writing_ = 0;
    if (written == text.size()) continue;
    is_over_ = true;
    lost_ += lines_in(std::string_view(text).substr(written)) + lines_in(waiting_);
  }
}

/// Gives how many bytes were taken: fewer than there are when the reader is gone or was waited for
/// long enough.
std::size_t LineWriter::write(const std::string& text) {
  std::size_t written = 0;
  while (written < text.size() && wait_for_room()) {
    // A pipe that has room has room for so much: the write does not wait.
    const auto count = ::write(to_.get(), text.data() + written,
                               std::min<std::size_t>(PIPE_BUF, text.size() - written));
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR && errno != EAGAIN) {
      const std::lock_guard lock(mutex_);
      broken_ = errno;
      break;
    }
  }
  return written;
}

bool LineWriter::wait_for_room() {
  while (true) {
    std::array<pollfd, 2> ready{{{to_.get(), POLLOUT, 0}, {wake_.get(), POLLIN, 0}}};
    std::unique_lock lock(mutex_);
    const bool is_last = is_ending_;
    const int timeout = is_last ? static_cast<int>(patience_.count()) : -1;
    lock.unlock();
    const int count = ::poll(ready.data(), is_last ? 1 : 2, timeout);
    if (count == 0) return false;
    if (count > 0 && ready[0].revents != 0) return true;
  }
}

}  // namespace millrace::cli
