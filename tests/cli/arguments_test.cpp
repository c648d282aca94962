// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/arguments.hpp"

#include "cli/verb.hpp"
#include "millrace/error.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::cli;

TEST_CASE("an argument hands over what was typed", "[cli][arguments]") {
  Arguments arguments;
  bool quiet = false;
  std::string file;
  std::vector<std::string> sets;
  const auto& flag = arguments.flag("-q,--quiet", quiet, "");
  const auto& one = arguments.positional("FILE", file, "");
  const auto& list = arguments.option("--set", sets, "NAME=VALUE", "");
  flag.take({});
  one.take({"a.yaml"});
  list.take({"a=1", "b=2"});
  CHECK(quiet);
  CHECK(file == "a.yaml");
  CHECK(sets == std::vector<std::string>{"a=1", "b=2"});
  CHECK(flag.longest_name() == "--quiet");
  CHECK(one.longest_name() == "FILE");
  CHECK(arguments.all().size() == 3);
}

TEST_CASE("a value given twice, or none of the choices, is refused by its name",
          "[cli][arguments]") {
  Arguments arguments;
  std::string format;
  const auto& option =
      arguments.option("-F,--format", format, "FORMAT", "").choices({"text", "json"});
  option.take({"json"});
  CHECK(format == "json");
  CHECK_THROWS_WITH(option.take({"text", "json"}),
                    ContainsSubstring("--format is given twice: 'text' and 'json'"));
  CHECK_THROWS_WITH(option.take({"jsn"}),
                    ContainsSubstring("--format: there is no 'jsn'; did you mean 'json'?"));
  CHECK_THROWS_WITH(option.take({"xml"}), ContainsSubstring("allowed: text, json"));
  CHECK(format == "json");
}

TEST_CASE("an empty name is refused where a file, a folder or a stage is named",
          "[cli][arguments]") {
  Arguments arguments;
  std::string file, text = "left";
  const auto& named = arguments.positional("FILE", file, "").completes(Argument::Completion::file);
  const auto& any = arguments.option("--filter", text, "TEXT", "");
  CHECK_THROWS_WITH(named.take({""}), ContainsSubstring("FILE: the word is empty"));
  any.take({""});
  CHECK(text.empty());
}

TEST_CASE("of two verbs that words begin with, the longer one is meant", "[cli][arguments]") {
  const auto name_of = [](const std::vector<std::string>& words) {
    const auto* const verb = Verbs::instance().find(words);
    return verb ? verb->name : std::string();
  };
  CHECK(name_of({"plugins"}) == "plugins");
  CHECK(name_of({"plugins", "check", "a.so"}) == "plugins check");
  CHECK(name_of({"plugins", "--help"}) == "plugins");
  CHECK(name_of({"new", "plugin"}) == "new plugin");
  CHECK(name_of({"plugin"}).empty());
  CHECK(name_of({}).empty());
}

TEST_CASE("every verb says what it is for, with an example", "[cli][arguments]") {
  for (const auto* const verb : Verbs::instance().all()) {
    INFO(verb->name);
    CHECK_FALSE(verb->summary.empty());
    CHECK_FALSE(verb->summary.ends_with('.'));
    CHECK_THAT(verb->example, ContainsSubstring("millrace " + verb->name));
  }
}
