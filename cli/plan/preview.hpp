// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "millrace/pipeline.hpp"
#include "run/preview.hpp"

namespace millrace::cli {

/// The inputs, the memory and the outputs of a plan, in lines for people; not its `error`.
std::string text_of(const Plan& plan, const Preview& preview);

/// Shows what a run of the plan would read and write, on stdout, and what keeps it from starting,
/// on stderr, as the run would; `quiet`: the latter alone. Returns the exit status of status_of().
int show_preview(const Plan& plan, bool quiet = false);

/// Says on stderr what keeps a run from starting.
void say_error(const Plan& plan, const Preview& preview);

/// The exit status that a run would have for what the preview knows.
int status_of(const Preview& preview);

}  // namespace millrace::cli
