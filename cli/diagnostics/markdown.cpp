// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/diagnostics/markdown.hpp"

#include <algorithm>
#include <sstream>

#include "stages/support/ascii.hpp"

namespace millrace::cli {
namespace {

/// CommonMark 0.30, section 4.5: three signs or more of one kind, and the info string behind them.
struct Fence {
  std::size_t indent = 0, length = 0;
  char sign = 0;
  std::string info;
};

Fence fence_of(const std::string& line) {
  Fence fence;
  fence.indent = std::min(line.find_first_not_of(' '), line.size());
  if (fence.indent == line.size()) return {};
  const char sign = line[fence.indent];
  if (sign != '`' && sign != '~') return {};
  const auto end = std::min(line.find_first_not_of(sign, fence.indent), line.size());
  fence.length = end - fence.indent;
  if (fence.length < 3) return {};
  fence.sign = sign;
  fence.info = line.substr(end);
  if (sign == '`' && fence.info.find('`') != std::string::npos) return {};  // ```code``` in a line
  return fence;
}

bool closes(const Fence& fence, const Fence& open) {
  return fence.sign == open.sign && fence.length >= open.length &&
         fence.info.find_first_not_of(" \t") == std::string::npos;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// "yaml", "YML", and "{.yaml}" as Pandoc has it.
bool is_name_of_yaml(const std::string& word) {
  auto name = lower(word);
  std::erase_if(name, [](char c) { return c == '{' || c == '.' || c == '}'; });
  return name == "yaml" || name == "yml";
}

void append(YamlBlock& block, const std::string& line, std::size_t most) {
  const auto blanks = std::min(line.find_first_not_of(' '), line.size());
  const auto indent = std::min(blanks, most);
  block.indents.push_back(static_cast<int>(indent));
  block.text += line.substr(indent) + "\n";
}

}  // namespace

bool looks_like_pipeline(std::string_view yaml) {
  if (yaml.starts_with("\xef\xbb\xbf")) yaml.remove_prefix(3);  // a byte order mark
  return yaml.starts_with("stages:") || yaml.find("\nstages:") != yaml.npos;
}

std::vector<YamlBlock> pipelines_in_markdown(std::string_view markdown) {
  std::vector<YamlBlock> blocks;
  std::istringstream lines{std::string(markdown)};
  Fence open;
  YamlBlock block;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    const Fence fence = fence_of(line);
    if (open.length == 0) {
      open = fence;
      block = {};
      block.first_line = number + 1;
    } else if (!closes(fence, open)) {
      append(block, line, open.indent);
    } else {
      const auto info = words_of(open.info);
      const auto says = [&](const char* word) { return std::ranges::count(info, word) > 0; };
      const bool is_yaml = !info.empty() && is_name_of_yaml(info[0]);
      block.should_fail = says("fails");
      if (is_yaml && !says("ignore") && looks_like_pipeline(block.text))
        blocks.push_back(std::move(block));
      open = {};
    }
  }
  return blocks;
}

}  // namespace millrace::cli
