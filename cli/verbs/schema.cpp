// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/reference/schema.hpp"

#include <iostream>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/verb.hpp"
#include "millrace/catalogue.hpp"

namespace millrace::cli {
namespace {

struct Schema final : Verb {
  int run() override {
    find_plugins();
    const auto stages = facts_of_all(Catalogue::instance());
    for (const auto& stage : stages)
      if (!stage.made.stage) say("warning: '" + stage.name() + "' is left out: " + stage.problem);
    std::cout << schema_json(stages);
    return Exit::all_done;
  }
};

const RegisterVerb<Schema> registered{"schema", Verbs::Group::pipelines,
                                      "Print a JSON Schema of pipeline files, for editors",
                                      "millrace schema > millrace.schema.json"};

}  // namespace
}  // namespace millrace::cli
