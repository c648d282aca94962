// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.hpp"
#include "millrace/option.hpp"
#include "millrace/value.hpp"

namespace millrace::inline v1 {

/// The entry of a map, or null.
const Value::Entry* find_key(const Value& map, std::string_view key);

/// Letters, digits, `_` and `-`, beginning with a letter or `_`: what variables and ids are named.
bool is_name(std::string_view text);

/// Complains about every key that is not known. `owner` ends "unknown key 'x' ".
void check_keys(const Value& map, const std::vector<std::string>& known, const std::string& owner,
                Diagnostics& diagnostics);

/// Gives an option the value of an entry, or complains. A broken value counts as a complaint.
bool assign(Option& option, const Value::Entry& entry, Diagnostics& diagnostics);

std::vector<std::string> names_of(const Options& options);

}  // namespace millrace::inline v1
