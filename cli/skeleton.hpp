// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

struct SkeletonFile {
  std::string name, content;
};

/// The files of plugins/example/, as they were when this was built.
const std::vector<SkeletonFile>& plugin_skeleton();

}  // namespace millrace::cli
