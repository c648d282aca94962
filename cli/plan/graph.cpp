// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/plan/graph.hpp"

#include <functional>
#include <string_view>

#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

std::string escaped(std::string_view text,
                    const std::function<std::string_view(char)>& replacement) {
  std::string result;
  for (const char c : printable(text)) {
    const auto other = replacement(c);
    if (other.empty())
      result += c;
    else
      result += other;
  }
  return result;
}

/// In a quoted string Graphviz reads entities as HTML does, and `\N` and others as names of its
/// own.
std::string dot_text(std::string_view text) {
  return escaped(text, [](char c) -> std::string_view {
    switch (c) {
      case '"':
        return "\\\"";
      case '\\':
        return "\\\\";
      case '&':
        return "&amp;";
      default:
        return {};
    }
  });
}

/// Mermaid has entities of its own; a backtick would make Markdown of a label.
std::string mermaid_text(std::string_view text) {
  return escaped(text, [](char c) -> std::string_view {
    switch (c) {
      case '"':
        return "#quot;";
      case '#':
        return "#35;";
      case '&':
        return "#amp;";
      case '<':
        return "#lt;";
      case '>':
        return "#gt;";
      case '`':
        return "#96;";
      case '\\':
        return "#92;";
      default:
        return {};
    }
  });
}

/// Ids may be anything; numbers never clash with a word of the language.
std::string node(std::size_t stage) { return "n" + std::to_string(stage); }

/// `edge` is told of each: from, to, and what flows there; "failed" for what fails.
void for_each_edge(
    const Plan& plan,
    const std::function<void(std::size_t, std::size_t, const std::string&, bool)>& edge) {
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const auto& stage = plan.stages[i];
    for (const auto to : stage.outputs) edge(i, to, name_of(stage.stage->gives().value()), false);
    for (const auto to : stage.failures) edge(i, to, "failed", true);
  }
}

}  // namespace

std::string graph_dot(const Plan& plan) {
  std::string text = "digraph \"" + dot_text(plan.name) + "\" {\n  node [shape=box]\n";
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const auto& stage = plan.stages[i];
    text += "  " + node(i) + " [label=\"" + dot_text(stage.id);
    if (stage.id != stage.name && !stage.takes_failures) text += "\\n" + dot_text(stage.name);
    text += std::string("\"") + (stage.inserted ? ", style=dashed" : "") + "]\n";
  }
  for_each_edge(plan, [&](std::size_t from, std::size_t to, const std::string& kind, bool fails) {
    text += "  " + node(from) + " -> " + node(to) + " [label=\"" + kind + "\"" +
            (fails ? ", style=dotted" : "") + "]\n";
  });
  return text + "}\n";
}

std::string graph_mermaid(const Plan& plan) {
  std::string text = "flowchart TD\n";
  bool any_inserted = false;
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const auto& stage = plan.stages[i];
    text += "  " + node(i) + "[\"" + mermaid_text(stage.id);
    if (stage.id != stage.name && !stage.takes_failures) text += "<br/>" + mermaid_text(stage.name);
    text += std::string("\"]") + (stage.inserted ? ":::inserted" : "") + "\n";
    any_inserted = any_inserted || stage.inserted;
  }
  for_each_edge(plan, [&](std::size_t from, std::size_t to, const std::string& kind, bool fails) {
    text += "  " + node(from) + (fails ? " -.->|" : " -->|") + kind + "| " + node(to) + "\n";
  });
  if (any_inserted) text += "  classDef inserted stroke-dasharray: 5 5\n";
  return text;
}

}  // namespace millrace::cli
