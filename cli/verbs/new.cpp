// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/begin.hpp"
#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/ready.hpp"
#include "cli/verb.hpp"
#include "millrace/catalogue.hpp"
#include "millrace/error.hpp"
#include "millrace/nearest.hpp"
#include "stages/support/file_error.hpp"

namespace millrace::cli {
namespace {

int list() {
  std::size_t width = 0;
  for (const auto& ready : ready_pipelines()) width = std::max(width, ready.name.size());
  std::cout << "Ready pipelines: 'millrace run NAME --set in=FOLDER' runs one, 'millrace new NAME' "
               "prints it\n";
  for (const auto& ready : ready_pipelines())
    std::cout << "  " << left(ready.name, width) << "  "
              << wrapped(ready.summary(), width + 4).substr(width + 4);
  std::string stages;
  for (const auto* const stage : Catalogue::instance().all())
    stages += (stages.empty() ? "" : ", ") + stage->name;
  std::cout << "\nA skeleton of stages: 'millrace new files,resize,write'\n"
            << wrapped(stages, 2) << "\nA plugin: 'millrace new plugin NAME'\n";
  return Exit::all_done;
}

/// One word may be a ready pipeline or a stage.
std::string beginning(const std::string& what) {
  std::vector<std::string> stages, names;
  std::istringstream words(what);
  for (std::string word; std::getline(words, word, ',');)
    if (!word.empty()) stages.push_back(word);
  if (stages.empty()) throw Error(ErrorKind::usage, "new: '" + what + "' names nothing");
  for (const auto& ready : ready_pipelines()) {
    if (stages.size() == 1 && ready.name == what) return ready.content;
    names.push_back(ready.name);
  }
  const auto all = Catalogue::instance().all();
  if (stages.size() == 1 && !Catalogue::instance().find(what) &&
      !Catalogue::instance().why_left_out(what)) {
    for (const auto* const stage : all) names.push_back(stage->name);
    const auto meant = did_you_mean(what, names);
    throw Error(ErrorKind::usage, "new: there is no ready pipeline and no stage '" + what + "'; " +
                                      (meant.empty() ? "'millrace new' lists them" : meant));
  }
  try {
    return pipeline_skeleton(stages);
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, "new " + what + ": " + error.what());
  }
}

struct New final : Verb {
  std::string what, file;

  void arguments(Arguments& a) override {
    a.positional("WHAT", what, "A ready pipeline, or stages; without it, what there is is listed")
        .completes(Argument::Completion::pipeline);
    a.option("--output,-o", file, "FILE", "Write it to a file that is not there yet")
        .completes(Argument::Completion::file);
  }
  int run() override;
};

int New::run() {
  find_plugins();
  if (what.empty()) return list();
  const auto text = beginning(what);
  if (file.empty()) {
    std::cout << text;
    return Exit::all_done;
  }
  std::FILE* const stream = std::fopen(file.c_str(), "wxe");
  if (!stream) throw file_error("new: cannot write " + file, errno);
  const bool is_written = std::fputs(text.c_str(), stream) >= 0;
  if (std::fclose(stream) != 0 || !is_written) throw file_error("new: cannot write " + file, errno);
  return Exit::all_done;
}

const RegisterVerb<New> registered{"new", Verbs::Group::pipelines,
                                   "Begin a pipeline: a ready one, or a skeleton of stages",
                                   "millrace new thumbnails > mine.yaml\n"
                                   "millrace new files,resize,write > mine.yaml"};

}  // namespace
}  // namespace millrace::cli
