// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/run_watch.hpp"
#include "cli/test_report.hpp"
#include "cli/verb.hpp"
#include "config/prototypes.hpp"
#include "millrace/catalogue.hpp"
#include "stages/support/printable.hpp"
#include "testing/run_test.hpp"

namespace millrace::cli {
namespace {

namespace fs = std::filesystem;

/// A pipeline's file, or those of a folder or pattern.
struct Place {
  std::vector<std::string> files;
  bool is_one = false;  ///< Then it must have tests.
};

Place files_at(const std::string& argument) {
  if (argument == "-" || fs::is_regular_file(argument)) return {{argument}, true};
  auto files = make_stage(*Catalogue::instance().find("files"));
  (void)files.options.find("path")->assign(Value::scalar(argument));
  if (fs::is_directory(argument))
    (void)files.options.find("match")->assign(Value::scalar("*.yaml"));
  Place place;
  try {
    static_cast<const Source&>(*files.stage)
        .list(
            Context(), [&](const Origin& origin) { place.files.push_back(origin.file.string()); },
            [](const Origin&, Error error) { throw error; });
  } catch (const Error& error) {
    std::string_view message = error.what();
    if (message.starts_with("path: ")) message.remove_prefix(6);
    throw Error(ErrorKind::usage, std::string(message));
  }
  return place;
}

struct Test final : Verb {
  std::vector<std::string> places, sets;
  std::string filter, output = "millrace-test", format = "text";
  bool list = false, accept = false;

  void arguments(Arguments& a) override {
    a.positional("FILE", places, "Pipeline files, folders of them, patterns; - for standard input")
        .required()
        .completes(Argument::Completion::file);
    declare_sets(a, sets);
    a.option("--filter", filter, "TEXT", "Only the tests with this in their name");
    a.flag("--list", list, "Say which tests there are, and run none");
    a.flag("--accept", accept, "Make what came the expected pictures and texts; look at it first");
    a.option("--output,-o", output, "FOLDER",
             "Where pictures that differ are shown; millrace-test unless given")
        .completes(Argument::Completion::folder);
    a.option("--format", format, "NAME", "How the results are told; text unless given")
        .choices({"text", "json", "junit"});
  }
  int run() override;

 private:
  void take(const std::string& name, bool must_have_tests);
  void run_one(const TestedFile& file, std::size_t index, const std::string& name);

  std::unique_ptr<TestReport> report_;
  std::size_t found_ = 0;
  bool wrong_ = false;
  int signal_ = 0;
};

int Test::run() {
  find_plugins();
  report_ = make_test_report(format, std::cout);
  for (const auto& argument : places) {
    const auto place = files_at(argument);
    for (const auto& file : place.files)
      if (signal_ == 0) take(file, place.is_one);
  }
  if (signal_ != 0) return 128 + signal_;
  if (found_ == 0 && !wrong_) {
    say(filter.empty()
            ? "millrace test: no file has 'tests'; docs/testing.md says how to write them"
            : "millrace test: no test has '" + filter + "' in its name");
    return Exit::wrong_usage;
  }
  if (!list) report_->end();
  return wrong_ ? Exit::wrong_usage : report_->failed() > 0 ? Exit::some_failed : Exit::all_done;
}

void Test::take(const std::string& name, bool must_have_tests) {
  TestedFile file;
  file.yaml = content_of(name);
  file.name = name == "-" ? "<standard input>" : name;
  file.folder = fs::path(name).parent_path();
  file.sets = parsed_sets(sets);
  const auto loaded = load_with_tests(file.yaml, file.name, file.sets, Catalogue::instance());
  if (!loaded.plan) {
    for (const auto& diagnostic : loaded.diagnostics)
      say_lines(millrace::format(diagnostic, file.yaml));
    wrong_ = true;
    return;
  }
  if (loaded.tests.empty() && must_have_tests) {
    say(file.name + ": there is no 'tests' in it; docs/testing.md says how to write them");
    wrong_ = true;
  }
  bool is_first = true;
  for (std::size_t i = 0; i < loaded.tests.size() && signal_ == 0; ++i) {
    const auto& test = loaded.tests[i].name;
    if (test.find(filter) == test.npos) continue;
    ++found_;
    if (list) {
      std::cout << printable(file.name + ": " + test) << "\n";
      continue;
    }
    if (std::exchange(is_first, false)) report_->begin(file.name);
    run_one(file, i, test);
  }
}

void Test::run_one(const TestedFile& file, std::size_t index, const std::string& name) {
  TestSettings settings;
  settings.output = output;
  settings.accept = accept;
  Progress progress;
  settings.progress = &progress;
  block_signals();
  Live unseen(progress, Showing::nothing, "item");
  RunWatch watch(settings.shutdown, progress, unseen,
                 {.shutdown_timeout = std::chrono::seconds(5)});
  TestResult result;
  result.name = name;
  try {
    result = run_test(file, index, settings);
  } catch (const Error& error) {
    result.errors.emplace_back(error.what());
  }
  watch.stop();
  signal_ = watch.signal();
  if (!result.cancelled) report_->tell(result);
}

const RegisterVerb<Test> registered{
    "test", Verbs::Group::pipelines, "Run the tests that stand in pipeline files",
    "millrace test my.yaml\nmillrace test pipelines --filter portrait --accept"};

}  // namespace

}  // namespace millrace::cli
