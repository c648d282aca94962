// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <sys/stat.h>

#include <cctype>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/skeleton.hpp"
#include "cli/verb.hpp"
#include "millrace/catalogue.hpp"
#include "millrace/error.hpp"
#include "plugin/abi/names.hpp"
#include "stages/support/file_error.hpp"

namespace millrace::cli {
namespace {

/// What is to be written, and the names in it that a copy replaces.
struct Skeleton {
  const std::vector<SkeletonFile>& files;
  std::string_view name, type, extension;
};

Skeleton skeleton(bool in_c) {
  if (in_c) return {c_plugin_skeleton(), "vignette", "Vignette", ".c"};
  return {cpp_plugin_skeleton(), "sepia", "Sepia", ".cpp"};
}

/// As a stage is called; it is a file, a CMake target and a part of a C++ name too.
void check_name(const std::string& name) {
  if (!abi::is_name(name))
    throw Error(ErrorKind::usage, "new plugin: '" + name + "' is no name for a stage, which has " +
                                      std::string(abi::name_rule));
  if (Catalogue::instance().find(name))
    throw Error(ErrorKind::usage,
                "new plugin: there is a stage '" + name + "' already; choose another name");
}

/// black_and_white -> BlackAndWhiteStage: with its end, a stage 'image' is not the type Image.
std::string type_name(std::string_view name) {
  std::string type;
  bool begins = true;
  for (const char c : name) {
    if (c != '_') type += begins ? static_cast<char>(std::toupper(c)) : c;
    begins = c == '_';
  }
  return type + "Stage";
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::string named(const Skeleton& skeleton, const std::string& text, const std::string& name) {
  return replaced(replaced(text, skeleton.name, name), skeleton.type, type_name(name));
}

void write(const std::filesystem::path& file, const std::string& content) {
  std::ofstream out(file);
  if (!(out << content).flush()) throw file_error("cannot write " + file.string(), errno);
}

/// Writes a copy of plugins/example/cpp/ or c/ into a new folder.
struct NewPlugin final : Verb {
  std::string name;
  bool in_c = false;

  void arguments(Arguments& a) override {
    a.positional("NAME", name, "Of the folder and the stage").required();
    a.flag("--c", in_c, "In C, over the interface that stays the same");
  }
  int run() override;
};

int NewPlugin::run() {
  check_name(name);
  if (::mkdir(name.c_str(), 0777) != 0) {
    if (errno != EEXIST) throw file_error("cannot make the folder " + name, errno);
    throw Error(ErrorKind::usage, "new plugin: there is a '" + name + "' here already");
  }
  const Skeleton copied = skeleton(in_c);
  for (const auto& file : copied.files)
    write(std::filesystem::path(name) / named(copied, file.name, name),
          named(copied, file.content, name));
  std::cout << name << "/ is a plugin with one stage, '" << name << "', in " << name << "/" << name
            << copied.extension << ". Build, test and use it:\n\n"
            << "  cd " << name << "\n"
            << "  cmake -B build && cmake --build build && ctest --test-dir build\n"
            << "  export MILLRACE_PLUGIN_PATH=$PWD/build/plugins\n"
            << "  millrace stages " << name << "\n"
            << "  millrace run " << name << ".yaml --set in=FOLDER_OF_PHOTOS\n\n"
            << "cmake --install build puts it where Millrace always finds it.\n";
  return Exit::all_done;
}

const RegisterVerb<NewPlugin> registered{"new plugin", Verbs::Group::program,
                                         "Begin a plugin with one stage, its build and its test",
                                         "millrace new plugin sepia"};

}  // namespace

}  // namespace millrace::cli
