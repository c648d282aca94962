// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/probe.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>

#include "millrace/error.hpp"
#include "plugin/trial.hpp"
#include "plugin/trial_memory.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

/// Loading is a matter of milliseconds; this much is for a busy machine and a cold disk.
constexpr std::chrono::seconds patience{10};

fs::path resolved(const fs::path& library) {
  std::error_code ignored;  // what is not there is for the loader to say
  return fs::weakly_canonical(fs::absolute(library), ignored);
}

struct Finding {
  std::string reason;   ///< Not to open it; empty: there is none.
  bool lasting = true;  ///< Until the library changes.
};

/// millrace_probe says "begin", then "good", "bad REASON" where the loader refuses, or "deadly
/// REASON".
Finding open_in_a_process(const fs::path& library) {
  std::string said;
  const auto trial = run_probe({"open", library.string()}, true, patience,
                               [&said](std::string_view line) { said = line; });
  if (said.empty()) return {"it cannot be tried: millrace_probe " + trial.how(patience), false};
  if (trial.well() && said == "good") return {};
  if (said.starts_with("bad ")) return {said.substr(4), false};
  if (said.starts_with("deadly ")) return {said.substr(7), true};
  return {trial.how(patience) + " while it is loaded", trial.by_its_own_fault()};
}

Finding try_one(const fs::path& library, const std::string& identity) {
  auto finding = open_in_a_process(library);
  if (finding.lasting) remember_trial(identity, finding.reason);
  return finding;
}

Finding known_or_tried(const fs::path& library, const std::string& identity) {
  if (auto reason = remembered_trial(identity)) return {std::move(*reason), true};
  return try_one(library, identity);
}

std::optional<std::string> reason_of(Finding finding) {
  return finding.reason.empty() ? std::nullopt : std::optional(std::move(finding.reason));
}

}  // namespace

std::optional<std::string> why_not_to_open(const fs::path& library) {
  static std::mutex mutex;
  static std::map<std::string, Finding> known;  // for what is not remembered beyond this process
  const auto path = resolved(library);
  const auto identity = identity_of(path);
  const std::scoped_lock lock(mutex);                // one trial for all who wait for it
  const auto key = path.string() + "\n" + identity;  // what is not there has no identity
  if (const auto at = known.find(key); at != known.end()) return reason_of(at->second);
  auto finding = known_or_tried(path, identity);
  if (!finding.reason.empty() && finding.lasting)
    finding.reason += "; 'millrace plugins check " + path.string() + "' tries it again";
  return reason_of(known.emplace(key, std::move(finding)).first->second);
}

std::optional<std::string> try_to_open(const fs::path& library) {
  const auto path = resolved(library);
  return reason_of(try_one(path, identity_of(path)));
}

}  // namespace millrace
