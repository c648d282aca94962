// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/plan/settings.hpp"

#include <utility>

#include "config/engine_types.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

template <class T>
std::string print(const T& value) {
  return OptionType<T>::print(value);
}

std::string print(const OnError& on_error) {
  switch (on_error.action) {
    case OnError::Action::carry_on:
      return "continue";
    case OnError::Action::stop:
      return "stop";
    case OnError::Action::limit:
      break;
  }
  return "{ max_failures: " + print(on_error.max_failures) + " }";
}

std::string print(const Retry& retry) {
  const Backoff backoff{retry.first_wait, retry.longest_wait};
  return "{ attempts: " + std::to_string(retry.attempts) + ", backoff: " + print(backoff) + " }";
}

std::string print(const Isolate& isolate) {
  std::string text;
  if (isolate.memory) text = "memory: " + print(ByteSize{*isolate.memory});
  if (isolate.crashes != Isolate().crashes)
    text += (text.empty() ? "" : ", ") + ("crashes: " + std::to_string(isolate.crashes));
  return text.empty() ? "process" : "{ " + text + " }";
}

/// Settings by the names that they are written with.
class Collected {
 public:
  explicit Collected(const Provenances& written) : written_(written) {}

  void add(const std::string& name, std::string value) {
    const auto found = written_.find(name);
    settings_.push_back(
        {name, std::move(value), found == written_.end() ? nullptr : &found->second});
  }
  bool has_variables(const std::string& name) const {
    const auto found = written_.find(name);
    return found != written_.end() && !found->second.uses.empty();
  }
  std::vector<Setting> take() && { return std::move(settings_); }

 private:
  const Provenances& written_;
  std::vector<Setting> settings_;
};

std::string origin_of(const VariableUse& use) {
  const auto name = printable(use.name);
  switch (use.from) {
    case VariableUse::From::vars:
      return "vars " + name + ", line " + std::to_string(use.where.line);
    case VariableUse::From::set:
      return "--set " + name;
    case VariableUse::From::environment:
      return "env " + name;
    case VariableUse::From::fallback:
      break;
  }
  return "no " + name;
}

}  // namespace

std::vector<Setting> options_of(const PlannedStage& stage) {
  Collected collected(stage.options);
  Options options;
  stage.stage->options(options);
  for (const auto& option : options.all())
    if (auto value = option.print(); !value.empty()) collected.add(option.name(), std::move(value));
  return std::move(collected).take();
}

std::vector<Setting> engine_settings_of(const PlannedStage& stage) {
  Collected collected(stage.engine_keys);
  if (collected.has_variables("workers")) collected.add("workers", std::to_string(stage.workers));
  if (collected.has_variables("queue")) collected.add("queue", std::to_string(stage.queue));
  if (stage.timeout) collected.add("timeout", print(*stage.timeout));
  if (stage.retry.attempts > 1) collected.add("retry", print(stage.retry));
  if (stage.rate) collected.add("rate", print(*stage.rate));
  if (stage.on_error) collected.add("on_error", print(*stage.on_error));
  if (stage.isolate) collected.add("isolate", print(*stage.isolate));
  return std::move(collected).take();
}

std::vector<Setting> run_settings_of(const Plan& plan) {
  const RunSettings& run = plan.run;
  const RunSettings usual;
  Collected collected(plan.run_keys);
  if (run.memory) collected.add("memory", print(ByteSize{*run.memory}));
  if (run.in_flight) collected.add("in_flight", std::to_string(*run.in_flight));
  if (run.order == Order::preserve) collected.add("order", "preserve");
  if (run.on_error.action != usual.on_error.action) collected.add("on_error", print(run.on_error));
  if (run.shutdown_timeout != usual.shutdown_timeout)
    collected.add("shutdown_timeout", print(run.shutdown_timeout));
  return std::move(collected).take();
}

std::string origin_of(const Setting& setting) {
  if (!setting.provenance) return "default";
  std::string text;
  for (const auto& use : setting.provenance->uses)
    text += (text.empty() ? "" : "; ") + origin_of(use);
  return text;
}

std::vector<std::string> listed(const std::vector<Setting>& settings, bool lines) {
  std::vector<std::string> pieces;
  for (const auto& setting : settings) {
    auto origin = origin_of(setting);
    if (lines && setting.provenance)
      origin = "line " + std::to_string(setting.provenance->where.line) +
               (origin.empty() ? "" : ": " + origin);
    if (!pieces.empty()) pieces.back() += ",";
    pieces.push_back(setting.name + ": " + printable(setting.value));
    if (!origin.empty()) pieces.back() += " (" + origin + ")";
  }
  return pieces;
}

}  // namespace millrace::cli
