// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/test_keys.hpp"

namespace millrace::inline v1 {

void declare(Options& o, TestCase& test) {
  o.add("name", test.name, "What is tried, in a sentence.").required();
  o.add("input", test.inputs[""],
        "Files, folders and patterns, from the folder of this file. They stand for what the source "
        "gives. Of several sources: a map from their ids.");
  o.add("from", test.from, "The id of the first stage of the part that is tried.");
  o.add("to", test.to, "The id of the last one: what it gives, or a sink writes, is looked at.");
}

void declare(Options& o, Expectation& expect) {
  o.add("count", expect.count, "How many outputs there are, such as 3 or \">= 1\".");
  o.add("width", expect.width, "Of each picture, in pixels as they are stored.");
  o.add("height", expect.height, "Of each picture, in pixels as they are stored.");
  o.add("channels", expect.channels, "Of each picture: 1 is gray, 3 colour, 4 has alpha too.");
  o.add("bits", expect.bits, "Of each sample of each picture: 8 or 16.");
  o.add("format", expect.format,
        "Of each output: jpeg, png, webp or tiff by its content; else its extension.");
  o.add("files", expect.files,
        "Every file that the sinks would write; the end of a path is enough.");
  o.add("refused", expect.refused,
        "The file, with what is under `set`, is refused with this in a message.");
}

void declare(Options& o, ExpectedPicture& picture) {
  o.add("file", picture.file,
        "The picture that is expected; {path}, {dir}, {stem}, {index} and {page} as in `write`.")
      .required();
  o.add("tolerance", picture.tolerance,
        "How much a pixel may differ, of the full range, and still be the same.");
  o.add("max_different", picture.max_different, "How many of the pixels may differ by more.");
}

void declare(Options& o, ExpectedText& text) {
  o.add("contains", text.contains, "Texts that must be in it.");
  o.add("file", text.file, "The text that is expected; the same fields as for a picture.");
  o.add("max_error", text.max_error,
        "How many characters may be wrong, of those of the file: its character error rate.");
}

void declare(Options& o, ExpectedFailure& failure) {
  using Kind = ExpectedFailure::Kind;
  o.add("item", failure.item, "The input that fails, as messages call it.");
  o.add("stage", failure.stage, "The id of the stage at which it fails.");
  o.add("kind", failure.kind,
        {{"any", Kind::any, "Whatever it is."},
         {"input", Kind::input, "The input cannot be used."},
         {"transient", Kind::transient, "It might have worked when tried again."},
         {"resource", Kind::resource, "Disk, memory or open files ran out."},
         {"cancelled", Kind::cancelled, "It took longer than `timeout`."},
         {"plugin", Kind::plugin, "A plugin broke its contract."},
         {"internal", Kind::internal, "A fault of Millrace."},
         {"config", Kind::config, "The run could not begin, as with outputs that collide."}},
        "What kind of failure it is.");
  o.add("message", failure.message, "A part of its message.");
}

namespace {

/// `of` holds what the options are bound to, which nobody looks at.
template <class T>
TestKeys keys_of(std::string key, std::string summary, T& of) {
  TestKeys keys;
  keys.key = std::move(key);
  keys.summary = std::move(summary);
  declare(keys.options, of);
  return keys;
}

TestKeys make_keys() {
  static TestCase test;
  static Expectation expect;
  static ExpectedPicture picture;
  static ExpectedText text;
  static ExpectedFailure failure;
  using Shape = TestKeys::Shape;
  auto expected = keys_of("expect", "What must come of it.", expect);
  expected.required = true;
  expected.maps.push_back(keys_of("picture", "What each output looks like.", picture));
  expected.maps.push_back(keys_of("text", "What each output reads.", text));
  expected.maps.push_back(keys_of("failure", "The failures that must come.", failure));
  expected.maps.back().shape = Shape::map_or_list;
  auto tests = keys_of("tests", "What the pipeline, or a part of it, must make of inputs.", test);
  tests.shape = Shape::list_of_maps;
  tests.maps.push_back({"set", "Values of variables.", Shape::texts_by_name, false, {}, {}});
  tests.maps.push_back(std::move(expected));
  return tests;
}

}  // namespace

const TestKeys& test_keys() {
  static const TestKeys keys = make_keys();
  return keys;
}

}  // namespace millrace::inline v1
