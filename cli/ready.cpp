// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/ready.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "millrace/error.hpp"
#include "millrace/nearest.hpp"

namespace millrace::cli {
namespace {

std::vector<ReadyPipeline>& known() {
  static std::vector<ReadyPipeline> pipelines = shipped_pipelines();
  return pipelines;
}

/// Made by a verb, which `names` and hints leave out: it cannot be asked for.
std::vector<ReadyPipeline>& made() {
  static std::vector<ReadyPipeline> pipelines;
  return pipelines;
}

const ReadyPipeline* named(const std::vector<ReadyPipeline>& pipelines, const std::string& name) {
  const auto found = std::ranges::find(pipelines, name, &ReadyPipeline::name);
  return found == pipelines.end() ? nullptr : &*found;
}

/// A folder cannot be meant as a pipeline, and may be what the ready one of its name has written.
/// What cannot be looked at, a circle of links, is told when it is opened.
bool is_there(const std::string& name, bool as_folder_too) {
  struct stat status {};
  if (::stat(name.c_str(), &status) != 0) return errno != ENOENT;
  return as_folder_too || !S_ISDIR(status.st_mode);
}

}  // namespace

std::string ReadyPipeline::summary() const {
  std::string_view line = content;
  line = line.substr(0, line.find('\n'));
  while (line.starts_with('#') || line.starts_with(' ')) line.remove_prefix(1);
  if (line.ends_with('.')) line.remove_suffix(1);
  return std::string(line);
}

const std::vector<ReadyPipeline>& ready_pipelines() { return known(); }

void make_ready(ReadyPipeline pipeline) { made().push_back(std::move(pipeline)); }

std::string worded(const std::string& pipeline, std::string message) {
  const auto* const own = named(made(), pipeline);
  return own && own->in_flags ? own->in_flags(std::move(message)) : message;
}

const ReadyPipeline* ready_pipeline(const std::string& name) {
  if (const auto* const pipeline = named(made(), name)) return pipeline;
  if (name.empty() || name == "-" || name.find_first_of("./") != name.npos || is_there(name, false))
    return nullptr;
  if (const auto* const pipeline = named(known(), name)) return pipeline;
  if (is_there(name, true)) return nullptr;
  std::vector<std::string> names;
  std::string all;
  for (const auto& pipeline : known()) {
    names.push_back(pipeline.name);
    all += (all.empty() ? "" : ", ") + pipeline.name;
  }
  const auto meant = did_you_mean(name, names);
  throw Error(ErrorKind::usage,
              "there is no file '" + name + "' and no ready pipeline of that name" +
                  (meant.empty() ? "" : "; " + meant) + "\nThe ready ones: " + all);
}

}  // namespace millrace::cli
