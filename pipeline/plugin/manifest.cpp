// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/manifest.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <system_error>

#include "config/utf8.hpp"
#include "millrace/error.hpp"
#include "millrace/version.hpp"
#include "plugin/abi/descriptor.hpp"
#include "plugin/abi/names.hpp"
#include "plugin/library.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_manifest = std::uintmax_t{1} << 20;
constexpr const char* role_names[] = {"stage", "converter", "decoder"};

Manifest::Stage read_stage(std::istream& line) {
  Manifest::Stage stage;
  std::string role;
  line >> stage.name >> role >> std::ws;
  std::getline(line, stage.summary);
  const auto known = std::ranges::find(role_names, role);
  if (known == std::end(role_names) || stage.summary.empty())
    throw Error(ErrorKind::plugin, "wants 'stage NAME stage|converter|decoder SUMMARY'");
  if (!abi::is_name(stage.name))
    throw Error(ErrorKind::plugin, "a stage's name has " + std::string(abi::name_rule));
  stage.role = static_cast<Role>(known - std::begin(role_names));
  return stage;
}

PayloadKind kind_of(const std::string& name) {
  for (const auto kind : {PayloadKind::bytes, PayloadKind::image, PayloadKind::text})
    if (name_of(kind) == name) return kind;
  throw Error(ErrorKind::plugin, "'" + name + "' is not one of bytes, image, text");
}

/// `flow NAME KIND... -> KIND`, without what a source or a sink has not.
void read_flow(std::istream& line, std::vector<Manifest::Stage>& stages) {
  std::string name;
  line >> name;
  const auto stage = std::ranges::find(stages, name, &Manifest::Stage::name);
  if (stage == stages.end())
    throw Error(ErrorKind::plugin, "'flow " + name + "' wants a line stage " + name + " before it");
  Flow flow;
  bool behind = false;
  for (std::string word; line >> word;) {
    if (word == "->")
      behind = true;
    else if (behind)
      flow.gives = kind_of(word);
    else
      flow.takes.push_back(kind_of(word));
  }
  if (!behind) throw Error(ErrorKind::plugin, "wants 'flow NAME KIND... -> KIND'");
  stage->flow = std::move(flow);
}

std::string print(const Flow& flow) {
  std::string text;
  for (const auto kind : flow.takes) text += std::string(name_of(kind)) + " ";
  return text + "->" + (flow.gives ? " " + std::string(name_of(*flow.gives)) : "");
}

/// None where the stage cannot be made here.
std::optional<Flow> flow_of(const Catalogue::Entry& entry) try {
  const auto stage = entry.make();
  return Flow{stage->takes(), stage->gives()};
} catch (...) {  // told by who needs the stage
  return std::nullopt;
}

/// What a stage is called and does is shown on terminals.
void check_printable(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto next = read_utf8(text, at);
    if (next.size == 0 || (next.value != '\t' && is_unprintable(next.value)))
      throw Error(ErrorKind::plugin, "is not a line of UTF-8 that can be shown");
    at += next.size;
  }
}

void read_line(const std::string& text, const fs::path& folder, Manifest& manifest) {
  std::istringstream line(text);
  std::string key;
  if (!(line >> key) || key.front() == '#') return;
  std::string rest;
  if (key == "stage") {
    check_printable(text);
    manifest.stages.push_back(read_stage(line));
  } else if (key == "flow") {
    read_flow(line, manifest.stages);
  } else if (key == "millrace") {
    line >> manifest.built_for;
  } else if (key == "abi") {
    line >> manifest.interface;
  } else if (key == "version" && std::getline(line >> std::ws, rest)) {
    check_printable(rest);
    manifest.own_version = rest;
  } else if (key == "library" && std::getline(line >> std::ws, rest)) {
    manifest.library = folder / rest;
  } else {
    throw Error(ErrorKind::plugin,
                "'" + key + "' is not one of millrace, abi, version, library, stage, flow");
  }
}

}  // namespace

Manifest Manifest::read(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed))  // opening a pipe would wait for a writer
    throw Error(ErrorKind::plugin, file.string() + ": cannot be read: " +
                                       (failed ? failed.message() : "it is not a file"));
  if (const auto size = fs::file_size(file, failed); !failed && size > largest_manifest)
    throw Error(ErrorKind::plugin, file.string() + ": more than 1 MiB is no manifest");
  std::ifstream in(file);
  Manifest manifest;
  const fs::path folder = fs::absolute(file).parent_path();
  int number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    try {
      read_line(text, folder, manifest);
    } catch (const Error& error) {
      throw error.in(file.string() + ":" + std::to_string(number));
    }
  }
  // A folder opens and then fails to read; a file that may not be read does not open.
  if (!in.eof()) throw Error(ErrorKind::plugin, file.string() + ": cannot be read");
  if (manifest.built_for.empty() == manifest.interface.empty() || manifest.library.empty() ||
      manifest.stages.empty())
    throw Error(ErrorKind::plugin,
                file.string() +
                    ": wants a line millrace or abi, a line library, and a line stage at least");
  return manifest;
}

std::optional<std::string> Manifest::misfit() const {
  if (!interface.empty()) return abi::interface_misfit(interface);
  if (built_for == version()) return std::nullopt;
  return "built for Millrace " + built_for + ", this is " + std::string(version()) + ": rebuild it";
}

void Manifest::write(const fs::path& file) const {
  fs::path temporary = file;
  temporary += ".new";
  std::ofstream out(temporary);
  out << "# Written by millrace_manifest from the library itself.\n"
      << (interface.empty() ? "millrace " + built_for : "abi " + interface) << '\n'
      << (own_version.empty() ? "" : "version " + own_version + "\n") << "library "
      << library.lexically_proximate(fs::absolute(file).parent_path()).string() << '\n';
  for (const auto& stage : stages)
    out << "stage " << stage.name << ' ' << role_names[static_cast<int>(stage.role)] << ' '
        << stage.summary << '\n';
  for (const auto& stage : stages)
    if (stage.flow) out << "flow " << stage.name << ' ' << print(*stage.flow) << '\n';
  out.close();
  std::error_code failed;
  if (out) fs::rename(temporary, file, failed);
  if (!out || failed) throw Error(ErrorKind::plugin, file.string() + ": cannot be written");
}

Manifest describe(const fs::path& library) {
  Manifest manifest{std::string(version()),
                    fs::absolute(library),
                    {},
                    interface_of(library),
                    version_of(library)};
  if (!manifest.interface.empty()) manifest.built_for.clear();
  for (const auto& entry : stages_of(library)) {
    const bool fits = abi::is_name(entry.name) && !entry.summary.empty() &&
                      entry.summary.find('\n') == entry.summary.npos;
    if (!fits)
      throw Error(ErrorKind::plugin, library.string() + ": stage '" + entry.name +
                                         "' wants a summary on one line and a name, which has " +
                                         std::string(abi::name_rule));
    manifest.stages.push_back({entry.name, entry.role, entry.summary, flow_of(entry)});
  }
  if (manifest.stages.empty())
    throw Error(ErrorKind::plugin, library.string() + ": registers no stage");
  std::ranges::sort(manifest.stages, {}, &Manifest::Stage::name);
  return manifest;
}

fs::path manifest_path(fs::path library) { return library.replace_extension(".manifest"); }

}  // namespace millrace
