// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// What a plugin's source says of its items' memory, by the extension for it.

#include <atomic>
#include <cstring>

#include "millrace/run.hpp"
#include "plugins/abi/c_stage.hpp"
#include "run/fakes.hpp"
#include "support/eventually.hpp"

using namespace millrace_test;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t items = 24;

std::string asked_of;
std::uint64_t bytes_of_item(const char* stage, const char* path, const char*) {
  asked_of = stage;
  return 20 + static_cast<std::uint64_t>(std::strlen(path)) * 5;  // 25, and 30 from "10" on
}

mr_extension_source_memory memory{sizeof memory, bytes_of_item};

mr_stage source() {
  mr_stage stage = described(nullptr, 0, MR_BYTES);
  stage.load = MR_LOAD_IO;
  stage.list = [](void*, mr_listing* listing) -> mr_result {
    for (std::size_t i = 0; i < items; ++i)
      host().list_item(listing, std::to_string(i).c_str(), nullptr);
    return MR_OK;
  };
  stage.open = [](void*, void*, mr_item* item) -> mr_result {
    void* data = nullptr;
    mr_payload* made = nullptr;
    host().bytes_new(item, 0, "txt", &data, &made);
    return host().emit(item, made, 0);
  };
  return stage;
}

/// The source as one of a plugin that has the extension.
std::unique_ptr<Stage> with_extension(const mr_stage& stage) {
  const mr_stage* const stages[] = {&stage};
  mr_plugin plugin{};
  plugin.struct_size = sizeof plugin;
  plugin.abi_major = MR_ABI_MAJOR;
  plugin.name = "tried";
  plugin.version = "1.0";
  plugin.stage_count = 1;
  plugin.stages = stages;
  plugin.extension = [](const char* id, std::uint32_t revision) -> const void* {
    return revision == 1 && std::string_view(id) == MR_EXTENSION_SOURCE_MEMORY ? &memory : nullptr;
  };
  return abi::make_stage(abi::read_plugin(&plugin).stages.front());
}

/// The most items that were under way at once in a run with 100 bytes; the first wait for three.
int most_at_once(std::unique_ptr<Stage> from) {
  Plan plan;
  std::atomic<int> under_way = 0, most = 0;
  const auto first = add(plan, "source", std::move(from), {}, 6);
  auto work = [&](ItemContext& context, Payload, const Emit&) {
    const int now = ++under_way;
    for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
    }
    eventually([&] { return most >= 3; });
    context.sleep_for(1ms);
    --under_way;
  };
  add(plan, "work", work, {first}, 6, 6);
  plan.run.memory = 100;
  CHECK(run(plan).done == items);
  return most;
}

}  // namespace

TEST_CASE("a C source's items are let in by the memory that it tells of them",
          "[plugin][abi][memory]") {
  const mr_stage stage = source();
  const int most = most_at_once(with_extension(stage));
  CHECK(most >= 3);
  CHECK(most <= 4);  // of 25 bytes, or 3 of 30
  CHECK(asked_of == "tried");
}

TEST_CASE("an extension for memory without its function is refused", "[plugin][abi][memory]") {
  const mr_stage stage = source();
  memory.bytes = nullptr;
  CHECK(refusal([&] { with_extension(stage); }) ==
        "the function of its extension millrace.source_memory is null");
  memory.bytes = bytes_of_item;
  memory.struct_size = 4;
  CHECK_THAT(refusal([&] { with_extension(stage); }),
             ContainsSubstring("its mr_extension_source_memory of 4 bytes is shorter than"));
  memory.struct_size = sizeof memory;
}
