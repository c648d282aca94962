// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <optional>
#include <string>

#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/plan/graph.hpp"
#include "cli/plan/json.hpp"
#include "cli/plan/preview.hpp"
#include "cli/plan/table.hpp"
#include "cli/verb.hpp"
#include "millrace/error.hpp"

namespace millrace::cli {
namespace {

struct ShowPlan final : Verb {
  PipelineArguments pipeline;
  bool all = false;
  bool json = false;
  std::optional<std::string> graph;

  void arguments(Arguments& a) override {
    pipeline.declare(a);
    a.flag("--all,-a", all, "Show the defaults too, and the line of each setting");
    a.option("--graph", graph, "FORMAT", "Draw the stages instead: text, dot or mermaid")
        .choices({"text", "dot", "mermaid"});
    a.flag("--json", json, "Tell all of it as one JSON object");
  }

  int run() override {
    if (json && graph) throw Error(ErrorKind::usage, "--graph and --json: one of them, please");
    const auto plan = load(pipeline);
    if (!plan) return Exit::wrong_usage;
    if (graph) return draw(*plan);
    if (json) return show_json(*plan);
    std::cout << table_of(*plan, all) << "\n" << std::flush;
    return show_preview(*plan);
  }

  int draw(const Plan& plan) const {
    std::cout << (*graph == "dot"       ? graph_dot(plan)
                  : *graph == "mermaid" ? graph_mermaid(plan)
                                        : graph_text(plan));
    return Exit::all_done;
  }
};

const RegisterVerb<ShowPlan> registered{"plan", Verbs::Group::pipelines,
                                        "Show what a run would do, without running it",
                                        "millrace plan my.yaml --set in=photos"};

}  // namespace
}  // namespace millrace::cli
