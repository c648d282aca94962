// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <memory>
#include <string>

#include "millrace/stage.hpp"

namespace millrace::test {

using Settings = std::map<std::string, std::string>;

/// A stage from the catalogue with its options as they would be written. Throws
/// std::invalid_argument where one is refused.
std::unique_ptr<Stage> make_stage(const std::string& name, const Settings& settings = {});

/// What the stage makes of one picture; check() is not called.
Image run_stage(const std::string& name, const Settings& settings, const Image& image);

}  // namespace millrace::test
