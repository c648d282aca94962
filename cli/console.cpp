// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/console.hpp"

#include <array>
#include <cstdio>
#include <iostream>

#include "config/utf8.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {

void say(std::string_view line) {
  // One write, so that a line of another thread cannot come between.
  const auto text = printable(line) + "\n";
  std::cerr.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
}

void say_lines(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    say(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string elapsed_text(std::chrono::nanoseconds time) {
  const double seconds = std::chrono::duration<double>(time).count();
  std::array<char, 64> buffer;
  if (seconds < 10)
    std::snprintf(buffer.data(), buffer.size(), "%.1f s", seconds);
  else if (seconds < 60)
    std::snprintf(buffer.data(), buffer.size(), "%.0f s", seconds);
  else
    std::snprintf(buffer.data(), buffer.size(), "%lld min %02lld s",
                  static_cast<long long>(seconds) / 60, static_cast<long long>(seconds) % 60);
  return buffer.data();
}

namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto end = text.find(' ');
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return words;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  return wrapped(words_of(text), indent, columns);
}

std::string wrapped(const std::vector<std::string>& pieces, std::size_t indent,
                    std::size_t columns) {
  std::string result, line;
  const std::string margin(indent, ' ');
  const auto add = [&](const std::string& piece) {
    if (!line.empty() && indent + columns_of(line) + 1 + columns_of(piece) > columns) {
      result += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + piece;
  };
  for (const auto& piece : pieces) {
    if (indent + columns_of(piece) <= columns)
      add(piece);
    else
      for (const auto& word : words_of(piece)) add(word);
  }
  return line.empty() ? result : result + margin + line + "\n";
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = read_utf8(text, at);
    columns += character.size == 0 ? 1 : static_cast<std::size_t>(display_width(character.value));
    at += character.size == 0 ? 1 : character.size;
  }
  return columns;
}

std::string left(std::string_view text, std::size_t width) {
  const auto columns = columns_of(text);
  return std::string(text) + std::string(width > columns ? width - columns : 0, ' ');
}

}  // namespace millrace::cli
