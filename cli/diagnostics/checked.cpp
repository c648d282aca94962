// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/diagnostics/checked.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/diagnostics/markdown.hpp"
#include "cli/load.hpp"
#include "config/codes.hpp"
#include "millrace/error.hpp"
#include "stages/support/glob.hpp"

namespace millrace::cli {
namespace {

namespace fs = std::filesystem;

bool has_ending(const fs::path& file, std::initializer_list<const char*> endings) {
  const auto ending = file.extension().string();
  return std::ranges::any_of(endings, [&](const char* one) { return ending == one; });
}

bool is_markdown(const fs::path& file) { return has_ending(file, {".md", ".markdown"}); }

/// A pipeline, or Markdown with one in it.
bool has_pipeline(const fs::path& file) {
  if (!is_markdown(file) && !has_ending(file, {".yaml", ".yml"})) return false;
  try {
    const auto text = content_of(file);
    return is_markdown(file) ? !pipelines_in_markdown(text).empty() : looks_like_pipeline(text);
  } catch (const Error&) {
    return true;  // told when it is checked
  }
}

/// The files below a folder that are `wanted`, by name; what is hidden is left out.
template <class Wanted>
std::vector<std::string> files_below(const fs::path& folder, const Wanted& wanted) {
  std::vector<std::string> files;
  std::error_code error;
  constexpr auto lenient = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, lenient, error), end; !error && at != end;
       at.increment(error)) {
    const bool is_hidden = at->path().filename().string().starts_with('.');
    std::error_code ignored;
    if (is_hidden)
      at.disable_recursion_pending();
    else if (at->is_regular_file(ignored) && wanted(at->path()))
      files.push_back(at->path());
  }
  std::ranges::sort(files);
  return files;
}

/// The folder in which all that a pattern matches must be.
fs::path fixed_part(const fs::path& pattern) {
  fs::path fixed;
  for (const auto& part : pattern) {
    if (Glob::is_pattern(part.string())) break;
    fixed /= part;
  }
  return fixed.empty() ? "." : fixed;
}

std::vector<std::string> matches_of(const std::string& pattern) {
  const Glob glob(pattern);
  const auto folder = fixed_part(pattern);
  const bool below_here = folder == ".";
  return files_below(folder, [&](const fs::path& file) {
    const auto name = file.string();
    return glob.matches(name) || (below_here && glob.matches(name.substr(2)));
  });
}

Diagnostic told(Code code, const std::string& file, std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = name_of(code);
  diagnostic.file = file;
  diagnostic.message = std::move(message);
  return diagnostic;
}

/// From a place in the block to that in the Markdown.
void move_to(Position& where, const YamlBlock& block) {
  if (where.line < 1) return;
  const auto line = static_cast<std::size_t>(where.line) - 1;
  if (line < block.indents.size()) where.column += block.indents[line];
  where.line += block.first_line - 1;
}

/// "in" of the `${in}` that is marked; empty where the mark is not that.
std::string variable_at(const Diagnostic& diagnostic, const std::string& text) {
  std::size_t line = 0;
  for (int number = 1; number < diagnostic.where.line && line != text.npos; ++number)
    line = text.find('\n', line) == text.npos ? text.npos : text.find('\n', line) + 1;
  if (line == text.npos || diagnostic.where.column < 1) return {};
  const auto at = line + static_cast<std::size_t>(diagnostic.where.column) - 1;
  const auto end = text.find('}', at);
  if (end == text.npos || text.compare(at, 2, "${") != 0) return {};
  return text.substr(at + 2, end - at - 2);
}

/// Where nothing is wrong but that variables have no value, which a run must be given, the rest is
/// checked with their names in place of it.
LoadResult load_with_names(const std::string& text, const std::string& name,
                           std::map<std::string, std::string> sets,
                           std::vector<std::string>& to_set) {
  auto result = load_pipeline(text, name, sets);
  std::vector<std::string> unset;
  for (const auto& diagnostic : result.diagnostics) {
    if (diagnostic.severity != Diagnostic::Severity::error) continue;
    const auto variable = diagnostic.code == name_of(Code::unset_variable)
                              ? variable_at(diagnostic, text)
                              : std::string();
    if (variable.empty()) return result;
    if (sets.emplace(variable, variable).second) unset.push_back(variable);
  }
  if (unset.empty()) return result;
  auto whole = load_pipeline(text, name, sets);
  if (!whole.plan) return result;
  to_set = std::move(unset);
  return whole;
}

void check_block(const YamlBlock& block, const std::map<std::string, std::string>& sets,
                 CheckedFile& file) {
  auto result = load_with_names(block.text, file.name, sets, file.to_set);
  if (block.should_fail) {
    if (!result.plan) return;
    auto& wrong = file.diagnostics.emplace_back(
        told(Code::fine_after_all, file.name, "this pipeline should have a mistake and has none"));
    wrong.where = {block.first_line, 1};
    wrong.hint = "remove 'fails' behind ```yaml";
    return;
  }
  for (auto& diagnostic : result.diagnostics) {
    move_to(diagnostic.where, block);
    if (diagnostic.fix) move_to(diagnostic.fix->where, block);
    file.diagnostics.push_back(std::move(diagnostic));
  }
}

}  // namespace

std::size_t CheckedFile::count(Diagnostic::Severity severity) const {
  return static_cast<std::size_t>(std::ranges::count(diagnostics, severity, &Diagnostic::severity));
}

std::vector<std::string> files_meant(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  std::set<std::string> seen;
  for (const auto& argument : arguments) {
    std::vector<std::string> found;
    std::error_code error;
    const bool there = argument == "-" || fs::exists(argument, error);
    if (there && fs::is_directory(argument, error))
      found = files_below(argument, has_pipeline);
    else if (!there && Glob::is_pattern(argument))
      found = matches_of(argument);
    if (found.empty()) found.push_back(argument);
    for (auto& file : found)
      if (seen.insert(file).second) files.push_back(std::move(file));
  }
  return files;
}

CheckedFile check_file(const std::string& name, const std::map<std::string, std::string>& sets) {
  CheckedFile file;
  file.name = name == "-" ? "<standard input>" : name;
  std::error_code error;
  if (name != "-" && fs::is_directory(name, error)) {
    file.diagnostics.push_back(
        told(Code::unreadable_file, name, "there is no pipeline in this folder"));
    file.diagnostics.back().hint =
        "a pipeline is a .yaml or .yml file, or a block of Markdown, with the key 'stages:'";
    return file;
  }
  try {
    file.text = content_of(name);
  } catch (const Error& problem) {
    const std::string message = problem.what();
    const auto line_end = std::min(message.find('\n'), message.size());
    file.diagnostics.push_back(told(Code::unreadable_file, name, message.substr(0, line_end)));
    if (line_end < message.size()) file.diagnostics.back().hint = message.substr(line_end + 1);
    return file;
  }
  if (is_markdown(name)) {
    const auto blocks = pipelines_in_markdown(file.text);
    file.pipelines = blocks.size();
    for (const auto& block : blocks) check_block(block, sets, file);
    return file;
  }
  file.pipelines = 1;
  auto result = load_with_names(file.text, file.name, sets, file.to_set);
  if (result.plan)
    file.stages = static_cast<std::size_t>(
        std::ranges::count(result.plan->stages, false, &PlannedStage::inserted));
  file.diagnostics = std::move(result.diagnostics);
  return file;
}

}  // namespace millrace::cli
