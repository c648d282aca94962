// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/sandbox.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "millrace/error.hpp"
#include "stages/support/file_error.hpp"
#include "stages/support/natural_order.hpp"

namespace millrace::inline v1 {
namespace {

namespace fs = std::filesystem;

// What a path begins with in here, and what stands for a folder above.
constexpr std::string_view relative = "/here/", absolute = "/disk", above = "(above)";

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

}  // namespace

Sandbox::Sandbox() {
  std::error_code error;
  const auto folder = fs::temp_directory_path(error);
  if (error)
    throw Error(ErrorKind::resource,
                "cannot make a folder for what a test writes: TMPDIR names no folder");
  auto name = (folder / "millrace-test-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw Error(ErrorKind::resource, "cannot make a folder for what a test writes, " + name + ": " +
                                         reason_of(errno) + "; set TMPDIR to another place");
  folder_ = name;
}

Sandbox::~Sandbox() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Sandbox::inside(const std::string& path_template) const {
  auto folder = folder_.string();
  replace_all(folder, "{", "{{");
  replace_all(folder, "}", "}}");
  if (path_template.starts_with('/')) return folder + std::string(absolute) + path_template;
  auto rest = path_template;
  std::string up;
  for (; rest.starts_with("../") || rest.starts_with("./"); rest.erase(0, rest.find('/') + 1))
    if (rest.starts_with("..")) up += std::string(above) + "/";
  return folder + std::string(relative) + up + rest;
}

std::string Sandbox::as_written(std::string message) const {
  const auto up = std::string(above) + "/";
  const auto here = folder_.string() + std::string(relative);
  for (auto at = message.find(here); at != message.npos; at = message.find(here, at)) {
    message.erase(at, here.size());
    for (; message.compare(at, up.size(), up) == 0; at += 3) message.replace(at, up.size(), "../");
  }
  replace_all(message, folder_.string() + std::string(absolute), "");
  return message;
}

std::vector<std::string> Sandbox::files() const {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder_))
    if (entry.is_regular_file()) files.push_back(as_written(entry.path().string()));
  std::ranges::sort(files, natural_less);
  return files;
}

}  // namespace millrace::inline v1
