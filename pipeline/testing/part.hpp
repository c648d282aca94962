// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plan/draft.hpp"
#include "testing/collect.hpp"
#include "testing/test_case.hpp"

namespace millrace::inline v1 {

/// The node of an id that the file gives or means.
std::optional<std::size_t> find_id(const Draft& draft, const std::string& id);

/// The nodes on the ways from one to the other, both included; from the sources and to the sinks
/// where there is none. Empty: no way leads there.
std::set<std::size_t> part_of(const Draft& draft, std::optional<std::size_t> from,
                              std::optional<std::size_t> to);

/// The ids of the sources among them.
std::vector<std::string> sources_among(const Draft& draft, const std::set<std::size_t>& nodes);

/// Leaves of a connected draft what a test tries, with its inputs in place of the sources' and
/// sinks that collect. `outputs`: where, with a folder that no file is written outside of.
void take_part(Draft& draft, const TestCase& test, const Inputs& inputs,
               const std::shared_ptr<Outputs>& outputs);

}  // namespace millrace::inline v1
