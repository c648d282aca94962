// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/abi/descriptor.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "config/diagnostics.hpp"
#include "config/utf8.hpp"
#include "plugin/abi/names.hpp"
#include "plugin/abi/values.hpp"

namespace millrace::abi {
namespace {

constexpr std::uint32_t most_stages = 1024;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::plugin, what); }

/// The size of each struct in version 1.0, which no plugin may fall short of.
template <class T>
constexpr std::size_t first_size = sizeof(T);

/// A struct as this host knows it: what the plugin's does not have is zero.
template <class T>
T copy_of(const T* from, const std::string& what) {
  std::uint32_t size = 0;
  std::memcpy(&size, from, sizeof size);
  if (size < first_size<T>)
    refuse(what + " of " + std::to_string(size) + " bytes is shorter than the " +
           std::to_string(first_size<T>) + " of version 1.0; set struct_size to sizeof");
  T copy{};
  std::memcpy(&copy, from, std::min<std::size_t>(size, sizeof copy));
  return copy;
}

/// A text of one line that can be shown to anybody.
std::string line_of(const char* text, const std::string& what) {
  if (!text) refuse("lacks its " + what + ": it is null");
  const std::string line = text;
  if (line.find_first_not_of(' ') == line.npos) refuse("lacks its " + what + ": it is empty");
  for (std::size_t at = 0; at < line.size();) {
    const auto next = read_utf8(line, at);
    if (next.size == 0 || next.value < 0x20 || is_unprintable(next.value))
      refuse("its " + what + " is not one line of UTF-8");
    at += next.size;
  }
  return line;
}

std::vector<PayloadKind> kinds_of(std::uint32_t set, const std::string& what) {
  constexpr std::uint32_t all = MR_BYTES | MR_IMAGE | MR_TEXT;
  if ((set & ~all) != 0)
    refuse(what + " is " + std::to_string(set) +
           ", which holds an unknown kind; there are MR_BYTES, MR_IMAGE and MR_TEXT");
  std::vector<PayloadKind> kinds;
  for (const auto& [bit, kind] :
       {std::pair(MR_BYTES, PayloadKind::bytes), std::pair(MR_IMAGE, PayloadKind::image),
        std::pair(MR_TEXT, PayloadKind::text)})
    if (set & static_cast<std::uint32_t>(bit)) kinds.push_back(kind);
  return kinds;
}

void check_range(std::int64_t value, std::int64_t most, const std::string& what,
                 const std::string& names) {
  if (value < 0 || value > most)
    refuse(what + " is " + std::to_string(value) + "; there are " + names);
}

void check_pair(bool makes, bool ends, const std::string& maker, const std::string& ender) {
  if (makes != ends)
    refuse("has " + (makes ? maker : ender) + ", but " + (makes ? ender : maker) + " is null");
}

void check_functions(const mr_stage& stage) {
  const bool is_source = stage.takes == 0;
  const auto wants = [&](bool has, bool should, const std::string& name) {
    const std::string kind = is_source ? "is a source (takes is 0)" : "takes something";
    if (has != should)
      refuse(kind + (should ? ", but " + name + " is null" : ", so it has no " + name));
  };
  wants(stage.list != nullptr, is_source, "list");
  wants(stage.open != nullptr, is_source, "open");
  wants(stage.process != nullptr, !is_source, "process");
  check_pair(stage.create != nullptr, stage.destroy != nullptr, "create", "destroy");
  check_pair(stage.worker_create != nullptr, stage.worker_destroy != nullptr, "worker_create",
             "worker_destroy");
  if (stage.worker_create && stage.mode != MR_PARALLEL)
    refuse("has worker_create, which is for mode MR_PARALLEL only");
}

void read_options(StageDescription& stage) try {
  if (stage.c.options) stage.options = read_schema(stage.c.options);
  const OptionValues defaults(stage.options);  // throws where one is wrong
} catch (const Error& error) {
  throw error.in("options");
}

void read_body(StageDescription& stage) {
  const mr_stage& c = stage.c;
  stage.summary = line_of(c.summary, "summary");
  check_range(c.role, MR_ROLE_DECODER, "role",
              "MR_ROLE_STAGE, MR_ROLE_CONVERTER and MR_ROLE_DECODER");
  stage.role = static_cast<Role>(c.role);  // the same names in the same order
  stage.takes = kinds_of(c.takes, "takes");
  const auto gives = kinds_of(c.gives, "gives");
  if (gives.size() > 1) refuse("gives more than one kind");
  if (!gives.empty()) stage.gives = gives.front();
  if (stage.takes.empty() && !stage.gives) refuse("takes nothing and gives nothing");
  if (stage.role == Role::converter && (stage.takes.empty() || !stage.gives))
    refuse("is a converter, so it must take something and give something");
  if (stage.role == Role::decoder && (c.takes != MR_BYTES || c.gives != MR_IMAGE))
    refuse("is a decoder, so it must take MR_BYTES and give MR_IMAGE");
  check_range(c.mode, MR_SERIAL_ORDERED, "mode",
              "MR_PARALLEL, MR_PER_WORKER, MR_SERIAL_UNORDERED and MR_SERIAL_ORDERED");
  check_range(c.load, MR_LOAD_IO, "load", "MR_LOAD_CPU and MR_LOAD_IO");
  stage.load = c.load == MR_LOAD_IO ? Load::io : Load::cpu;
  check_range(c.flags, MR_SPLITS, "flags", "0 and MR_SPLITS");
  stage.splits = (c.flags & MR_SPLITS) != 0;
  check_functions(c);
  read_options(stage);
}

StageDescription read_stage(const mr_stage* from, std::uint32_t number) {
  const std::string which = "stage " + std::to_string(number);
  if (!from) refuse(which + ": is null");
  StageDescription stage;
  stage.c = copy_of(from, which + ": its mr_stage");
  if (!stage.c.name || !is_name(stage.c.name))
    refuse(which + ": its name is " +
           (stage.c.name ? quote(line_of(stage.c.name, "name")) : "null") + "; a name has " +
           std::string(name_rule));
  stage.name = stage.c.name;
  try {
    read_body(stage);
  } catch (const Error& error) {
    throw error.in("stage " + quote(stage.name));
  }
  return stage;
}

const mr_extension_source_memory* source_memory(const mr_plugin& plugin) {
  if (!plugin.extension) return nullptr;
  const auto* memory = static_cast<const mr_extension_source_memory*>(
      plugin.extension(MR_EXTENSION_SOURCE_MEMORY, 1));
  if (memory && !copy_of(memory, "its mr_extension_source_memory").bytes)
    refuse("the function of its extension " MR_EXTENSION_SOURCE_MEMORY " is null");
  return memory;
}

}  // namespace

std::optional<std::string> interface_misfit(const std::string& version) {
  std::uint32_t major = 0, minor = 0;
  const char* const end = version.data() + version.size();
  const auto dot = std::from_chars(version.data(), end, major);
  const bool is_version = dot.ec == std::errc() && dot.ptr != end && *dot.ptr == '.' &&
                          std::from_chars(dot.ptr + 1, end, minor).ptr == end;
  if (is_version && major == MR_ABI_MAJOR && minor <= newest_minor) return std::nullopt;
  std::string what = "built for version " + version +
                     " of the plugin interface, this Millrace has 1." +
                     std::to_string(newest_minor);
  if (is_version && major == MR_ABI_MAJOR)
    what += ": build it with MR_ABI_MINOR " + std::to_string(newest_minor) + " or less";
  return what;
}

PluginDescription read_plugin(const mr_plugin* from) {
  if (!from) refuse("millrace_plugin_v1 returned null");
  // The version first: the size of another one's struct is not this one's business.
  std::uint32_t size = 0;
  std::memcpy(&size, from, sizeof size);
  if (size >= offsetof(mr_plugin, name))
    if (const auto misfit = interface_misfit(std::to_string(from->abi_major) + "." +
                                             std::to_string(from->abi_minor)))
      refuse(*misfit);
  const mr_plugin plugin = copy_of(from, "its mr_plugin");
  PluginDescription description{
      line_of(plugin.name, "name"), line_of(plugin.version, "version"), plugin.abi_minor, {}};
  if (plugin.stage_count == 0 || plugin.stage_count > most_stages)
    refuse("has " + std::to_string(plugin.stage_count) + " stages; 1 to " +
           std::to_string(most_stages) + " are allowed");
  if (!plugin.stages) refuse("lacks its stages: they are null");
  const auto* memory = source_memory(plugin);
  for (std::uint32_t i = 0; i < plugin.stage_count; ++i) {
    auto stage = std::make_shared<StageDescription>(read_stage(plugin.stages[i], i + 1));
    if (memory && stage->takes.empty()) stage->memory = memory->bytes;
    for (const auto& other : description.stages)
      if (other->name == stage->name) refuse("has two stages named " + quote(stage->name));
    description.stages.push_back(std::move(stage));
  }
  return description;
}

}  // namespace millrace::abi
