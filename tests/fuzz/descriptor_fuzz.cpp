// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// A C plugin's description whose numbers, texts and option schema are the input's. What is accepted
// is a stage whose options can be declared, printed and assigned.

#include <array>
#include <cstdlib>
#include <cstring>

#include "driver.hpp"
#include "millrace/error.hpp"
#include "plugin/abi/stage.hpp"

using namespace millrace;

namespace {

mr_result process(void*, void*, mr_item*, mr_payload*) { return MR_OK; }
mr_result list(void*, mr_listing*) { return MR_OK; }
mr_result open(void*, void*, mr_item*) { return MR_OK; }
mr_result create(void*, const mr_options*, void**) { return MR_OK; }
void destroy(void*) {}

/// Takes an input apart; what is behind its end is 0 and "".
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}

  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(rest_.front());
    rest_.erase(0, 1);
    return first;
  }
  /// Up to the next 0 byte.
  std::string text() {
    std::string text = rest_.substr(0, rest_.find('\0'));
    rest_.erase(0, text.size() + 1);
    return text;
  }

 private:
  std::string rest_;
};

void use(const abi::PluginDescription& plugin) {
  for (const auto& description : plugin.stages) {
    const auto stage = abi::make_stage(description);
    Options options;
    stage->options(options);
    for (const auto& spec : description->options) {
      Option* const option = options.find(spec.name);
      if (!option) std::abort();
      const std::string printed = option->print();
      if (spec.preset.kind != Value::Kind::null && option->assign(spec.preset)) std::abort();
      if (option->print() != printed) std::abort();
      option->assign(Value::scalar(spec.description));
      option->allowed();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  mr_stage stage{};
  // Near what they should be: anything further off is refused by the first check.
  stage.struct_size = static_cast<std::uint32_t>(sizeof stage) + input.byte() - 8U;
  stage.takes = input.byte();
  stage.gives = input.byte();
  stage.mode = static_cast<std::int8_t>(input.byte());
  stage.load = static_cast<std::int8_t>(input.byte());
  stage.role = static_cast<std::int8_t>(input.byte());
  stage.flags = input.byte();
  const std::uint8_t functions = input.byte();
  if (functions & 1) stage.process = process;
  if (functions & 2) stage.list = list;
  if (functions & 4) stage.open = open;
  if (functions & 8) stage.create = create;
  if (functions & 16) stage.destroy = destroy;
  // Read no further than the struct goes, whatever its size says.
  std::array<char, sizeof stage + 256> place{};
  std::memcpy(place.data(), &stage, sizeof stage);
  const std::string name = input.text(), summary = input.text(), schema = input.text();
  auto& placed = *reinterpret_cast<mr_stage*>(place.data());
  placed.name = name.c_str();
  placed.summary = summary.c_str();
  placed.options = functions & 32 ? nullptr : schema.c_str();
  const mr_stage* const stages[] = {&placed};
  mr_plugin plugin{};
  plugin.struct_size = sizeof plugin;
  plugin.abi_major = MR_ABI_MAJOR;
  plugin.name = plugin.version = name.c_str();
  plugin.stage_count = 1;
  plugin.stages = stages;
  try {
    use(abi::read_plugin(&plugin));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::plugin) std::abort();
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  using namespace std::string_literals;
  return {
      "\x08\x02\x02\0\0\0\0\x19tried\0Be tried.\0"s +
          R"({"type": "object", "properties": {"level": {"type": "integer", "default": 3,
             "minimum": 0, "maximum": 9, "unit": "steps", "description": "How much."}}})",
      "\x08\x02\x02\0\0\0\0\x19tried\0Be tried.\0"s +
          R"({"type": "object", "required": ["a"], "properties": {
             "a": {"type": "string", "description": "A."},
             "b": {"type": "boolean", "default": true, "description": "B."},
             "c": {"type": "number", "default": 1e-3, "description": "C."},
             "d": {"type": "string", "enum": ["x", "y"], "default": "x", "description": "\u0044."},
             "e": {"type": "array", "items": {"type": "string"}, "default": ["p", "q r"],
                   "description": "E."}}})",
      "\x08\0\x01\x03\x01\0\0\x06tried\0Be tried.\0"s + R"({"type": "object"})",
  };
}
