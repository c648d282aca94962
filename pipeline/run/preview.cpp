// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/preview.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <utility>

#include "run/admission.hpp"
#include "run/error_policy.hpp"
#include "run/listing.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::size_t failures_shown = 5;
// Estimates cost an open file each. What takes most is among the largest files, or, as an empty
// page that packs well, as likely among the others as anywhere.
constexpr std::size_t largest_estimated = 512;
constexpr std::size_t others_estimated = 512;

std::uint64_t size_of(const Origin& origin) {
  struct stat status {};
  if (origin.file.empty() || ::stat(origin.file.c_str(), &status) != 0) return 0;
  return static_cast<std::uint64_t>(status.st_size);
}

class Previewing {
 public:
  Previewing(const Plan& plan, const Context& context) : plan_(plan), context_(context) {}

  Preview make() {
    std::map<std::size_t, Error> refused;
    inputs_ = list_inputs(plan_, context_, &refused);
    context_.check();
    look_at_inputs(refused);
    estimate();
    for (auto& [stage, forecast] : forecast_outputs(plan_, inputs_))
      preview_.outputs.push_back({stage, std::move(forecast), takes_failures(stage)});
    gather_errors(refused);
    return std::move(preview_);
  }

 private:
  void look_at_inputs(const std::map<std::size_t, Error>& refused) {
    std::map<std::size_t, Preview::Input*> of_stage;
    for (std::size_t i = 0; i < plan_.stages.size(); ++i)
      if (plan_.stages[i].inputs.empty()) preview_.inputs.emplace_back().stage = i;
    for (auto& input : preview_.inputs) {
      input.refused = refused.contains(input.stage);
      of_stage[input.stage] = &input;
    }
    ErrorPolicy policy(plan_, inputs_.size());
    for (const auto& listed : inputs_) {
      context_.check();
      auto& input = *of_stage[listed.source];
      if (listed.failure) {
        add_failure(input, listed);
        preview_.stopped_by_on_error |= policy.stops_at(listed.source, true);
        continue;
      }
      const auto bytes = size_of(listed.origin);
      input.items.add(listed.origin.label());
      input.bytes += bytes;
      sizes_.emplace_back(bytes, &listed);
    }
  }

  void add_failure(Preview::Input& input, const Listed& listed) {
    ++preview_.failed;
    if (input.failed++ < failures_shown)
      input.failures.push_back(listed.origin.label() + ": " + listed.failure->what());
  }

  void estimate() {
    preview_.memory.budget = memory_size(plan_);
    preview_.memory.window = window_size(plan_);
    const auto most = std::min(sizes_.size(), largest_estimated);
    const auto others = sizes_.begin() + static_cast<std::ptrdiff_t>(most);
    std::ranges::nth_element(sizes_, others, std::greater(), &Sized::first);
    for (auto item = sizes_.begin(); item != others; ++item) estimate(*item->second);
    const auto rest = sizes_.size() - most;
    const auto count = std::min(rest, others_estimated);
    for (std::size_t i = 0; i < count; ++i) estimate(*sizes_[most + i * rest / count].second);
  }

  void estimate(const Listed& listed) {
    context_.check();
    const auto& source = static_cast<const Source&>(*plan_.stages[listed.source].stage);
    const auto bytes = source.memory(listed.origin);
    auto& memory = preview_.memory;
    ++memory.estimated;
    if (bytes <= memory.largest) return;
    memory.largest = bytes;
    memory.largest_item = listed.origin.label();
  }

  /// Whether all that comes to a stage are inputs that failed.
  bool takes_failures(std::size_t stage) const {
    const auto& planned = plan_.stages[stage];
    return planned.takes_failures || (!planned.inputs.empty() &&
                                      std::ranges::all_of(planned.inputs, [this](std::size_t from) {
                                        return takes_failures(from);
                                      }));
  }

  void gather_errors(const std::map<std::size_t, Error>& refused) {
    std::string complaints;
    const auto add = [&](const std::string& text) {
      complaints += (complaints.empty() ? "" : "\n") + text;
    };
    for (const auto& [stage, error] : refused) add(error.what());
    for (const auto& output : preview_.outputs)
      for (const auto& complaint : output.forecast.complaints)
        add(plan_.stages[output.stage].id + ": " + complaint);
    if (complaints.empty()) return;
    preview_.error.emplace(refused.empty() ? ErrorKind::config : refused.begin()->second.kind(),
                           complaints);
  }

  using Sized = std::pair<std::uint64_t, const Listed*>;

  const Plan& plan_;
  const Context& context_;
  Preview preview_;
  std::vector<Listed> inputs_;
  std::vector<Sized> sizes_;
};

}  // namespace

std::size_t Preview::Memory::at_once() const noexcept {
  if (largest == 0) return window;
  return std::clamp<std::uint64_t>(budget / largest, 1, window);
}

Preview preview(const Plan& plan, const Context& context) {
  return Previewing(plan, context).make();
}

}  // namespace millrace::inline v1
