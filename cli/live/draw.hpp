// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "cli/live/line.hpp"
#include "cli/live/view.hpp"

namespace millrace::cli {

/// The run as lines of the screen, each narrower than it, and fewer than it has: the whole run
/// first, then a row for each stage where there is room for a table of them.
std::vector<Line> draw(const View& view, const Screen& screen);

/// The whole run in words alone: "128 of 200 files, 2 failed, 24/s, 3 s left".
std::string in_words(const View& view);

}  // namespace millrace::cli
