// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>

#include "support/catch.hpp"
#include "support/tried.hpp"

using namespace millrace;
using test::said;
using test::Tried;
using test::tried;

namespace {

void passes(const std::string& stages, const std::string& test) {
  const auto result = Tried(stages, "  - { name: one, " + test + " }\n").run();
  INFO(test << "\n" << said(result));
  CHECK(result.passed());
}

void fails(const std::string& stages, const std::string& test, const std::string& complaint) {
  const auto result = Tried(stages, "  - { name: one, " + test + " }\n").run();
  INFO(test << "\n" << said(result));
  CHECK_FALSE(result.passed());
  CHECK_THAT(said(result), ContainsSubstring(complaint));
}

const std::string branches =
    "  - files: { path: \"${size}\" }\n"
    "  - orient\n"
    "  - resize: { width: 8, fit: fill, height: 8 }\n"
    "    id: small\n"
    "  - write: { path: \"out/{stem}.small.png\" }\n"
    "    id: write-small\n"
    "  - resize: { width: 2 }\n"
    "    id: tiny\n"
    "    from: orient\n"
    "  - write: { path: \"out/{stem}.tiny.webp\" }\n"
    "    id: write-tiny\n";

const std::string merging =
    "  - files: { path: \"${size}\" }\n"
    "  - decode\n"
    "  - resize: { width: 8 }\n"
    "    id: left\n"
    "  - resize: { width: 4 }\n"
    "    id: right\n"
    "    from: decode\n"
    "  - grayscale:\n"
    "    from: [left, right]\n"
    "  - write: { path: \"out/{stem}.{ext}\" }\n";

const std::string setting_aside =
    "  - files: { path: \"${size}\" }\n"
    "  - decode: { max_pixels: 100 }\n"
    "  - write: { path: \"out/{stem}.png\" }\n"
    "  - write: { path: \"aside/{path}\" }\n"
    "    from: \"decode.failed\"\n"
    "    id: aside\n";

const std::string two_sources =
    "  - files: { path: \"${size}\" }\n"
    "    id: photos\n"
    "  - files: { path: elsewhere }\n"
    "    id: scans\n"
    "  - decode:\n"
    "    from: [photos, scans]\n"
    "  - write: { path: \"out/{stem}.png\" }\n";

}  // namespace

TEST_CASE("a part ends behind its last stage, which is looked at", "[testing]") {
  passes(test::resizing, "input: a.png, to: orient, expect: { width: 16, files: [] }");
  passes(test::resizing, "input: a.png, to: resize, expect: { width: 8, files: [] }");
  passes(test::resizing, "input: a.png, to: files, expect: { format: png }");
  passes(test::resizing, "input: a.png, to: write, expect: { format: png, files: [a.png] }");
  fails(test::resizing, "input: a.png, to: orient, expect: { width: 8 }", "width: got 16");
}

TEST_CASE("a part begins with its first stage, which is given pictures or bytes", "[testing]") {
  passes(test::resizing, "input: a.png, from: resize, to: resize, expect: { width: 8 }");
  passes(test::resizing, "input: a.txt, from: write, expect: { files: [out/a.png] }");
  passes(branches, "input: a.png, from: tiny, expect: { count: 1, width: 2 }");
  fails(test::resizing, "input: a.txt, from: resize, expect: { count: 1 }", "a.txt: decode: ");
}

TEST_CASE("one branch is looked at without the others", "[testing]") {
  passes(branches, "input: a.png, expect: { count: 2, files: [a.small.png, a.tiny.webp] }");
  passes(branches, "input: a.png, to: write-tiny, expect: { width: 2, files: [a.tiny.webp] }");
  passes(branches, "input: a.png, to: small, expect: { width: 8, height: 8, files: [] }");
  fails(branches, "input: a.png, expect: { width: 2 }", "a.png at write-small: width: got 8");
}

TEST_CASE("both sides of a merge are run, or the one that a part begins in", "[testing]") {
  passes(merging, "input: a.png, to: grayscale, expect: { count: 2, channels: 1, width: 4..8 }");
  passes(merging, "input: a.png, from: right, expect: { count: 1, width: 4 }");
  passes(merging, "input: a.png, from: grayscale, expect: { count: 1, width: 16 }");
  passes(merging, "input: a.png, to: right, expect: { count: 1, channels: 3, width: 4 }");
}

TEST_CASE("a branch of what failed is run with what comes before it", "[testing]") {
  auto anywhere = setting_aside;
  anywhere.erase(anywhere.find("decode.failed"), 6).insert(anywhere.find(".failed"), "*");
  passes(setting_aside,
         "input: [a.png, b.png], to: aside, expect: "
         "{ failure: { item: a.png }, count: 1, files: [aside/a.png] }");
  passes(anywhere,
         "input: [a.png, b.png], to: aside, expect: "
         "{ failure: { item: a.png }, count: 1, files: [aside/a.png, out/b.png] }");
  passes(setting_aside,
         "input: [a.png, b.png], to: write, expect: "
         "{ failure: { item: a.png }, count: 1, files: [out/b.png] }");
  passes(setting_aside,
         "input: [a.png, b.png], from: decode, expect: "
         "{ failure: { item: a.png }, count: 2, files: [aside/a.png, out/b.png] }");
}

TEST_CASE("each of several sources has its own inputs", "[testing]") {
  passes(two_sources, "input: { photos: a.png, scans: b.png }, expect: { count: 2 }");
  passes(two_sources, "input: { scans: [b.png] }, expect: { count: 1, width: 4 }");
  passes(two_sources, "input: a.png, from: scans, expect: { count: 1, width: 16 }");
  fails(two_sources, "input: { photos: a.png, scans: b.png }, expect: { width: 4 }", "got 16");
}

TEST_CASE("inputs are files, folders and patterns with the labels that 'files' gives",
          "[testing]") {
  Tried tried(
      test::resizing,
      "  - { name: x, input: [more, '*.png'], set: { size: 4 },\n"
      "      expect: { count: 3, files: [in.png, a.png, b.png], failure: { item: bad.png } } }\n");
  std::filesystem::create_directories(tried.folder.path() / "more/deep");
  std::filesystem::copy_file(tried.folder.path() / "a.png",
                             tried.folder.path() / "more/deep/in.png");
  const auto result = tried.run();
  INFO(said(result));
  CHECK(result.passed());
}

TEST_CASE("a test's variables are for that test", "[testing]") {
  Tried tried(test::resizing,
              "  - { name: x, input: a.png, set: { size: 4 }, expect: { width: 4 } }\n"
              "  - { name: y, input: a.png, expect: { width: \"${size}\" } }\n"
              "  - { name: z, input: a.png, set: { size: 5 }, expect: { width: \"${size}\" } }\n");
  for (const std::size_t i : {0, 1, 2}) {
    const auto result = tried.run(i);
    INFO(said(result));
    CHECK(result.passed());
  }
}

TEST_CASE("a test writes nothing where its pipeline would", "[testing]") {
  const testing::TemporaryFolder there;
  const auto stages = [&](const std::string& path) {
    return "  - files: { path: x }\n  - write: { path: \"" + path + "\" }\n";
  };
  const auto copied = [&](const std::string& path, const std::string& written) {
    passes(stages(path), "input: a.png, expect: { files: [\"" + written + "\"] }");
  };
  copied(there.path().string() + "/{path}", there.path().string() + "/a.png");
  copied("../../up/{path}", "../../up/a.png");
  copied("./{path}", "a.png");
  CHECK(there.names().empty());
  CHECK_FALSE(std::filesystem::exists("../../up"));
}

TEST_CASE("the pages of a document are outputs of their own", "[testing]") {
  Tried tried(
      "  - files: { path: \"${size}\" }\n  - grayscale\n  - write: { path: \"o/{stem}.png\" }\n",
      "  - { name: x, input: doc.tif, expect: { count: 3, files: [doc-1.png, doc-2.png, "
      "doc-3.png], picture: { file: 'p{page}.png' } } }\n");
  std::filesystem::copy_file(MILLRACE_SOURCE_DIR "/sample_data/scans/three-pages.tif",
                             tried.folder.path() / "doc.tif");
  tried.settings.accept = true;
  CHECK(tried.run().passed());
  tried.settings.accept = false;
  CHECK(tried.run().passed());
  std::filesystem::copy_file(tried.folder.path() / "p1.png", tried.folder.path() / "p2.png",
                             std::filesystem::copy_options::overwrite_existing);
  CHECK_THAT(said(tried.run()), ContainsSubstring("doc.tif page 2: picture: "));
}

TEST_CASE("a stage in a process of its own is tried in one", "[testing]") {
  const std::string isolated =
      "  - files: { path: \"${size}\" }\n    isolate: process\n"
      "  - resize: { width: 8 }\n    isolate: process\n"
      "  - write: { path: \"out/{stem}.png\" }\n";
  passes(isolated, "input: a.png, expect: { width: 8 }");
}

TEST_CASE("a shutdown ends a test without a verdict", "[testing]") {
  Tried tried(test::resizing, "  - { name: x, input: a.png, expect: { count: 1 } }\n");
  tried.settings.shutdown.cancel();
  const auto result = tried.run();
  CHECK(result.cancelled);
  CHECK_FALSE(result.passed());
}
