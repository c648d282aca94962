// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

/// An input that a source has named, or could not.
struct Listed {
  std::size_t source;  ///< The stage's index in the plan.
  Origin origin;
  std::optional<Error> failure;
};

/// What every source names, in the plan's and then the sources' order, whichever is listed first:
/// several are listed side by side. Ends early, without an error, when the context does. Throws the
/// first error by time of a source that cannot list at all, with the source's name in front; where
/// there is a `refused`, puts every such error into it instead, by the stage's index.
std::vector<Listed> list_inputs(const Plan& plan, const Context& context,
                                std::map<std::size_t, Error>* refused = nullptr);

/// Shows each sink that knows its outputs beforehand what will reach it. Returns what they say, by
/// the stage's index.
std::map<std::size_t, OutputForecast> forecast_outputs(const Plan& plan,
                                                       const std::vector<Listed>& inputs);

/// The same; throws one Error (config) that holds every complaint.
void prepare_outputs(const Plan& plan, const std::vector<Listed>& inputs);

}  // namespace millrace::inline v1
