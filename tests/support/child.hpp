// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>

namespace millrace::testing {

/// What a function in a child process of its own ended with: for what changes the process (limits,
/// mounts, a forced exit).
struct ChildResult {
  int status = 0;    ///< Of exit(2); 128 + n when it died by signal n.
  std::string text;  ///< What the function returned, or the message of what it threw.
};
ChildResult in_child(const std::function<std::string()>& function);

/// A child's answer where the machine does not let it try.
inline const std::string not_allowed = "not allowed here";

}  // namespace millrace::testing
