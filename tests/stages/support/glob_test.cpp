// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/glob.hpp"

#include "support/catch.hpp"

using namespace millrace;

namespace {

struct Case {
  std::string pattern, path;
  bool matches;
};

const std::vector<Case> cases = {
    {"*.jpg", "a.jpg", true},
    {"*.jpg", "a.JPG", true},
    {"*.JPG", "a.jpg", true},
    {"*.jpg", "a/b.jpg", false},
    {"*.jpg", ".jpg", true},
    {"*.jpg", "a.jpg.txt", false},
    {"**/*.jpg", "a.jpg", true},
    {"**/*.jpg", "a/b/c.jpg", true},
    {"a/**", "a/b/c", true},
    {"a/**", "a", true},
    {"a/**", "b/a", false},
    {"a/**/b", "a/b", true},
    {"a/**/b", "a/x/y/b", true},
    {"a/**/b", "a/x/y/c", false},
    {"**/x/**/x/*", "x/y/x/z/x/w", true},
    {"a**b", "axxb", true},
    {"a**b", "a/b", false},
    {"a*b*c", "abbbcbc", true},
    {"a*b*c", "abbbcb", false},
    {"?.png", "\xc3\xa4.png", true},
    {"?.png", "\xff.png", true},
    {"??.png", "a.png", false},
    {"*", "\xff\n%s", true},
    {"[a-c]x", "bx", true},
    {"[A-C]x", "bx", true},
    {"[!a-c]x", "bx", false},
    {"[!a-c]x", "dx", true},
    {"[]]x", "]x", true},
    {"[a-]x", "-x", true},
    {"[x", "[x", true},
    {"\\*", "*", true},
    {"\\*", "a", false},
    {"*.{jpg,png}", "a.png", true},
    {"*.{jpg,png}", "a.tif", false},
    {"{a,b{c,d}}e", "bde", true},
    {"{a/b,c}/d", "a/b/d", true},
    {"{a}", "{a}", true},
    {"{a,b", "{a,b", true},
    {"x{,.bak}", "x", true},
};

}  // namespace

TEST_CASE("a glob matches what a shell's would, in both cases", "[files][glob]") {
  for (const auto& [pattern, path, matches] : cases) {
    CAPTURE(pattern, path);
    CHECK(Glob(pattern).matches(path) == matches);
  }
}

TEST_CASE("a glob of many stars ends soon", "[files][glob]") {
  const std::string stars = "a*a*a*a*a*a*a*a*a*a*a*a*a*b";
  CHECK_FALSE(Glob(stars).matches(std::string(2000, 'a')));
  std::string folders, path;
  for (int i = 0; i < 12; ++i) folders += "**/a/";
  for (int i = 0; i < 200; ++i) path += "a/";
  CHECK_FALSE(Glob(folders + "b").matches(path + "c"));
}

TEST_CASE("a glob knows how deep it reaches", "[files][glob]") {
  CHECK(Glob("*.jpg").depth() == 1);
  CHECK(Glob("{a/b,c}/*").depth() == 3);
  CHECK_FALSE(Glob("a/**/b").depth());
}
