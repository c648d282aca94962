// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millrace::cli {

/// Whether a text has the key that makes it a pipeline: `stages:` at the beginning of a line.
bool looks_like_pipeline(std::string_view yaml);

/// A fenced block of YAML in Markdown.
struct YamlBlock {
  std::string text;          ///< Without the fence's own indentation.
  int first_line = 1;        ///< In the Markdown.
  std::vector<int> indents;  ///< Bytes taken off each line.
  bool should_fail = false;  ///< "```yaml fails"
};

/// Those that are pipelines, without those marked "```yaml ignore".
std::vector<YamlBlock> pipelines_in_markdown(std::string_view markdown);

}  // namespace millrace::cli
