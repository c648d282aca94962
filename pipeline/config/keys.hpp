// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
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

/// Complains about a key that has swallowed its value, for want of a blank (`path:in`) or a colon
/// (`deskew { max_angle`); returns whether it did.
bool tell_missing_colon(const Value::Entry& entry, Diagnostics& diagnostics);
/// The same of a key that ends at `behind`, where the ':' is to be.
void tell_no_colon(const std::string& key, Position behind, Diagnostics& diagnostics);

/// The entry of a key, or else one that is not known and probably means it.
const Value::Entry* find_meant(const Value& map, std::string_view key,
                               const std::vector<std::string>& known);

/// Complains about every key that is not known. `owner` ends "unknown key 'x' "; `place_of` says
/// where such a key belongs, if anywhere.
void check_keys(const Value& map, const std::vector<std::string>& known, const std::string& owner,
                Diagnostics& diagnostics,
                const std::function<std::string(const std::string&)>& place_of = {});

/// Complains about a text that is a path only to a shell or to Windows.
bool has_own_paths(const Value& value, Diagnostics& diagnostics);

/// Gives an option the value of an entry, or complains. A broken value counts as a complaint.
bool assign(Option& option, const Value::Entry& entry, Diagnostics& diagnostics);

std::vector<std::string> names_of(const Options& options);

}  // namespace millrace::inline v1
