// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <string>

#include "cli/console.hpp"
#include "cli/reference/print.hpp"

namespace millrace::cli {
namespace {

std::string describe(const Option& option) {
  const auto text = type_text(option);
  if (option.is_required()) return text + "; required";
  const auto& value = option.default_text();
  return text + (value.empty() ? "; not set by default" : "; default " + value);
}

std::string option_text(const Option& option) {
  std::string text =
      "  " + option.name() + "\n" + wrapped(describe(option), 6) + wrapped(option.summary(), 6);
  std::size_t width = 0;
  for (const auto& [name, summary] : option.choices()) width = std::max(width, name.size());
  for (const auto& [name, summary] : option.choices())
    if (!summary.empty())
      text +=
          "        " + left(name, width) + "  " + wrapped(summary, width + 10).substr(width + 10);
  return text;
}

std::string flow_text(const Flow& flow) {
  std::string text = flow.takes.empty() ? "" : "takes " + kinds_text(flow.takes);
  if (flow.gives) text += (text.empty() ? "gives " : ", gives ") + kinds_text({*flow.gives});
  return text;
}

std::string converters_text(const StageFacts& stage) {
  std::string names;
  for (const auto& name : stage.converters) names += (names.empty() ? "" : " or ") + name;
  if (names.empty()) return {};
  return wrapped("Where something else comes, " + names +
                     " is put in before it, whose options may stand here too.",
                 2);
}

}  // namespace

std::string stage_text(const StageFacts& stage) {
  const auto& options = stage.made.options.all();
  std::string text = wrapped(stage.name() + ": " + stage.entry->summary, 0) + "  " +
                     flow_text(stage.flow()) +
                     (stage.made.stage->load() == Load::io ? "; waits more than it computes" : "") +
                     (stage.entry->plugin.empty() ? "" : "; in the plugin " + stage.entry->plugin) +
                     "\n" + converters_text(stage) + (options.empty() ? "" : "\nOptions\n");
  for (const auto& option : options) text += option_text(option);
  return text + "\nIn a pipeline\n  - " + example_item(stage.name(), stage.made.options) + "\n";
}

}  // namespace millrace::cli
