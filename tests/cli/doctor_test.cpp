// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>

#include "support/catch.hpp"
#include "support/open_files.hpp"
#include "support/program.hpp"

using namespace millrace::testing;

TEST_CASE("the doctor says that the main jobs run where they do", "[cli][doctor]") {
  const TemporaryFolder folder;
  const auto ended = Program({"doctor"}, folder.path()).wait();
  INFO(ended.out << ended.err);
  CHECK(ended.status == 0);
  for (const auto* const found :
       {"CPUs: ", "memory: ", "jpeg: libjpeg-turbo ", "png: libpng 1.", "webp: libwebp 1.",
        "tiff: libtiff 4.", "Little CMS 2.", "Tesseract: ", "eng", "The main jobs run here"})
    CHECK_THAT(ended.out, ContainsSubstring(found));
  CHECK_THAT(ended.out, !ContainsSubstring("FAILED"));
}

TEST_CASE("the doctor finds that no language is there, and says what to type", "[cli][doctor]") {
  const TemporaryFolder folder;
  ::setenv("TESSDATA_PREFIX", folder.path().c_str(), 1);
  const auto ended = Program({"doctor"}, folder.path()).wait();
  ::unsetenv("TESSDATA_PREFIX");
  INFO(ended.out << ended.err);
  CHECK(ended.status == 1);
  CHECK_THAT(ended.out, ContainsSubstring("FAILED  languages: none in") &&
                            ContainsSubstring("          unset TESSDATA_PREFIX\n") &&
                            ContainsSubstring("1 check failed: not every main job runs here."));
}

TEST_CASE("the doctor finds a low limit on open files, which is no failure", "[cli][doctor]") {
  const TemporaryFolder folder;
  const OpenFiles few(100);
  const auto ended = Program({"doctor"}, folder.path()).wait();
  INFO(ended.out << ended.err);
  CHECK(ended.status == 0);
  CHECK_THAT(ended.out, ContainsSubstring("weak    open files: 100;") &&
                            ContainsSubstring("\n          ulimit -n "));
}

TEST_CASE("the doctor names a plugin that cannot be used and why", "[cli][doctor]") {
  const TemporaryFolder folder;
  folder.file("plugins/old.manifest",
              "millrace 0.0.1\nlibrary old.so\nstage old_stage stage Be old.\n");
  const auto ended = Program({"doctor", "--json"}, folder.path(), folder / "plugins").wait();
  INFO(ended.out << ended.err);
  CHECK(ended.status == 0);
  CHECK_THAT(ended.out, ContainsSubstring("\"what\": \"old\",\n      \"verdict\": \"weak\"") &&
                            ContainsSubstring("built for Millrace 0.0.1"));
}
