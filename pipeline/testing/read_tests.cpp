// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <set>

#include "config/keys.hpp"
#include "millrace/nearest.hpp"
#include "testing/part.hpp"
#include "testing/test_keys.hpp"

namespace millrace::inline v1 {
namespace {

const std::string example = "write it as - { name: it fits, input: a.jpg, expect: { width: 800 } }";

class TestReader {
 public:
  TestReader(const Value& root, const Draft& draft, Diagnostics& diagnostics)
      : draft_(draft), diagnostics_(diagnostics), graph_is_sound_(diagnostics.errors() == 0) {
    if (const auto* vars = find_meant(root, "vars", top_keys())) {
      const auto kind = vars->value.kind;
      knows_vars_ = !vars->value.broken && (kind == Value::Kind::map || kind == Value::Kind::null);
      for (const auto& entry : vars->value.entries) vars_.push_back(entry.key);
    }
    for (const Node& node : draft.nodes) lacks_nodes_ = lacks_nodes_ || !node.entry;
    for (const Node& node : draft.nodes)
      if (node.entry && !node.inserted && !node.id.empty()) ids_.push_back(node.id);
  }

  std::vector<TestCase> read(const Value::Entry& entry) {
    std::vector<TestCase> tests;
    const Value& list = entry.value;
    if (list.broken) return tests;
    if (list.kind == Value::Kind::null || (list.kind == Value::Kind::list && list.items.empty()))
      complain(Code::missing_value, entry, "there are no tests", example);
    else if (list.kind != Value::Kind::list)
      complain(Code::wrong_type, list, "'tests' is a list: each test begins with '- '", example);
    for (const Value& item : list.items) tests.push_back(read_test(item));
    return tests;
  }

 private:
  template <class Place>
  void complain(Code code, const Place& at, std::string message, Advice advice = {}) {
    diagnostics_.error(code, at, std::move(message), std::move(advice));
  }

  bool is_map(const Value& value, const std::string& what, const std::string& how) {
    if (value.broken || value.kind == Value::Kind::map) return !value.broken;
    complain(Code::wrong_type, value, what + " is a map", how);
    return false;
  }

  /// The options of a map; `maps`: its keys that are none. `at` is where a missing one is told.
  template <class T>
  void read_options(const Value& map, T& to, const std::vector<std::string>& maps,
                    const std::string& owner, const Value& at) {
    Options options;
    declare(options, to);
    auto keys = names_of(options);
    keys.insert(keys.end(), maps.begin(), maps.end());
    check_keys(map, keys, "in " + owner, diagnostics_);
    for (const auto& entry : map.entries)
      if (Option* const option = options.find(entry.key); option && !is_one_of(entry.key, maps))
        (void)assign(*option, entry, diagnostics_);
    for (const auto& option : options.all())
      if (option.is_required() && is_missing(map, option.name(), keys))
        complain(Code::missing_key, at, owner + " needs the key " + quote(option.name()),
                 option.name() + " (" + option.allowed() + "): " + option.summary());
  }

  static bool is_one_of(const std::string& key, const std::vector<std::string>& keys) {
    return std::ranges::count(keys, key) > 0;
  }

  /// A misspelt key is not missing as well.
  static bool is_missing(const Value& map, const std::string& key,
                         const std::vector<std::string>& keys) {
    return !find_key(map, key) && std::ranges::none_of(map.entries, [&](const auto& entry) {
      return !is_one_of(entry.key, keys) && nearest(entry.key, keys) == key;
    });
  }

  TestCase read_test(const Value& item) {
    TestCase test;
    test.where = item.where;
    if (!is_map(item, "a test", example)) return test;
    const auto* input = find_key(item, "input");
    const bool by_source = input && input->value.kind == Value::Kind::map;
    std::vector<std::string> maps{"set", "expect"};
    if (by_source) maps.emplace_back("input");
    read_options(item, test, maps, "a test", item);
    check_name(item, test);
    if (const auto* set = find_key(item, "set")) read_set(set->value, test);
    read_expect(item, test);
    if (by_source) read_inputs(input->value, test);
    if (is_missing(item, "input", keys_) && !expects_refusal(item))
      complain(Code::missing_key, item, "a test needs the key 'input'",
               "files, folders and patterns, from the folder of this file");
    check_part(item, test);
    return test;
  }

  static bool expects_refusal(const Value& item) {
    const auto* expect = find_key(item, "expect");
    return expect && find_key(expect->value, "refused");
  }

  void check_name(const Value& item, const TestCase& test) {
    const auto* name = find_key(item, "name");
    if (!name || name->value.broken || name->value.kind != Value::Kind::scalar) return;
    if (test.name.empty())
      return complain(Code::missing_value, name->value, "the test's name is empty");
    if (!names_.insert(test.name).second)
      complain(Code::duplicate_test, name->value, "there are two tests " + quote(test.name),
               "give each a name of its own");
  }

  void read_set(const Value& map, TestCase& test) {
    if (!is_map(map, "'set'", "write it as set: { size: 800 }")) return;
    for (const auto& entry : map.entries) {
      if (knows_vars_ && !is_one_of(entry.key, vars_)) {
        auto hint = suggest(entry.key, vars_);
        if (hint.empty())
          hint = vars_.empty() ? "this pipeline has no 'vars'"
                               : "the variables are " + join(vars_, "and");
        complain(Code::unknown_variable, entry, "there is no variable " + quote(entry.key),
                 std::move(hint));
      }
      if (entry.value.broken) continue;
      if (entry.value.kind != Value::Kind::scalar)
        complain(Code::wrong_type, entry.value,
                 "the variable " + quote(entry.key) + " must be one text");
      test.set[entry.key] = entry.value.text;
    }
  }

  void read_inputs(const Value& map, TestCase& test) {
    test.inputs.clear();
    for (const auto& entry : map.entries) {
      Options options;
      (void)assign(options.add("input", test.inputs[entry.key], ""), entry, diagnostics_);
    }
    if (map.entries.empty())
      complain(Code::missing_value, map, "'input' is empty", "name a source and its files");
  }

  void read_expect(const Value& item, TestCase& test) {
    const auto* entry = find_key(item, "expect");
    const std::string how = "say what must come, such as expect: { count: 1, width: 800 }";
    if (!entry) {
      if (is_missing(item, "expect", keys_))
        complain(Code::empty_test, item, "this test expects nothing", how);
      return;
    }
    const Value& map = entry->value;
    if (map.broken) return;
    if (map.kind == Value::Kind::null || (map.kind == Value::Kind::map && map.entries.empty()))
      return complain(Code::empty_test, *entry, "this test expects nothing", how);
    if (!is_map(map, "'expect'", how)) return;
    Expectation& expect = test.expect;
    read_options(map, expect, {"picture", "text", "failure"}, "'expect'", map);
    if (const auto* picture = find_key(map, "picture")) {
      const std::string shape = "write it as picture: { file: expected.png }";
      if (is_map(picture->value, "'picture'", shape))
        read_options(picture->value, expect.picture.emplace(), {}, "'picture'", picture->value);
    }
    if (const auto* text = find_key(map, "text")) read_text(*text, expect);
    if (const auto* failure = find_key(map, "failure")) read_failures(failure->value, expect);
    if (!expect.refused.empty() && map.entries.size() > 1)
      complain(Code::misplaced_key, find_key(map, "refused")->value,
               "a pipeline that is refused gives nothing else to expect",
               "move the other keys into a test of their own");
    if (const auto* refused = find_key(map, "refused"); refused && expect.refused.empty())
      if (refused->value.kind == Value::Kind::scalar)
        complain(Code::missing_value, refused->value, "'refused' is empty",
                 "give a part of the message");
  }

  void read_text(const Value::Entry& entry, Expectation& expect) {
    const std::string how = "write it as text: { contains: Millrace } or text: { file: page.txt }";
    if (!is_map(entry.value, "'text'", how)) return;
    ExpectedText& text = expect.text.emplace();
    read_options(entry.value, text, {}, "'text'", entry.value);
    const auto* max_error = find_key(entry.value, "max_error");
    if (entry.value.entries.empty())
      complain(Code::empty_test, entry, "'text' expects nothing", how);
    else if (max_error && !find_key(entry.value, "file"))
      complain(Code::misplaced_key, *max_error, "max_error is of a text that is expected",
               "add file: page.txt");
    for (const auto& part : text.contains)
      if (part.empty()) complain(Code::invalid_value, entry, "an empty text is in every text");
  }

  void read_failures(const Value& value, Expectation& expect) {
    const std::string how = "write it as failure: { stage: decode, message: part of the message }";
    if (value.broken) return;
    if (value.kind == Value::Kind::list && value.items.empty())
      return complain(Code::missing_value, value, "'failure' is empty", how);
    const bool is_list = value.kind == Value::Kind::list;
    for (std::size_t i = 0; i < (is_list ? value.items.size() : 1); ++i) {
      const Value& map = is_list ? value.items[i] : value;
      if (is_map(map, "a failure", how))
        read_options(map, expect.failures.emplace_back(), {}, "'failure'", map);
    }
  }

  /// The node of an id in the test; complains where there is none.
  std::optional<std::size_t> node_of(const Value& item, const char* key, const std::string& id) {
    const auto* entry = find_key(item, key);
    if (!entry || id.empty()) return std::nullopt;
    const auto node = find_id(draft_, id);
    if (node) return node;
    auto hint = suggest(id, ids_);
    if (lacks_nodes_ && !hint.fix) return std::nullopt;
    if (hint.empty()) hint = "the ids are " + join(ids_, "and");
    complain(Code::unknown_id, entry->value, "no stage has the id " + quote(id), std::move(hint));
    return std::nullopt;
  }

  void check_part(const Value& item, const TestCase& test) {
    const auto from = node_of(item, "from", test.from), to = node_of(item, "to", test.to);
    // What else is wrong with the graph would only be told again.
    if (!graph_is_sound_ || from.has_value() == test.from.empty() ||
        to.has_value() == test.to.empty())
      return;
    const auto nodes = part_of(draft_, from, to);
    if (nodes.empty())
      return complain(Code::empty_part, find_key(item, "to")->value,
                      "no way leads from " + quote(test.from) + " to " + quote(test.to),
                      "let 'to' be a stage behind " + quote(test.from));
    if (from) check_beginning(item, draft_.nodes[*from]);
    check_sources(item, from ? std::vector{test.from} : sources_among(draft_, nodes));
  }

  /// An input is a file: bytes, and a picture where the stage wants one.
  void check_beginning(const Value& item, const Node& node) {
    if (!node.made.stage || node.is_source()) return;
    for (const auto kind : node.made.stage->takes())
      if (kind != PayloadKind::text) return;
    complain(Code::kind_mismatch, find_key(item, "from")->value,
             quote(node.id) + " takes text, and a test begins with a file or a picture",
             "begin with the stage that makes the text");
  }

  void check_sources(const Value& item, const std::vector<std::string>& sources) {
    const auto* input = find_key(item, "input");
    if (!input) return;
    if (input->value.kind != Value::Kind::map) {
      if (sources.size() > 1 && !input->value.broken)
        complain(Code::ambiguous_input, *input,
                 "this part has several sources: " + join(sources, "and"),
                 "say whose items these are: input: { " + sources[0] + ": ... }");
      return;
    }
    for (const auto& entry : input->value.entries)
      if (!is_one_of(entry.key, sources)) {
        auto hint = suggest(entry.key, sources);
        if (hint.empty()) hint = "it begins at " + join(sources, "and");
        complain(Code::unknown_id, entry, quote(entry.key) + " is no source of this part",
                 std::move(hint));
      }
  }

  const Draft& draft_;
  Diagnostics& diagnostics_;
  const bool graph_is_sound_;
  const std::vector<std::string> keys_{"name", "input", "from", "to", "set", "expect"};
  std::vector<std::string> vars_, ids_;
  bool knows_vars_ = true;    // what 'vars' says could be read
  bool lacks_nodes_ = false;  // there are items of which it is not known what they are
  std::set<std::string> names_;
};

}  // namespace

bool Expectation::of_outputs() const {
  return width || height || channels || bits || format || picture || text;
}

std::vector<TestCase> read_tests(const Value& root, const Draft& draft, Diagnostics& diagnostics) {
  const auto* entry = root.kind == Value::Kind::map ? find_key(root, "tests") : nullptr;
  if (!entry) return {};
  return TestReader(root, draft, diagnostics).read(*entry);
}

}  // namespace millrace::inline v1
