// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/diagnostics/checked.hpp"
#include "cli/diagnostics/formats.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/verb.hpp"
#include "config/excerpt.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

using Severity = Diagnostic::Severity;

std::string mistakes(std::size_t errors, std::size_t warnings) {
  std::string text = errors > 0 ? counted(errors, "error") : "";
  if (warnings > 0) text += (text.empty() ? "" : ", ") + counted(warnings, "warning");
  return text;
}

/// "; a run needs --set in=...".
std::string to_be_set(const CheckedFile& file) {
  std::string text;
  for (const auto& name : file.to_set)
    text += (text.empty() ? "; a run needs --set " : " --set ") + name + "=...";
  return text;
}

/// "fine, 4 stages", "2 errors, 1 warning", "no pipeline in it".
std::string verdict(const CheckedFile& file) {
  const auto warnings = mistakes(0, file.count(Severity::warning));
  if (!file.is_fine()) return mistakes(file.count(Severity::error), file.count(Severity::warning));
  if (file.pipelines == 0) return "no pipeline in it";
  return "fine, " +
         (file.stages > 0 ? counted(file.stages, "stage") : counted(file.pipelines, "pipeline")) +
         (warnings.empty() ? "" : ", " + warnings) + to_be_set(file);
}

void tell(const CheckedFile& file) {
  const auto text = format_all(file.diagnostics, file.text, wants_colour(STDERR_FILENO));
  std::cerr.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
  std::cout << printable(file.name) << ": " << verdict(file) << "\n" << std::flush;
}

void tell_sum(const std::vector<CheckedFile>& files) {
  if (files.size() < 2) return;
  const auto fine = static_cast<std::size_t>(std::ranges::count_if(files, &CheckedFile::is_fine));
  std::size_t errors = 0, warnings = 0;
  for (const auto& file : files) {
    errors += file.count(Severity::error);
    warnings += file.count(Severity::warning);
  }
  std::cout << counted(files.size(), "file") << ": " << fine << " fine";
  if (fine < files.size())
    std::cout << ", " << files.size() - fine << " with " << mistakes(errors, warnings);
  else if (warnings > 0)
    std::cout << ", " << mistakes(0, warnings);
  std::cout << "\n";
}

struct Check final : Verb {
  std::vector<std::string> files, sets;
  std::string form = "text";

  void arguments(Arguments& a) override {
    a.positional(
         "FILE", files,
         "Pipelines, folders or patterns of them, Markdown with pipelines in ```yaml; - for "
         "standard input")
        .required()
        .completes(Argument::Completion::file);
    a.option("--format", form, "FORMAT", "How mistakes are told")
        .choices({"text", "json", "sarif", "github"});
    declare_sets(a, sets);
  }

  int run() override {
    const auto values = parsed_sets(sets);
    find_plugins();
    std::vector<CheckedFile> checked;
    for (const auto& file : files_meant(files)) {
      checked.push_back(check_file(file, values));
      if (form == "text") tell(checked.back());
    }
    if (form == "text") tell_sum(checked);
    if (form == "json") std::cout << json_of(checked);
    if (form == "sarif") std::cout << sarif_of(checked);
    if (form == "github") std::cout << github_of(checked);
    return std::ranges::all_of(checked, &CheckedFile::is_fine) ? Exit::all_done : Exit::wrong_usage;
  }
};

const RegisterVerb<Check> registered{"check", Verbs::Group::pipelines,
                                     "Tell every mistake in pipeline files",
                                     "millrace check my.yaml --set in=photos\n"
                                     "millrace check . --format github"};

}  // namespace

}  // namespace millrace::cli
