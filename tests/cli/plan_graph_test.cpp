// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/plan/graph.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"

using namespace millrace_test;
namespace cli = millrace::cli;

namespace {

/// A branch that meets again, a converter, and a way for what fails at it; with an awkward id.
Plan awkward() {
  Plan plan;
  plan.name = "a \"b\"";
  const auto source = add(plan, "source", std::make_unique<FakeSource>(1), {});
  const auto left = add(plan, "decode", pass, {source});
  plan.stages[left].inserted = true;
  const auto right = add(plan, "<r\\N \"&\" `#`>", pass, {source});
  plan.stages[right].name = "resize";
  struct End final : FakeStage {
    using FakeStage::FakeStage;
    std::optional<PayloadKind> gives() const override { return std::nullopt; }
  };
  add(plan, "end", std::make_unique<End>(pass), {left, right});
  const auto failed = add(plan, "failed", pass, {});
  plan.stages[failed].takes_failures = plan.stages[failed].inserted = true;
  plan.stages[failed].inputs = {left, right};
  for (const auto stage : {left, right}) plan.stages[stage].failures = {failed};
  add(plan, "aside", std::make_unique<End>(pass), {failed});
  return plan;
}

}  // namespace

TEST_CASE("a plan is drawn in plain characters", "[cli]") {
  CHECK("\n" + cli::graph_text(awkward()) == R"(
* source
+-. bytes
* | decode +
+.|.. bytes
| * : <r\N "&" `#`> (resize)
+-+ : bytes
| '.+
*   : end
    * failed +
    | bytes
    * aside

+ put in by Millrace
: what fails
)");
}

TEST_CASE("a chain is drawn as a line", "[cli]") {
  Plan plan;
  add(plan, "b", pass, {add(plan, "a", std::make_unique<FakeSource>(1), {})});
  CHECK(cli::graph_text(plan) == "* a\n| bytes\n* b\n");
}

TEST_CASE("a plan is a graph for Graphviz, whatever the ids", "[cli]") {
  CHECK("\n" + cli::graph_dot(awkward()) == R"(
digraph "a \"b\"" {
  node [shape=box]
  n0 [label="source"]
  n1 [label="decode", style=dashed]
  n2 [label="<r\\N \"&amp;\" `#`>\nresize"]
  n3 [label="end"]
  n4 [label="failed", style=dashed]
  n5 [label="aside"]
  n0 -> n1 [label="bytes"]
  n0 -> n2 [label="bytes"]
  n1 -> n3 [label="bytes"]
  n1 -> n4 [label="failed", style=dotted]
  n2 -> n3 [label="bytes"]
  n2 -> n4 [label="failed", style=dotted]
  n4 -> n5 [label="bytes"]
}
)");
}

TEST_CASE("a plan is a flowchart for Mermaid, whatever the ids", "[cli]") {
  CHECK("\n" + cli::graph_mermaid(awkward()) == R"(
flowchart TD
  n0["source"]
  n1["decode"]:::inserted
  n2["#lt;r#92;N #quot;#amp;#quot; #96;#35;#96;#gt;<br/>resize"]
  n3["end"]
  n4["failed"]:::inserted
  n5["aside"]
  n0 -->|bytes| n1
  n0 -->|bytes| n2
  n1 -->|bytes| n3
  n1 -.->|failed| n4
  n2 -->|bytes| n3
  n2 -.->|failed| n4
  n4 -->|bytes| n5
  classDef inserted stroke-dasharray: 5 5
)");
}
