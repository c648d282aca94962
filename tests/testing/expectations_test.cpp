// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/catch.hpp"
#include "support/tried.hpp"

using namespace millrace;
using test::said;
using test::tried;

namespace {

/// The same of a pipeline that copies texts.
TestResult copied(const std::string& test, const std::string& expected_text = "") {
  test::Tried tried("  - files: { path: not/there }\n  - write: { path: \"out/{path}\" }\n",
                    "  - { name: one, input: a.txt, expect: { text: { " + test + " } } }\n", "");
  tried.folder.file("expected.txt", expected_text);
  return tried.run();
}

void passes(const std::string& test) {
  const auto result = tried(test);
  INFO(test << "\n" << said(result));
  CHECK(result.passed());
}

void fails(const std::string& test, const std::string& complaint) {
  const auto result = tried(test);
  INFO(test << "\n" << said(result));
  CHECK_FALSE(result.passed());
  CHECK_THAT(said(result), ContainsSubstring(complaint));
}

}  // namespace

TEST_CASE("an expectation that holds passes, and one that does not is told", "[testing]") {
  struct Pair {
    std::string holds, does_not, complaint;
  };
  const std::vector<Pair> pairs{
      {"count: 1", "count: 2", "count: got 1, expected 2"},
      {"count: '> 0'", "count: 0", "count: got 1, expected 0"},
      {"width: 8", "width: 9", "a.png: width: got 8, expected 9"},
      {"width: 7..8", "width: '> 8'", "a.png: width: got 8, expected >= 9"},
      {"height: '<= 6'", "height: '< 6'", "a.png: height: got 6, expected <= 5"},
      {"channels: 3", "channels: 1", "a.png: channels: got 3, expected 1"},
      {"bits: 8", "bits: 16", "a.png: bits: got 8, expected 16"},
      {"format: png", "format: jpeg", "a.png: format: got png, expected jpeg"},
      {"files: [a.png]", "files: [b.png]", "files: not written: b.png"},
      {"files: [out/a.png]", "files: []", "files: not expected: out/a.png"},
      {"files: out/a.png", "files: [a.png, a.png]", "files: not written: a.png"},
  };
  for (const auto& [holds, does_not, complaint] : pairs) {
    passes("input: a.png, expect: { " + holds + " }");
    fails("input: a.png, expect: { " + does_not + " }", complaint);
  }
}

TEST_CASE("a failure that is expected passes, and no other", "[testing]") {
  const std::string begin = "input: bad.png, expect: { failure: ";
  passes(begin + "{ stage: decode } }");
  passes(begin + "{ kind: input, item: bad.png, message: picture } }");
  passes(begin + "[{ stage: decode }] }");
  fails(begin + "{ stage: resize } }", "expected a failure at 'resize', got another");
  fails(begin + "{ kind: transient } }", "expected a failure of kind transient, got another");
  fails(begin + "{ message: something else } }", "with 'something else', got another");
  fails(begin + "{ item: a.png } }", "expected a failure of a.png, got another");
  fails(begin + "[{ stage: decode }, { stage: orient }] }", "at 'orient', got another");
  fails("input: a.png, expect: { failure: { stage: decode } }", "at 'decode', got none");
}

TEST_CASE("a failure that is not expected comes first, in the stage's own words", "[testing]") {
  const auto result = tried("input: [a.png, bad.png], expect: { count: 2, width: 8 }");
  CHECK_FALSE(result.passed());
  REQUIRE(result.errors.size() == 1);
  CHECK_THAT(result.errors[0], ContainsSubstring("bad.png: decode: "));
  CHECK_THAT(result.errors[0], ContainsSubstring("(input)"));
  CHECK(result.complaints == std::vector<std::string>{"count: got 1, expected 2"});
}

TEST_CASE("an input that is not there or matches nothing fails its test", "[testing]") {
  fails("input: gone.png, expect: { count: 0 }", "input: gone.png: cannot read");
  fails("input: '*.gif', expect: { count: 0 }", "input: *.gif: no file in");
  fails("input: gone.png, expect: { failure: { kind: any } }", "input: gone.png");
}

TEST_CASE("what is expected of each output fails where there is none", "[testing]") {
  fails("input: bad.png, expect: { width: 8, failure: { stage: decode } }",
        "nothing came out that could be looked at: all inputs failed");
}

TEST_CASE("outputs that collide can be expected", "[testing]") {
  const std::string collide = "input: [a.png, a.png], expect: ";
  passes(collide + "{ failure: { stage: write, kind: config, message: to out/a.png } }");
  fails(collide + "{ count: 2 }", "write: 2 items would be written to out/a.png");
}

TEST_CASE("a pipeline that is to be refused passes when it is", "[testing]") {
  passes("set: { size: wide }, expect: { refused: 'wide' }");
  fails("set: { size: wide }, expect: { refused: 'narrow' }", "'wide'");
  fails("set: { size: 9 }, expect: { refused: 'wide' }", "nothing is wrong with the pipeline");
  fails("set: { size: wide }, input: a.png, expect: { count: 1 }", "'wide'");
}

TEST_CASE("a text is compared by its words and by its characters", "[testing]") {
  const std::string text = "Water runs the mill.";
  CHECK(copied("contains: Water").passed());
  CHECK(copied("contains: [runs the, mill]").passed());
  CHECK_THAT(said(copied("contains: [Water, wind]")),
             ContainsSubstring("a.txt: text: it does not contain 'wind'"));
  CHECK(copied("file: expected.txt", text).passed());
  CHECK(copied("file: expected.txt, max_error: 10%", "Water runs the hill.").passed());
  const auto one_wrong = copied("file: expected.txt, max_error: 4%", "Water runs the hill.");
  CHECK_THAT(said(one_wrong), ContainsSubstring("5.0% of the characters are wrong (1 of 20, at "
                                                "most 4% may)"));
  CHECK_THAT(said(one_wrong), ContainsSubstring("-Water runs the hill.\n+Water runs\n+the mill."));
}

TEST_CASE("a picture is no text, and the reverse", "[testing]") {
  fails("input: a.png, expect: { text: { contains: PNG } }", "text: it is a picture's file");
  fails("input: a.png, to: orient, expect: { text: { contains: PNG } }", "text: it is a picture");
  fails("input: a.png, to: orient, expect: { format: png }", "format: it is not encoded here");
  CHECK_THAT(said(test::Tried("  - files: { path: x }\n  - write: { path: \"out/{path}\" }\n",
                              "  - { name: one, input: a.txt, expect: { width: 1 } }\n", "")
                      .run()),
             ContainsSubstring("a.txt: it is no picture"));
}
