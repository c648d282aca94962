// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "support/make_stage.hpp"

namespace millrace::testing {

/// What a stage that takes and gives a picture makes of one.
Image run_stage(const std::string& name, const Settings& settings, const Image& image);

}  // namespace millrace::testing
