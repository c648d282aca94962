// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "millrace/option.hpp"

namespace millrace::cli {

using Json = nlohmann::ordered_json;

/// What may be written for an option, a text with a variable in it included.
Json option_schema(const Option& option);

/// `description` and the like, for people.
void describe(Json& schema, const std::string& text);

/// A map of options, which has all that are required and no others.
Json map_schema(const Options& options);

/// A text that a variable makes to something else: `${width}`.
Json variable_schema();

/// One of several, as an editor takes them.
Json any_of(std::vector<Json> schemas);

}  // namespace millrace::cli
