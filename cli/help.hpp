// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "cli/verb.hpp"

namespace millrace::cli {

/// `millrace --help`: every verb in a line.
std::string help_text();

/// `millrace VERB --help`: its arguments and an example. Plugins are found only where the verb's
/// own arguments ask for it.
/// `all`: --help-all, with those that are seldom used, of which the other has the names.
std::string help_text(const Verbs::Entry& verb, const Arguments& arguments, bool all = false);

/// "-q, --quiet", "--set NAME=VALUE".
std::string shown(const Argument& argument);
/// With its choices, without a full stop.
std::string summary_of(const Argument& argument);
/// "millrace convert IN... [options]".
std::string usage_of(const Verbs::Entry& verb, const Arguments& arguments);

}  // namespace millrace::cli
