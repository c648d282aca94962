// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace millrace::cli {

/// millrace(1) in the macros of man(7): the verbs as they declare themselves.
std::string manual_page();

}  // namespace millrace::cli
