// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/yaml.hpp"

#include "config/keys.hpp"
#include "support/catch.hpp"

using namespace millrace;

namespace {

Value read(const std::string& text) {
  Diagnostics diagnostics("p.yaml");
  auto root = read_yaml(SourceText(text), diagnostics);
  for (const auto& diagnostic : diagnostics.sorted()) INFO(format(diagnostic, text));
  REQUIRE(diagnostics.errors() == 0);
  return std::move(*root);
}

std::vector<Diagnostic> refused(const std::string& text) {
  Diagnostics diagnostics("p.yaml");
  CHECK_FALSE(read_yaml(SourceText(text), diagnostics));
  return diagnostics.sorted();
}

}  // namespace

TEST_CASE("scalars stay the text that was written", "[config][yaml]") {
  const auto root = read("{a: 012, b: on, c: 1e3, d: '5', e: \"x\\ty\", f: ~, g: , h: .5}");
  CHECK(find_key(root, "a")->value.text == "012");
  CHECK(find_key(root, "b")->value.text == "on");
  CHECK(find_key(root, "c")->value.text == "1e3");
  CHECK(find_key(root, "d")->value.quoted);
  CHECK_FALSE(find_key(root, "c")->value.quoted);
  CHECK(find_key(root, "e")->value.text == "x\ty");
  CHECK(find_key(root, "f")->value.kind == Value::Kind::null);
  CHECK(find_key(root, "g")->value.kind == Value::Kind::null);
}

TEST_CASE("keys and values know their place and length", "[config][yaml]") {
  const auto root = read("a:\n  'b c': \"d\\\"e\"  # f\n  g:\n");
  const auto& map = root.entries[0].value;
  CHECK(map.entries[0].where == Position{2, 3});
  CHECK(map.entries[0].length == 5);
  CHECK(map.entries[0].value.where == Position{2, 10});
  CHECK(map.entries[0].value.length == 6);
  CHECK(map.entries[1].value.where == Position{3, 3});
}

TEST_CASE("an empty item of a list is where its dash is", "[config][yaml]") {
  const auto root = read("a:\n  - b\n  -\n  # no - item\n  - c\n");
  CHECK(root.entries[0].value.items[1].kind == Value::Kind::null);
  CHECK(root.entries[0].value.items[1].where == Position{3, 3});
}

TEST_CASE("columns count the bytes behind a byte order mark and despite CRLF", "[config][yaml]") {
  const auto root = read("\xef\xbb\xbf\xc3\xa4: 1\r\nb: 2\r\n");
  CHECK(root.entries[0].value.where == Position{1, 5});
  CHECK(root.entries[1].value.text == "2");
  CHECK(root.entries[1].where == Position{2, 1});
}

TEST_CASE("an alias is the value that it names, at that place", "[config][yaml]") {
  const auto root = read("a: &x {b: [1, 2]}\nc: *x\nd: &y 5\ne: *y\n");
  const auto& alias = find_key(root, "c")->value;
  CHECK(alias.entries[0].value.items[1].text == "2");
  CHECK(alias.where == Position{1, 7});
  CHECK(find_key(root, "e")->value.text == "5");
}

TEST_CASE("block texts keep their lines", "[config][yaml]") {
  const auto root = read("a: |\n  one\n  two\nb: >-\n  three\n  four\n");
  CHECK(root.entries[0].value.text == "one\ntwo\n");
  CHECK(root.entries[1].value.text == "three four");
}

TEST_CASE("an empty file is a null", "[config][yaml]") {
  CHECK(read("").kind == Value::Kind::null);
  CHECK(read("\n# comment\n").kind == Value::Kind::null);
  CHECK(read("---\n...\n").kind == Value::Kind::null);
}

TEST_CASE("a file that is too large is not read", "[config][yaml]") {
  const auto told = refused("# " + std::string(1 << 20, 'x'));
  REQUIRE(told.size() == 1);
  CHECK_THAT(told[0].message, ContainsSubstring("1048578 bytes"));
}

TEST_CASE("nothing of the parser's own words reaches the user", "[config][yaml]") {
  for (const char* text :
       {"%YAML 3.0\n---\na: 1\n", "%TAG\n---\na: 1\n", "%YAML 1.2\n%YAML 1.2\n---\na\n",
        "a: |0\n  b\n", "a: |x\n  b\n", "a: &\n", "a: !<x\n", "a: &x &y b\n", "a: \"\n---\n\"\n",
        "a: '\n...\n'\n", "a: \"\\xzz\"\n", "a: \"\\ud800\"\n"}) {
    INFO(text);
    const auto told = refused(text);
    REQUIRE(told.size() == 1);
    for (const char* word :
         {"yaml-cpp", "illegal", "bad ", "found while", "token", "EOF", "directive"})
      CHECK(told[0].message.find(word) == std::string::npos);
  }
}
