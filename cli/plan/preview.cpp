// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/plan/preview.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/ready.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

constexpr std::size_t columns = 80;
const std::string margin = "      ";

/// "812 bytes", "3.1 MiB", "120 MiB".
std::string size_text(std::uint64_t bytes) {
  if (bytes < 1024) return counted(bytes, "byte");
  constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; size >= 1023.5 && unit + 1 < units.size(); ++unit) size /= 1024;
  std::array<char, 32> buffer;
  std::snprintf(buffer.data(), buffer.size(), size < 9.95 ? "%.1f %s" : "%.0f %s", size,
                units.at(unit));
  return buffer.data();
}

/// "1 is", "3 are".
std::string those(std::size_t count, const std::string& what) {
  return std::to_string(count) + (count == 1 ? " is " : " are ") + what;
}

/// The names in lines that break between them alone: a name may have blanks.
std::string names_text(const NameEnds& names) {
  std::vector<std::string> words;
  for (const auto& name : names.first) words.push_back(printable(name) + ",");
  if (names.count > names.first.size() + names.last.size()) words.emplace_back("...,");
  for (const auto& name : names.last) words.push_back(printable(name) + ",");
  if (words.empty()) return {};
  words.back().pop_back();
  std::string text, line;
  for (const auto& word : words) {
    if (!line.empty() && margin.size() + columns_of(line) + 1 + columns_of(word) > columns) {
      text += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return text + margin + line + "\n";
}

std::string text_of(const Plan& plan, const Preview::Input& input) {
  const auto& source = plan.stages[input.stage];
  auto text = "  " + printable(source.id) + ": ";
  if (input.refused) return text + "cannot be listed\n";
  text += counted(input.items.count, source.name == "files" ? "file" : "item");
  if (input.bytes > 0) text += ", " + size_text(input.bytes);
  text += "\n" + names_text(input.items);
  if (input.failed > 0) text += margin + std::to_string(input.failed) + " cannot be listed:\n";
  for (const auto& failure : input.failures) text += margin + "  " + printable(failure) + "\n";
  if (input.failed > input.failures.size())
    text += margin + "  and " + std::to_string(input.failed - input.failures.size()) + " more\n";
  return text;
}

std::string text_of(const Preview::Memory& memory, std::size_t items) {
  auto text = "  at most " + counted(memory.window, "input") + " under way at once, with " +
              size_text(memory.budget) + " together\n";
  if (memory.largest == 0) return text;
  auto largest =
      "the largest" +
      (memory.estimated < items ? " of " + std::to_string(memory.estimated) + " looked at"
                                : std::string()) +
      ", " + printable(memory.largest_item) + ", takes about " + size_text(memory.largest) + ": ";
  if (memory.largest > memory.budget)
    largest += "it runs alone";
  else if (memory.at_once() < memory.window)
    largest += std::to_string(memory.at_once()) + " of its size at once";
  else
    largest += "all fit";
  return text + wrapped(largest, 2);
}

std::string text_of(const Plan& plan, const Preview::Output& output) {
  const auto& forecast = output.forecast;
  auto text = "  " + printable(plan.stages[output.stage].id) + ": " +
              (output.of_failures ? "for inputs that fail, at most " : "") +
              counted(forecast.files.count, "file") + "\n" + names_text(forecast.files);
  if (forecast.varies.find("{ext}") != std::string::npos)
    text += margin + "{ext} is known when an item has been read\n";
  if (forecast.varies.find("{page}") != std::string::npos)
    text += margin + "{page}: one file for each page of an item\n";
  if (forecast.existing == 0) return text;
  auto existing =
      std::to_string(forecast.existing) + (forecast.existing == 1 ? " exists" : " exist");
  const auto beside = forecast.existing - forecast.replaced - forecast.skipped;
  existing += " already";
  std::string what;
  const auto add = [&](std::size_t count, const char* done) {
    if (count > 0) what += (what.empty() ? ": " : ", ") + those(count, done);
  };
  add(forecast.replaced, "replaced");
  add(forecast.skipped, "skipped");
  if (forecast.complaints.empty()) add(beside, "kept, the new one named _2 or more");
  return text + wrapped(existing + what, margin.size());
}

}  // namespace

std::string text_of(const Plan& plan, const Preview& preview) {
  std::string text = "inputs\n";
  std::size_t items = 0;
  for (const auto& input : preview.inputs) {
    text += text_of(plan, input);
    items += input.items.count;
  }
  text += "memory\n" + text_of(preview.memory, items);
  if (!preview.outputs.empty()) text += "outputs\n";
  for (const auto& output : preview.outputs) text += text_of(plan, output);
  return text;
}

void say_error(const Plan& plan, const Preview& preview) {
  std::cout.flush();
  if (preview.error) say_lines(plan.file + ": " + worded(plan.file, preview.error->what()));
}

int show_preview(const Plan& plan, bool quiet) {
  const auto shown = preview(plan, Context());
  if (!quiet) std::cout << text_of(plan, shown);
  say_error(plan, shown);
  return status_of(shown);
}

int status_of(const Preview& preview) {
  if (preview.error) return status_of(*preview.error);
  if (preview.stopped_by_on_error) return Exit::stopped;
  return preview.failed > 0 ? Exit::some_failed : Exit::all_done;
}

}  // namespace millrace::cli
