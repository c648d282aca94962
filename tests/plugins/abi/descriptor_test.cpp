// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>

#include "plugins/abi/c_stage.hpp"

using namespace millrace_test;

namespace {

/// What is said of a stage in which one thing is changed.
std::string of_stage(const std::function<void(mr_stage&)>& change) {
  mr_stage stage = described(pass_on);
  change(stage);
  return refusal([&] { read({&stage}); });
}

/// The same of a plugin.
std::string of_plugin(const std::function<void(mr_plugin&)>& change) {
  const mr_stage stage = described(pass_on);
  const mr_stage* const stages[] = {&stage};
  mr_plugin plugin{};
  plugin.struct_size = sizeof plugin;
  plugin.abi_major = MR_ABI_MAJOR;
  plugin.name = "tried";
  plugin.version = "1.0";
  plugin.stage_count = 1;
  plugin.stages = stages;
  change(plugin);
  return refusal([&] { abi::read_plugin(&plugin); });
}

mr_result no_list(void*, mr_listing*) { return MR_OK; }
void no_destroy(void*) {}

}  // namespace

TEST_CASE("a C plugin that is as it should be is read", "[plugin][abi]") {
  mr_stage stage = described(pass_on, MR_BYTES | MR_TEXT, MR_BYTES);
  stage.flags = MR_SPLITS;
  stage.load = MR_LOAD_IO;
  stage.role = MR_ROLE_CONVERTER;
  const auto plugin = read({&stage});
  REQUIRE(plugin.stages.size() == 1);
  CHECK(plugin.stages[0]->takes == std::vector{PayloadKind::bytes, PayloadKind::text});
  CHECK(plugin.stages[0]->gives == PayloadKind::bytes);
  CHECK(plugin.stages[0]->role == Role::converter);
  const auto made = abi::make_stage(plugin.stages[0]);
  CHECK(made->splits());
  CHECK(made->load() == Load::io);
  CHECK(made->concurrency() == Concurrency::parallel);
}

TEST_CASE("each fault of a plugin's description is told in one line", "[plugin][abi]") {
  CHECK(refusal([] { abi::read_plugin(nullptr); }) == "millrace_plugin_v1 returned null");
  CHECK_THAT(of_plugin([](auto& p) { p.struct_size = 12; }), ContainsSubstring("shorter than the"));
  CHECK(of_plugin([](auto& p) { p.abi_major = 2; }) ==
        "built for version 2.0 of the plugin interface, this Millrace has 1.0");
  CHECK(of_plugin([](auto& p) { p.abi_minor = 9; }) ==
        "built for version 1.9 of the plugin interface, this Millrace has 1.0: build it with "
        "MR_ABI_MINOR 0 or less");
  CHECK(of_plugin([](auto& p) { p.name = nullptr; }) == "lacks its name: it is null");
  CHECK(of_plugin([](auto& p) { p.version = " "; }) == "lacks its version: it is empty");
  CHECK(of_plugin([](auto& p) { p.stage_count = 0; }) == "has 0 stages; 1 to 1024 are allowed");
  CHECK(of_plugin([](auto& p) { p.stages = nullptr; }) == "lacks its stages: they are null");
}

TEST_CASE("each fault of a stage's description is told with the stage's name", "[plugin][abi]") {
  CHECK_THAT(of_stage([](auto& s) { s.struct_size = 24; }),
             ContainsSubstring("stage 1: its mr_stage of 24 bytes is shorter than"));
  CHECK(of_stage([](auto& s) { s.name = "Not good"; }) ==
        "stage 1: its name is 'Not good'; a name has at most 64 of a-z, 0-9 and _, and begins with "
        "a letter");
  CHECK(of_stage([](auto& s) { s.summary = "two\nlines"; }) ==
        "stage 'tried': its summary is not one line of UTF-8");
  CHECK_THAT(of_stage([](auto& s) { s.takes = 64; }),
             ContainsSubstring("takes is 64, which holds an unknown kind; there are MR_BYTES"));
  CHECK_THAT(of_stage([](auto& s) { s.gives = MR_TEXT | MR_IMAGE; }),
             ContainsSubstring("gives more than one kind"));
  CHECK_THAT(of_stage([](auto& s) { s.mode = 4; }), ContainsSubstring("mode is 4; there are MR_"));
  CHECK_THAT(of_stage([](auto& s) { s.load = -1; }), ContainsSubstring("load is -1; there are"));
  CHECK_THAT(of_stage([](auto& s) { s.role = 3; }), ContainsSubstring("role is 3; there are"));
  CHECK_THAT(of_stage([](auto& s) { s.role = MR_ROLE_DECODER; }),
             ContainsSubstring("is a decoder, so it must take MR_BYTES and give MR_IMAGE"));
  CHECK_THAT(of_stage([](auto& s) { s.flags = 2; }), ContainsSubstring("flags is 2; there are"));
}

TEST_CASE("functions that are missing or too many are told by their names", "[plugin][abi]") {
  CHECK(of_stage([](auto& s) { s.process = nullptr; }) ==
        "stage 'tried': takes something, but process is null");
  CHECK(of_stage([](auto& s) { s.list = no_list; }) ==
        "stage 'tried': takes something, so it has no list");
  CHECK(of_stage([](auto& s) { s.takes = 0; }) ==
        "stage 'tried': is a source (takes is 0), but list is null");
  CHECK(of_stage([](auto& s) { s.destroy = no_destroy; }) ==
        "stage 'tried': has destroy, but create is null");
  CHECK(of_stage([](auto& s) {
          s.mode = MR_PER_WORKER;
          s.worker_create = [](void*, void**) -> mr_result { return MR_OK; };
          s.worker_destroy = [](void*, void*) {};
        }) == "stage 'tried': has worker_create, which is for mode MR_PARALLEL only");
  const mr_stage one = described(pass_on);
  CHECK(refusal([&] { read({&one, &one}); }) == "has two stages named 'tried'");
  CHECK(refusal([&] { read({&one, nullptr}); }) == "stage 2: is null");
}

TEST_CASE("a plugin of a later minor may have longer structs", "[plugin][abi]") {
  struct Longer {
    mr_stage stage;
    const void* later;
  } longer{described(pass_on), nullptr};
  longer.stage.struct_size = sizeof longer;
  CHECK(read({&longer.stage}).stages.size() == 1);
}
