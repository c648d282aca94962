// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

struct SkeletonFile {
  std::string name, content;
};

/// The files of plugins/example/cpp/ and c/, as they were when this was built.
const std::vector<SkeletonFile>& cpp_plugin_skeleton();
const std::vector<SkeletonFile>& c_plugin_skeleton();

}  // namespace millrace::cli
