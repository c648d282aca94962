// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// The verbs that write a pipeline for what is typed, on sample_data.

#include <filesystem>
#include <span>
#include <string>

#include "stages/codecs/codec.hpp"
#include "support/catch.hpp"
#include "support/edit_distance.hpp"
#include "support/program.hpp"

using namespace millrace;
using namespace millrace::testing;
namespace fs = std::filesystem;

namespace {

const std::string samples = MILLRACE_SOURCE_DIR "/sample_data";

Program::Ended call(const std::vector<std::string>& words, const TemporaryFolder& here) {
  return Program(words, here.path()).wait();
}

cv::Size size_of(const std::string& file) {
  const auto text = content_of(file);
  return codecs::open(std::as_bytes(std::span(text))).reader->header(1).size;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("convert makes smaller pictures of another format of a folder", "[cli][quick]") {
  const TemporaryFolder here;
  const auto ended = call({"convert", samples + "/photos", "-o", "small", "--width", "300",
                           "--only-shrink", "--format", "webp", "--quality", "60"},
                          here);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  CHECK(here.names() == Names{"small", "small/dunes.webp", "small/lake.webp", "small/leaf.webp",
                              "small/lights.webp", "small/mill.webp", "small/night.webp",
                              "small/stones.webp"});
  CHECK(size_of(here / "small/lake.webp") == cv::Size(300, 200));
  CHECK(size_of(here / "small/lights.webp") == cv::Size(300, 400));
}

TEST_CASE("convert takes files and folders together, and writes one file as it is called",
          "[cli][quick]") {
  const TemporaryFolder here;
  here.file("in/sub/leaf.png", content_of(samples + "/photos/leaf.png"));
  const auto one = samples + "/photos/night.png";
  CHECK(call({"convert", one, "in", "-o", "out"}, here).status == 0);
  CHECK(fs::exists(here / "out/night.png"));
  CHECK(fs::exists(here / "out/sub/leaf.png"));
  CHECK(call({"convert", one, "-o", "a/b.jpg", "--width", "50%"}, here).status == 0);
  CHECK(size_of(here / "a/b.jpg") == cv::Size(180, 120));
  CHECK(call({"convert", "in/**/*.png", "-o", "t/{dir}-{stem}.jpg"}, here).status == 0);
  CHECK(fs::exists(here / "t/sub-leaf.jpg"));
}

TEST_CASE("convert replaces what is there only when it is told to", "[cli][quick]") {
  const TemporaryFolder here;
  const auto picture = samples + "/photos/night.png";
  here.file("b.jpg", "mine");
  CHECK(call({"convert", picture, "-o", "b.jpg"}, here).status == 2);
  CHECK(content_of(here / "b.jpg") == "mine");
  const auto skipped = call({"convert", picture, "-o", "b.jpg", "--if-exists", "skip"}, here);
  CHECK(skipped.status == 0);
  CHECK_THAT(skipped.out, ContainsSubstring("1 skipped"));
  CHECK(call({"convert", picture, "-o", "b.jpg", "-f", "--quiet"}, here).out.empty());
  CHECK(size_of(here / "b.jpg") == cv::Size(360, 240));
}

TEST_CASE("what --print-config prints passes check and does the same", "[cli][quick]") {
  const TemporaryFolder here;
  // Signs that YAML and templates have a meaning for.
  here.file("a: ${b} #'\".png", content_of(samples + "/photos/night.png"));
  here.file("[x].png", content_of(samples + "/photos/night.png"));
  std::vector<std::string> words = {
      "convert", "a: ${b} #'\".png", "[x].png", "-o", "one", "--format", "jpeg", "--height", "50"};
  REQUIRE(call(words, here).status == 0);
  words[4] = "two";
  words.push_back("--print-config");
  const auto printed = call(words, here);
  here.file("p.yaml", printed.out);
  INFO(printed.out << printed.err);
  CHECK(call({"check", "p.yaml"}, here).status == 0);
  REQUIRE(call({"run", "p.yaml"}, here).status == 0);
  for (const auto& name : {"a: ${b} #'\".jpg", "[x].jpg"})
    CHECK(content_of(here / ("one/" + std::string(name))) ==
          content_of(here / ("two/" + std::string(name))));
}

TEST_CASE("the quick verbs have the flags of run", "[cli][quick]") {
  const TemporaryFolder here;
  const auto shown = call({"convert", samples + "/photos", "-o", "out", "--dry-run"}, here);
  INFO(shown.out << shown.err);
  CHECK(shown.status == 0);
  CHECK_THAT(shown.out, ContainsSubstring("lake.jpg"));
  CHECK(here.names().empty());
}

TEST_CASE("what a run of a quick verb says names flags", "[cli][quick]") {
  const TemporaryFolder here;
  const std::vector<std::string> words{"convert", samples + "/photos/night.png", "-o", "out"};
  REQUIRE(call(words, here).status == 0);
  const std::string wanted = "out/night.png exists already; --if-exists can be skip";
  auto again = words;
  CHECK_THAT(call(again, here).out, ContainsSubstring(wanted));
  again.push_back("--json");
  const auto told = call(again, here);
  CHECK(told.status == 1);
  CHECK_THAT(told.out, ContainsSubstring(wanted));
  CHECK_THAT(told.err, ContainsSubstring(wanted));
  here.file("a.png", content_of(samples + "/photos/night.png"));
  const auto before = call({"convert", "a.png", "-o", "out/night.png"}, here);
  CHECK(before.status == 2);
  CHECK_THAT(before.err, ContainsSubstring("out/night.png; --if-exists can be skip"));
}

TEST_CASE("a picture of a format that nothing reads fails by name", "[cli][quick]") {
  const TemporaryFolder here;
  here.file("in/a.png", content_of(samples + "/photos/night.png"));
  here.file("in/b.HEIC", "no codec knows this");
  here.file("in/notes.txt", "no picture");
  const auto ended = call({"convert", "in", "-o", "out"}, here);
  CHECK(ended.status == 1);
  CHECK_THAT(ended.out, ContainsSubstring("b.HEIC") && !ContainsSubstring("notes.txt") &&
                            ContainsSubstring("2 files: 1 done, 1 failed"));
}

TEST_CASE("what convert wrote below its input is no input the next time", "[cli][quick]") {
  const auto out = GENERATE("in/small [1]", "in/small/deep/{stem}.jpg");
  const TemporaryFolder here;
  here.file("in/a.png", content_of(samples + "/photos/night.png"));
  const std::vector<std::string> words{"convert", "in", "-o", out, "--format", "jpeg", "--force"};
  for (int time = 0; time < 2; ++time) {
    const auto ended = call(words, here);
    INFO(ended.out << ended.err);
    CHECK(ended.status == 0);
    CHECK_THAT(ended.out, ContainsSubstring("1 file: 1 done"));
  }
}

TEST_CASE("a name that no pipeline can hold is told, and its folder is taken", "[cli][quick]") {
  const TemporaryFolder here;
  here.file("in/\xff.png", content_of(samples + "/photos/night.png"));
  const auto refused = call({"convert", "in/\xff.png", "-o", "out"}, here);
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, ContainsSubstring("not UTF-8"));
  CHECK(call({"convert", "in", "-o", "out"}, here).status == 0);
  CHECK(fs::exists(here / "out/\xff.png"));
}

TEST_CASE("ocr reads a page into text and hOCR", "[cli][quick]") {
  const TemporaryFolder here;
  const auto page = samples + "/scans/skewed.png";
  const auto ended = call({"ocr", page, "-o", "out", "--text", "--hocr", "--lang", "eng"}, here);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  CHECK(character_error(content_of(here / "out/skewed.txt"),
                        content_of(samples + "/truth/skewed.txt")) < 0.005);
  CHECK_THAT(content_of(here / "out/skewed.hocr"), ContainsSubstring("ocr_page"));
  CHECK(call({"ocr", page, "-o", "page.hocr"}, here).status == 0);
  CHECK_THAT(content_of(here / "page.hocr"), ContainsSubstring("ocr_page"));
}

TEST_CASE("a skeleton of any built-in stage passes check", "[cli][quick]") {
  const TemporaryFolder here;
  for (const char* const stages :
       {"files,resize,write", "binarize", "deskew,grayscale", "decode", "orient,encode",
        "files,write", "ocr,write", "decode,ocr,render,write"}) {
    INFO(stages);
    const auto begun = call({"new", stages}, here);
    CHECK(begun.status == 0);
    here.file("p.yaml", begun.out);
    const auto checked = call({"check", "p.yaml"}, here);
    INFO(begun.err << checked.err << begun.out);
    CHECK(checked.status == 0);
  }
}

TEST_CASE("convert takes names with characters that YAML cannot show", "[cli][quick]") {
  const TemporaryFolder here;
  const auto picture = content_of(samples + "/photos/leaf.png");
  for (const char* const name : {"next\xc2\x85line.png", "mark\xef\xbb\xbf.png"}) {
    here.file(name, picture);
    const auto ended = call({"convert", name, "-o", "small/", "--width", "9"}, here);
    INFO(ended.err);
    CHECK(ended.status == 0);
    CHECK(fs::exists(here / ("small/" + std::string(name))));
  }
}
