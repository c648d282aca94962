// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "millrace/stage.hpp"

namespace millrace::codecs {

/// Each format with its library, tried by writing a small picture and reading it again; and what
/// all of them rest on.
std::vector<Condition> diagnose();

}  // namespace millrace::codecs
