// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <string>

#include "cli/doctor/check.hpp"
#include "millrace/catalogue.hpp"
#include "millrace/error.hpp"
#include "plugin/find.hpp"

namespace millrace::cli {
namespace {

using Verdict = Check::Verdict;

/// A stage that a build may lack.
struct Optional {
  const char* stage;
  Verdict without;
  const char* problem;
  const char* remedy;
};

constexpr std::array optional_stages{
    Optional{"ocr", Verdict::bad,
             "no plugin has it, so no text can be read; build Millrace again with",
             "apt-get install libtesseract-dev tesseract-ocr-eng"},
    Optional{"opencv_decode", Verdict::weak,
             "no plugin has it, so BMP, JPEG 2000 and PNM are not read; build Millrace again with",
             "apt-get install libopencv-imgcodecs-dev"}};

/// Of somebody's plugin no main job depends.
Verdict verdict_on(const Catalogue::Entry& entry) {
  const auto known = std::ranges::find(optional_stages, entry.name, &Optional::stage);
  if (known != optional_stages.end()) return known->without;
  return entry.plugin.empty() ? Verdict::bad : Verdict::weak;
}

void check(const Catalogue::Entry& entry, std::vector<Check>& checks) try {
  for (auto& found : entry.make()->diagnose())
    checks.push_back({entry.name, std::move(found.what),
                      found.problem.empty() ? Verdict::good : verdict_on(entry),
                      std::move(found.state), std::move(found.problem), std::move(found.remedy)});
} catch (const Error& error) {
  checks.push_back({entry.name, "the plugin", verdict_on(entry), {}, error.what(), {}});
}

Check check(const FoundPlugin& plugin) {
  const auto& manifest = plugin.manifest;
  std::string stages;
  for (const auto& stage : manifest.stages) stages += (stages.empty() ? "" : ", ") + stage.name;
  const auto state = plugin.problem.empty() ? "has " + stages : plugin.file.string();
  return {"Plugins",
          plugin.file.stem().string(),
          plugin.problem.empty() ? Verdict::good : Verdict::weak,
          state,
          plugin.problem,
          {}};
}

}  // namespace

std::vector<Check> check_stages() {
  std::vector<Check> checks;
  const auto& catalogue = Catalogue::instance();
  for (const auto* const entry : catalogue.all()) check(*entry, checks);
  for (const auto& lacking : optional_stages)
    if (!catalogue.find(lacking.stage))
      checks.push_back(
          {lacking.stage, "stage", lacking.without, {}, lacking.problem, lacking.remedy});
  return checks;
}

std::vector<Check> check_plugins() {
  std::vector<Check> checks;
  for (const auto& plugin : list_plugins()) checks.push_back(check(plugin));
  return checks;
}

}  // namespace millrace::cli
