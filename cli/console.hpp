// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::cli {

/// A line to stderr, whatever is in it: control characters and invalid UTF-8 are shown escaped.
void say(std::string_view line);
/// The same with each line of the text.
void say_lines(std::string_view text);

/// "7 files", "1 file".
std::string counted(std::size_t count, std::string_view noun);

/// "a, b, c".
std::string joined(const std::vector<std::string>& names);

/// "0.4 s", "12 s", "3 min 05 s".
std::string elapsed_text(std::chrono::nanoseconds time);

/// The text in lines of at most `columns`, each with the indent in front; a longer word stays
/// whole.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns = 80);
/// The same, broken between the pieces rather than within one.
std::string wrapped(const std::vector<std::string>& pieces, std::size_t indent,
                    std::size_t columns = 80);

/// Columns that the text takes on a terminal.
std::size_t columns_of(std::string_view text);

/// The text and spaces behind it, up to the width.
std::string left(std::string_view text, std::size_t width);

}  // namespace millrace::cli
