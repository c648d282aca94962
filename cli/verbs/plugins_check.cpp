// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/verb.hpp"
#include "millrace/error.hpp"
#include "millrace/option.hpp"
#include "plugin/manifest.hpp"
#include "plugin/probe.hpp"
#include "plugin/trial.hpp"
#include "plugin/trust.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

namespace fs = std::filesystem;

/// One line for each check, written as it ends.
class Verdicts {
 public:
  void hear(std::string_view line) {
    const auto blank = line.find(' ');
    const auto word = line.substr(0, blank);
    const auto rest = blank == line.npos ? std::string_view() : line.substr(blank + 1);
    if (word == "begin")
      check_ = rest;
    else if (word == "end")
      complete_ = true;
    else
      tell(word == "ok" ? "ok" : word == "skipped" ? "skipped" : "FAILED", rest);
  }
  /// `how` the process ended, which is a failure where it was not through yet.
  void end(const std::string& how) {
    if (!complete_) tell("FAILED", "the plugin " + how);
  }
  std::size_t failed() const { return failed_; }

 private:
  void tell(std::string_view verdict, std::string_view why) {
    if (verdict == "FAILED") ++failed_;
    std::cout << left(verdict, 9) << printable(check_) << (why.empty() ? "" : ": " + printable(why))
              << std::endl;
  }

  std::string check_ = "it is tried";
  std::size_t failed_ = 0;
  bool complete_ = false;
};

/// What can be told without opening it, and then whether a process of its own survives that.
std::string why_not_to_check(const fs::path& library) try {
  std::error_code failed;
  if (fs::is_directory(library, failed)) return "it is a folder; name a plugin's library in it";
  if (!fs::is_regular_file(library, failed)) return "there is no such file";
  for (const auto& path : {fs::absolute(library).parent_path(), library})
    if (auto distrusted = distrust(path)) return *distrusted;
  const auto manifest = manifest_path(library);
  if (fs::exists(manifest, failed))
    if (auto misfit = Manifest::read(manifest).misfit()) return *misfit;
  return try_to_open(library).value_or("");
} catch (const Error& error) {
  return error.what();
}

/// At least a second, since the first thing that it does is to start a process.
std::chrono::seconds parsed_patience(const std::string& text) {
  Duration time{};
  const auto complaint = OptionType<Duration>::parse(Value::scalar(text), time);
  if (complaint) throw Error(ErrorKind::usage, "plugins check: --timeout: " + *complaint);
  if (time < std::chrono::seconds(1) || time > std::chrono::hours(24))
    throw Error(ErrorKind::usage, "plugins check: --timeout: " + text + " is outside 1s..24h");
  return std::chrono::ceil<std::chrono::seconds>(time);
}

struct PluginsCheck final : Verb {
  std::string file;
  std::string timeout = "30s";

  void arguments(Arguments& a) override {
    a.positional("FILE", file, "The plugin's library, or its manifest")
        .required()
        .completes(Argument::Completion::file);
    a.option("--timeout", timeout, "TIME", "How long it may be silent, such as 2m (30s)");
  }
  int run() override;
};

int PluginsCheck::run() {
  const auto patience = parsed_patience(timeout);
  fs::path library = file;
  if (library.extension() == ".manifest") library = Manifest::read(library).library;
  if (const auto reason = why_not_to_check(library); !reason.empty()) {
    std::cout << "FAILED   it can be opened: " << printable(reason) << "\n";
    return Exit::some_failed;
  }
  Verdicts verdicts;
  const auto trial = run_probe({"check", fs::absolute(library).string()}, false, patience,
                               [&verdicts](std::string_view line) { verdicts.hear(line); });
  verdicts.end(trial.how(patience));
  std::cout << (verdicts.failed() == 0 ? "\nIt keeps the rules.\n"
                                       : "\n" + counted(verdicts.failed(), "check") + " failed.\n");
  return verdicts.failed() == 0 ? Exit::all_done : Exit::some_failed;
}

const RegisterVerb<PluginsCheck> registered{"plugins check", Verbs::Group::program,
                                            "Try in a process of its own what a plugin does",
                                            "millrace plugins check build/plugins/sepia.so"};

}  // namespace
}  // namespace millrace::cli
