// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/load.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iostream>
#include <map>
#include <optional>
#include <utility>

#include "cli/diagnostics/formats.hpp"
#include "cli/ready.hpp"
#include "config/excerpt.hpp"
#include "millrace/error.hpp"
#include "millrace/plugin.hpp"
#include "process/descriptor.hpp"
#include "stages/support/file_error.hpp"

namespace millrace::cli {
namespace {

bool plugins_are_left_out = false, plugins_are_found = false;

constexpr std::size_t largest_pipeline = std::size_t{16} << 20;

}  // namespace

void PipelineArguments::declare(Arguments& arguments) {
  arguments
      .positional("FILE", file,
                  "A pipeline's YAML file, the name of a ready one, or - for standard input")
      .required()
      .completes(Argument::Completion::pipeline);
  declare_sets(arguments, sets);
}

void declare_sets(Arguments& arguments, std::vector<std::string>& sets) {
  arguments.option("--set", sets, "NAME=VALUE", "A value for one of its vars; may be given again");
}

std::string content_of(const std::string& file) {
  if (const auto* const ready = ready_pipeline(file)) return ready->content;
  const bool is_input = file == "-";
  Descriptor descriptor(is_input ? ::dup(STDIN_FILENO)
                                 : ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  std::string content;
  std::array<char, 65536> buffer;
  while (descriptor) {
    const auto count = ::read(descriptor.get(), buffer.data(), buffer.size());
    if (count == 0) return content;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    content.append(buffer.data(), static_cast<std::size_t>(count));
    if (content.size() > largest_pipeline)
      throw Error(ErrorKind::usage, file + ": a pipeline of more than 16 MiB cannot be meant");
  }
  throw Error(ErrorKind::usage, "cannot read " + file + ": " + reason_of(errno));
}

std::map<std::string, std::string> parsed_sets(const std::vector<std::string>& sets) {
  std::map<std::string, std::string> values;
  for (const auto& set : sets) {
    const auto equals = set.find('=');
    if (equals == set.npos || equals == 0)
      throw Error(ErrorKind::usage, "--set " + set + ": write --set NAME=VALUE");
    const auto name = set.substr(0, equals);
    if (!values.emplace(name, set.substr(equals + 1)).second)
      throw Error(ErrorKind::usage, "--set " + name + " is given twice");
  }
  return values;
}

void leave_out_plugins() { plugins_are_left_out = true; }

bool are_plugins_left_out() { return plugins_are_left_out; }

std::size_t find_plugins() {
  if (plugins_are_left_out || std::exchange(plugins_are_found, true)) return 0;
  return load_manifests().size();
}

std::optional<Plan> load(const PipelineArguments& arguments) {
  const auto sets = parsed_sets(arguments.sets);
  const auto text = content_of(arguments.file);
  find_plugins();
  auto result =
      load_pipeline(text, arguments.file == "-" ? "<standard input>" : arguments.file, sets);
  const auto told = format_all(result.diagnostics, text, wants_colour(STDERR_FILENO));
  std::cerr.write(told.data(), static_cast<std::streamsize>(told.size())).flush();
  return std::move(result.plan);
}

}  // namespace millrace::cli
