// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/path_template.hpp"

#include "millrace/error.hpp"
#include "support/catch.hpp"

using namespace millrace;

namespace {

PathTemplate parsed(const std::string& text) {
  PathTemplate result;
  const auto complaint = PathTemplate::parse(text, result);
  INFO(text << ": " << complaint.value_or(""));
  REQUIRE_FALSE(complaint);
  return result;
}

std::string complaint_about(const std::string& text) {
  PathTemplate ignored;
  return PathTemplate::parse(text, ignored).value_or("");
}

struct Case {
  std::string text, item;
  std::optional<std::uint32_t> page;
  std::string output;
};

const std::vector<Case> cases = {
    {"out/{path}", "a/b.tar.gz", {}, "out/a/b.tar.gz"},
    {"out/{path}.txt", "a/b.jpg", {}, "out/a/b.jpg.txt"},
    {"out/{dir}/{stem}.webp", "a/b/c.d.jpg", {}, "out/a/b/c.d.webp"},
    {"out/{dir}/{stem}.webp", "c.jpg", {}, "out/c.webp"},
    {"{dir}/{stem}.webp", "c.jpg", {}, "c.webp"},
    {"/{dir}/{stem}.x", "a/c.jpg", {}, "/a/c.x"},
    {"{stem}.{ext}", "a/.hidden", {}, ".hidden.jpg"},
    {"out-{stem}/x", "c.jpg", {}, "out-c/x"},
    {"a{{b}}/{stem}", "c.jpg", {}, "a{b}/c"},
    {"{index:04}-{stem}", "c.jpg", {}, "0042-c"},
    {"{index}", "c.jpg", {}, "42"},
    {"{stem}-{page:03}.png", "c.tif", 7, "c-007.png"},
    {"{stem}-{page:03}.png", "c.tif", {}, "c-001.png"},
    {"out.d/{stem}.png", "c.tif", 7, "out.d/c-7.png"},
    {"out.d/{stem}", "c.tif", 7, "out.d/c-7"},
    {"out/{path}", "\xff\n%s -x", {}, "out/\xff\n%s -x"},
    {"out/{path}", "/etc/passwd", {}, "out/etc/passwd"},
    {"../out/{path}", "a", {}, "../out/a"},
    {"out/{path}", "...", {}, "out/..."},
    {"result.txt", "a", {}, "result.txt"},
};

}  // namespace

TEST_CASE("a path template gives each item its output", "[write][template]") {
  for (const auto& [text, item, page, output] : cases) {
    CAPTURE(text, item);
    CHECK(parsed(text).expand({item, {}, 41, page}, "jpg") == output);
  }
}

TEST_CASE("a path template cannot be led out of its root", "[write][template]") {
  for (const std::string item : {"../x", "a/../../x", "..", "a/.."})
    CHECK_THROWS_WITH(parsed("out/{path}").expand({item, {}, 0, {}}, "jpg"),
                      ContainsSubstring("would leave out/"));
  CHECK_THROWS_AS(parsed("out/{dir}/../{stem}").expand({"x", {}, 0, {}}, ""), Error);
}

TEST_CASE("a path template without the extension's value says nothing", "[write][template]") {
  CHECK_FALSE(parsed("out/{stem}.{ext}").expand({"a.jpg", {}, 0, {}}, std::nullopt));
  CHECK(parsed("out/{stem}.{ext}").expand({"a.jpg", {}, 0, {}}, "") == "out/a");
}

TEST_CASE("a path template knows the extension that it ends with", "[write][template]") {
  CHECK(parsed("out/{stem}.WebP").extension() == "webp");
  CHECK(parsed("out/{path}.thumb.webp").extension() == "webp");
  CHECK(parsed("out.d/result.txt").extension() == "txt");
  for (const std::string text :
       {"out.d/{path}", "{stem}.{ext}", "{stem}jpg", "x.y/{stem}z", "a/.jpg"})
    CHECK(parsed(text).extension().empty());
}

TEST_CASE("a wrong path template is told what is right", "[write][template]") {
  CHECK_THAT(complaint_about("out/{stme}.x"),
             ContainsSubstring("no field {stme}; did you mean {stem}?"));
  CHECK_THAT(complaint_about("out/{stem"), ContainsSubstring("{{"));
  CHECK_THAT(complaint_about("out/stem}"), ContainsSubstring("}}"));
  CHECK_THAT(complaint_about("out/{}"), ContainsSubstring("the fields are {path} {dir}"));
  CHECK_THAT(complaint_about("out/{stem:3}"), ContainsSubstring("not a number"));
  CHECK_THAT(complaint_about("out/{page:x}"), ContainsSubstring("{page:04}"));
  CHECK_THAT(complaint_about("out/{page:999}"), ContainsSubstring("{page:04}"));
  CHECK_THAT(complaint_about("out/{dir}/"), ContainsSubstring("names a folder"));
  CHECK_THAT(complaint_about("out/"), ContainsSubstring("out/{path}"));
  CHECK_THAT(complaint_about(""), ContainsSubstring("empty"));
}
