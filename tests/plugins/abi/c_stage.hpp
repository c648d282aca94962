// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/abi/host.hpp"
#include "plugin/abi/stage.hpp"
#include "support/catch.hpp"

namespace millrace_test {

using namespace millrace;

inline const mr_host& host() { return abi::host(); }

/// A stage that is described as it should be; bytes to bytes, if nothing else is said.
inline mr_stage described(decltype(mr_stage::process) process, std::uint32_t takes = MR_BYTES,
                          std::uint32_t gives = MR_BYTES) {
  mr_stage stage{};
  stage.struct_size = sizeof stage;
  stage.name = "tried";
  stage.summary = "Be tried.";
  stage.takes = takes;
  stage.gives = gives;
  stage.process = process;
  return stage;
}

inline mr_result pass_on(void*, void*, mr_item* item, mr_payload* input) {
  return host().emit(item, input, 0);
}

inline abi::PluginDescription read(const std::vector<const mr_stage*>& stages) {
  mr_plugin plugin{};
  plugin.struct_size = sizeof plugin;
  plugin.abi_major = MR_ABI_MAJOR;
  plugin.name = "tried";
  plugin.version = "1.0";
  plugin.stage_count = static_cast<std::uint32_t>(stages.size());
  plugin.stages = stages.data();
  return abi::read_plugin(&plugin);
}

inline std::unique_ptr<Stage> made(const mr_stage& stage) {
  return abi::make_stage(read({&stage}).stages.front());
}

/// A stage with settings as YAML has them; none of them may be wrong.
inline std::unique_ptr<Stage> configured(
    std::unique_ptr<Stage> stage,
    const std::vector<std::pair<std::string, std::string>>& settings) {
  Options options;
  stage->options(options);
  for (const auto& [name, text] : settings) {
    auto* const option = options.find(name);
    REQUIRE(option != nullptr);
    REQUIRE_FALSE(option->assign(Value::scalar(text)));
  }
  return stage;
}

inline Bytes bytes_of(const std::string& text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {std::make_shared<const std::vector<std::byte>>(data, data + text.size()), "txt"};
}
inline std::string text_of(const Payload& payload) {
  const auto& data = *std::get<Bytes>(payload).data;
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

/// What came of an item.
struct Worked {
  std::vector<Payload> payloads;
  std::vector<std::optional<std::uint32_t>> pages;
  std::vector<std::string> warnings;
  std::optional<std::string> skipped;
  std::optional<Error> error;

  std::string complaint() const { return error ? error->what() : ""; }
};

inline Worked worked(StageWorker& worker, Payload payload, const Context& root = {},
                     const Origin& origin = {"a/b.txt", {}, 0, {}}) {
  Worked outcome;
  ItemContext context(root, origin);
  try {
    worker.work(context, std::move(payload), [&](Payload made, std::optional<std::uint32_t> page) {
      outcome.payloads.push_back(std::move(made));
      outcome.pages.push_back(page);
    });
  } catch (const Error& error) {
    outcome.error = error;
  }
  outcome.warnings = context.warnings();
  outcome.skipped = context.skipped();
  return outcome;
}
inline Worked worked(const Stage& stage, Payload payload) {
  return worked(*stage.make_worker(Context()), std::move(payload));
}

/// What is said of something that is not read.
template <class Function>
std::string refusal(Function function) {
  try {
    function();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::plugin);
    return error.what();
  }
  return "nothing";
}

}  // namespace millrace_test
