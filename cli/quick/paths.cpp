// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/quick/paths.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include "millrace/error.hpp"
#include "stages/support/ascii.hpp"
#include "stages/support/file_error.hpp"
#include "stages/support/glob.hpp"

namespace millrace::cli {
namespace {

bool is_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::string dotted(const std::vector<std::string>& endings) {
  std::string text;
  for (const auto& ending : endings) text += (text.empty() ? "." : ", .") + ending;
  return text;
}

std::string in_folder(std::string folder, const std::string& name) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return (folder == "/" ? folder : folder + "/") + "{dir}/" + name;
}

/// A pattern for this path alone.
std::string literal(const std::string& path) {
  std::string pattern;
  for (const char c : path) {
    if (std::string_view("*?[]{},\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace

std::vector<std::string> input_complaints(const std::vector<std::string>& in) {
  std::vector<std::string> complaints;
  for (const auto& path : in) {
    if (path == "-") {
      complaints.push_back("-: pictures are not read from standard input; give a file");
      continue;
    }
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) continue;
    const int error = errno;
    if (!Glob::is_pattern(path))
      complaints.push_back("cannot read " + path + ": " + reason_of(error));
  }
  return complaints;
}

bool are_files(const std::vector<std::string>& in) { return std::ranges::all_of(in, is_file); }

std::string ending_of(const std::string& path) {
  const auto name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  const auto dot = name.rfind('.');
  return dot == name.npos || name.find_first_not_of('.') == name.npos
             ? std::string()
             : lower(std::string_view(name).substr(dot + 1));
}

std::vector<std::string> outputs_within(const std::vector<std::string>& in,
                                        const std::string& out) {
  const auto is_template = out.find_first_of("{}") != out.npos;
  const auto fixed = is_template ? out.substr(0, out.rfind('/', out.find('{')) + 1) : out;
  if (is_template ? fixed.empty() : is_file(out)) return {};
  std::error_code error;
  const auto written = std::filesystem::weakly_canonical(std::filesystem::absolute(fixed), error);
  if (error) return {};
  std::vector<std::string> patterns;
  for (const auto& folder : in) {
    if (!is_folder(folder)) continue;
    const auto read = std::filesystem::canonical(folder, error);
    const auto within = written.lexically_relative(read).string();
    if (error || within.empty() || within == "." || within == ".." || within.starts_with("../"))
      continue;
    patterns.push_back(literal(within) + "/**/*");
  }
  return patterns;
}

std::string output_template(const std::string& out, const std::vector<std::string>& in,
                            const std::string& name, const std::vector<std::string>& endings) {
  if (out == "-")
    throw Error(ErrorKind::usage,
                "-o -: nothing is written to standard output; give a file or a folder");
  if (out.find_first_of("{}") != out.npos) return out;
  const auto ending = ending_of(out);
  if (ending.empty() || out.ends_with('/') || is_folder(out)) return in_folder(out, name);
  if (std::ranges::count(endings, ending) == 0)
    throw Error(ErrorKind::usage, "-o " + out + ": files are written as " + dotted(endings) +
                                      "; a folder of that name is " + out + "/");
  if (in.size() != 1 || !is_file(in.front()))
    throw Error(
        ErrorKind::usage,
        "-o " + out + ": one file cannot take what " +
            (in.size() == 1 ? in.front() + " holds" : std::to_string(in.size()) + " inputs hold") +
            "; give a folder, or a template such as {stem}." + ending);
  return out;
}

}  // namespace millrace::cli
