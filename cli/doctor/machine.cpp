// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "cli/doctor/check.hpp"
#include "concurrency/effective_cpus.hpp"
#include "concurrency/effective_memory.hpp"
#include "millrace/option.hpp"
#include "plugin/place.hpp"

namespace millrace::cli {
namespace {

using Verdict = Check::Verdict;

constexpr rlim_t few_files = 256;  // under which stages that wait have fewer workers than usual
constexpr rlim_t enough_files = 4096;
constexpr std::uint64_t little_memory = std::uint64_t{512} << 20;  // a scan of 600 dpi in colour

Check machine(std::string what, std::string state) {
  return {"Machine", std::move(what), Verdict::good, std::move(state), {}, {}};
}

Check cpus() {
  const auto count = effective_cpus();
  const auto there = static_cast<std::size_t>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L));
  std::string state = std::to_string(count);
  if (count < there) state += " of the " + std::to_string(there) + " that are there";
  if (const auto quota = cgroup_cpu_quota())
    state += ", by a quota of " + OptionType<double>::print(*quota);
  return machine("CPUs", state);
}

std::string amount(std::uint64_t bytes) { return std::to_string(bytes >> 20) + "MiB"; }

Check memory() {
  const auto bytes = effective_memory();
  Check check = machine(
      "memory", amount(bytes) + (cgroup_memory_limit() ? ", by a limit on this process" : "") +
                    "; items under way get half of it unless a pipeline says otherwise");
  if (bytes >= little_memory) return check;
  check.verdict = Verdict::weak;
  check.problem = "large scans may not fit into less than " + amount(little_memory);
  return check;
}

Check open_files() {
  struct rlimit limit {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const auto text = [](rlim_t files) {
    return files == RLIM_INFINITY ? std::string("no limit") : std::to_string(files);
  };
  Check check = machine("open files", text(limit.rlim_cur));
  if (limit.rlim_cur >= few_files) return check;
  check.verdict = Verdict::weak;
  check.problem = "with so few, stages that wait have fewer workers than they should";
  check.remedy = "ulimit -n " + text(std::min(limit.rlim_max, enough_files));
  if (limit.rlim_max <= limit.rlim_cur) check.remedy.clear();
  return check;
}

/// Names are bytes to Millrace; what a terminal makes of them depends on this.
Check locale() {
  std::string name;
  for (const char* const variable : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* const value = std::getenv(variable); value && *value && name.empty())
      name = value;
  Check check = machine("locale", name.empty() ? "C" : name);
  std::string folded;
  for (const char c : name)
    if (c != '-') folded += static_cast<char>(c | 0x20);
  if (folded.find("utf8") != folded.npos) return check;
  check.verdict = Verdict::weak;
  check.problem = "other programs may show names and texts wrongly that are not ASCII";
  check.remedy = "export LC_ALL=C.UTF-8";
  return check;
}

/// Its own, which it starts itself.
Check program(const std::string& name, const std::string& what_for) {
  const auto path = own_folder() / name;
  Check check{"Millrace", name, Verdict::good, path.string(), {}, {}};
  if (::access(path.c_str(), X_OK) == 0) return check;
  check.verdict = Verdict::weak;
  check.problem = "is not there, so " + what_for;
  check.remedy = "cmake --install build/release --prefix DIR";
  return check;
}

}  // namespace

std::vector<Check> check_machine() {
  return {cpus(),
          memory(),
          open_files(),
          locale(),
          program("millrace_worker", "no stage can have 'isolate'"),
          program("millrace_probe", "plugins are opened untried")};
}

}  // namespace millrace::cli
