// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/pseudo_terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>  // NOLINT: posix_openpt
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <stdexcept>

#include "support/eventually.hpp"
#include "support/program.hpp"

namespace millrace::testing {
namespace {

using millrace_test::eventually;

constexpr unsigned short screen_lines = 24;

/// What the shell says of its job: stopped, or ended with a status behind it.
constexpr char stopped = 's', ended = 'e';

/// A job in a process group of its own, in front. No more than signal-safe calls: the parent has
/// threads.
pid_t start_job(char** words) {
  const pid_t job = ::fork();
  ::setpgid(job, job);
  if (job != 0) {
    ::tcsetpgrp(STDIN_FILENO, job);
    return job;
  }
  while (::tcgetpgrp(STDIN_FILENO) != ::getpid()) ::usleep(1000);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execv(words[0], words);
  ::_exit(127);
}

/// Says on `answers` what becomes of the job, and takes it to the front again on command.
[[noreturn]] void be_shell(char** words, int commands, int answers) {
  ::signal(SIGTTOU, SIG_IGN);
  const pid_t job = start_job(words);
  while (true) {
    int status = 0;
    if (::waitpid(job, &status, WUNTRACED) != job) ::_exit(1);
    ::tcsetpgrp(STDIN_FILENO, ::getpid());
    const bool is_over = !WIFSTOPPED(status);
    const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    const std::array<char, 2> answer{is_over ? ended : stopped, static_cast<char>(code)};
    if (::write(answers, answer.data(), 2) != 2 || is_over) ::_exit(0);
    char command = 0;
    const bool told = ::read(commands, &command, 1) == 1;
    if (!told) ::kill(-job, SIGKILL);
    ::tcsetpgrp(STDIN_FILENO, job);
    ::kill(-job, SIGCONT);
  }
}

void set_size(int terminal, std::size_t columns) {
  const winsize size{screen_lines, static_cast<unsigned short>(columns), 0, 0};
  if (::ioctl(terminal, TIOCSWINSZ, &size) != 0) throw std::runtime_error("TIOCSWINSZ");
}

}  // namespace

void ScreenText::put(std::string_view output) {
  rest_ += output;
  std::size_t i = 0;
  while (i < rest_.size()) {
    const char c = rest_[i];
    if (c == '\x1b') {
      const auto last = std::find_if(rest_.begin() + static_cast<std::ptrdiff_t>(i), rest_.end(),
                                     [](unsigned char x) { return std::isalpha(x); });
      if (last == rest_.end()) break;
      const auto end = static_cast<std::size_t>(last - rest_.begin());
      escape(std::string_view(rest_).substr(i + 2, end - i - 2), rest_[end]);
      i = end + 1;
      continue;
    }
    if (c == '\r') {
      at_ -= at_ % columns_;
    } else if (c == '\n') {
      at_ = 0;
      if (++line_ == lines_.size()) lines_.emplace_back();
    } else {
      auto& line = lines_[line_];
      if (line.size() <= at_) line.resize(at_ + 1, ' ');
      line[at_++] = c;
    }
    ++i;
  }
  rest_.erase(0, i);
}

void ScreenText::escape(std::string_view code, char last) {
  if (last == 'A') go_up(std::stoul(std::string(code)));
  if (last == 'J') lines_.resize(line_ + 1);
  if (last == 'J' || last == 'K') lines_[line_].resize(std::min(lines_[line_].size(), at_));
}

std::size_t ScreenText::rows_of(std::size_t line) const {
  return std::max<std::size_t>(1, (lines_[line].size() + columns_ - 1) / columns_);
}

void ScreenText::go_up(std::size_t rows) {
  std::size_t row = at_ / columns_;
  while (rows > row && line_ > 0) {
    rows -= row + 1;
    row = rows_of(--line_) - 1;
  }
  at_ = (row - std::min(row, rows)) * columns_;
}

std::string ScreenText::text() const {
  std::string text;
  for (const auto& line : lines_) text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  return text.substr(0, text.find_last_not_of('\n') + 1) + "\n";
}

PseudoTerminal::PseudoTerminal(const std::vector<std::string>& arguments,
                               const std::filesystem::path& folder,
                               const std::string& plugin_folder, std::size_t columns)
    : text_(columns) {
  std::vector<std::string> words = {"/usr/bin/env",
                                    "TERM=xterm",
                                    "LC_ALL=C",
                                    "NO_COLOR=1",
                                    "MILLRACE_PLUGIN_PATH=" + plugin_folder,
                                    "TSAN_OPTIONS=" + thread_sanitizer_options(),
                                    MILLRACE_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  master_ = Descriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  std::array<char, 128> name;
  std::array<int, 2> commands, answers;
  if (!master_ || ::grantpt(master_.get()) != 0 || ::unlockpt(master_.get()) != 0 ||
      ::ptsname_r(master_.get(), name.data(), name.size()) != 0 ||
      ::pipe2(commands.data(), O_CLOEXEC) != 0 || ::pipe2(answers.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("no pseudo-terminal");
  set_size(master_.get(), columns);
  shell_ = ::fork();
  if (shell_ < 0) throw std::runtime_error("fork");
  if (shell_ == 0) {
    ::setsid();
    const int terminal = ::open(name.data(), O_RDWR);
    ::ioctl(terminal, TIOCSCTTY, 0);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(terminal, stream);
    ::close(commands[1]);
    if (::chdir(folder.c_str()) != 0) ::_exit(127);
    be_shell(pointers.data(), commands[0], answers[1]);
  }
  ::close(commands[0]);
  ::close(answers[1]);
  commands_ = Descriptor(commands[1]);
  answers_ = Descriptor(answers[0]);
}

PseudoTerminal::~PseudoTerminal() {
  // The terminal that is gone hangs up on its foreground job; a stopped one is ended by the shell.
  master_.close();
  commands_.close();
  ::kill(shell_, SIGHUP);
  int status = 0;
  ::waitpid(shell_, &status, 0);
}

void PseudoTerminal::type(std::string_view keys) const {
  if (::write(master_.get(), keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
    throw std::runtime_error("cannot type");
}

void PseudoTerminal::resize(std::size_t columns) {
  read_output();
  set_size(master_.get(), columns);
  text_.resize(columns);
}

void PseudoTerminal::read_output() {
  std::array<char, 4096> buffer;
  while (true) {
    const auto count = ::read(master_.get(), buffer.data(), buffer.size());
    if (count <= 0) return;
    text_.put({buffer.data(), static_cast<std::size_t>(count)});
  }
}

std::string PseudoTerminal::screen() {
  read_output();
  return text_.text();
}

bool PseudoTerminal::shows(std::string_view text) {
  return eventually([&] { return screen().find(text) != std::string::npos; });
}

/// The status that comes with it.
char PseudoTerminal::answer(char expected) {
  std::array<char, 2> answer{};
  const bool has_come = eventually([&] {
    read_output();  // what nobody reads holds the program up
    pollfd ready{answers_.get(), POLLIN, 0};
    return ::poll(&ready, 1, 0) > 0;
  });
  if (!has_come || ::read(answers_.get(), answer.data(), 2) != 2 || answer[0] != expected)
    throw std::runtime_error("not what was expected of the job; the screen:\n" + screen());
  return answer[1];
}

void PseudoTerminal::wait_for_stop() { (void)answer(stopped); }

void PseudoTerminal::go_on() const {
  if (::write(commands_.get(), "f", 1) != 1) throw std::runtime_error("the shell has gone");
}

int PseudoTerminal::wait() { return static_cast<unsigned char>(answer(ended)); }

}  // namespace millrace::testing
