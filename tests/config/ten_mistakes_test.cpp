// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// Ten mistakes that a person makes who knows other tools, or has only glanced at ours: each message
// alone leads to the right file.

#include "millrace/pipeline.hpp"
#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"

using namespace millrace;

namespace {

std::string told(const std::string& text) {
  const auto result = load_pipeline(text.substr(1), "p.yaml");
  CHECK_FALSE(result.plan);
  return "\n" + test::told(result, text.substr(1));
}

}  // namespace

TEST_CASE("mistake 1: another tool's word for a key", "[config][ten]") {
  CHECK(told(R"(
version: 1
steps:
  - files: { path: in }
  - write: { path: "out/{path}" }
)") == R"(
p.yaml:2:1: error: unknown key 'steps' in the pipeline [unknown-key]
    steps:
    ^~~~~
  at: steps
  hint: here it is called 'stages'
  fix: stages:
)");
}

TEST_CASE("mistake 2: other tools' words for stages", "[config][ten]") {
  CHECK(told(R"(
version: 1
stages:
  - input: { path: in }
  - output: { path: out }
)") == R"(
p.yaml:3:5: error: there is no stage 'input' [unknown-stage]
      - input: { path: in }
        ^~~~~
  at: stages[0].input
  hint: here it is called 'files'
  fix: - files: { path: in }
p.yaml:4:5: error: there is no stage 'output' [unknown-stage]
      - output: { path: out }
        ^~~~~~
  at: stages[1].output
  hint: here it is called 'write'
  fix: - write: { path: out }
)");
}

TEST_CASE("mistake 3: threads for workers", "[config][ten]") {
  CHECK(told(R"(
version: 1
stages:
  - files: { path: in }
  - resize: { width: 800 }
    threads: 4
  - write: { path: "out/{stem}.jpg" }
)") == R"(
p.yaml:5:5: error: unknown key 'threads' beside 'resize' [unknown-key]
        threads: 4
        ^~~~~~~
  at: stages[1].threads
  hint: here it is called 'workers'
  fix: workers: 4
)");
}

TEST_CASE("mistake 4: a percentage and pixels where a number is wanted", "[config][ten]") {
  CHECK(told(R"(
version: 1
stages:
  - files: { path: in }
  - resize: { width: 800px }
  - write: { path: "out/{stem}.jpg", quality: 80% }
)") == R"(
p.yaml:4:22: error: width: '800px' is not a count of pixels or a percentage [unknown-unit]
      - resize: { width: 800px }
                         ^~~~~
  at: stages[1].resize.width
  fix: - resize: { width: 800 }
p.yaml:5:47: error: quality: '80%' is not a whole number [unknown-unit]
      - write: { path: "out/{stem}.jpg", quality: 80% }
                                                  ^~~
  at: stages[2].write.quality
  fix: - write: { path: "out/{stem}.jpg", quality: 80 }
)");
}

TEST_CASE("mistake 5: yes for true", "[config][ten]") {
  CHECK(told(R"(
version: 1
stages:
  - files: { path: in }
  - resize: { width: 800, only_shrink: yes }
  - write: { path: "out/{stem}.jpg" }
)") == R"(
p.yaml:4:40: error: only_shrink: 'yes' is not true or false; write true [not-true-or-false]
      - resize: { width: 800, only_shrink: yes }
                                           ^~~
  at: stages[1].resize.only_shrink
  fix: - resize: { width: 800, only_shrink: true }
)");
}

TEST_CASE("mistake 6: numbers as programs write them", "[config][ten]") {
  CHECK(told(R"(
version: 1
stages:
  - files: { path: in }
  - resize: { width: 0800 }
    retry: 1e1
  - write: { path: "out/{stem}.jpg" }
)") == R"(
p.yaml:4:22: error: width: '0800' is not a count of pixels or a percentage [leading-zero]
      - resize: { width: 0800 }
                         ^~~~
  at: stages[1].resize.width
  hint: a number does not begin with 0
  fix: - resize: { width: 800 }
p.yaml:5:12: error: retry: '1e1' is not a whole number [wrong-type]
        retry: 1e1
               ^~~
  at: stages[1].retry
  fix: retry: 10
)");
}

TEST_CASE("mistake 7: a time without its unit", "[config][ten]") {
  CHECK(told(R"(
version: 1
stages:
  - files: { path: in }
  - resize: { width: 800 }
    timeout: 30
  - write: { path: "out/{stem}.jpg" }
)") == R"(
p.yaml:5:14: error: timeout: '30' is not a duration with its unit (such as 500ms, 30s, 2m, 1h) [missing-unit]
        timeout: 30
                 ^~
  at: stages[1].timeout
  fix: timeout: 30s
)");
}

TEST_CASE("mistake 8: paths that a shell or Windows knows", "[config][ten]") {
  CHECK(told(R"(
version: 1
stages:
  - files: { path: ~/Pictures }
  - write: { path: 'D:\small\{path}' }
)") == R"(
p.yaml:3:20: error: '~' is the home folder only to a shell [foreign-path]
      - files: { path: ~/Pictures }
                       ^~~~~~~~~~
  at: stages[0].files.path
  hint: use ${env:HOME}
  fix: - files: { path: "${env:HOME}/Pictures" }
p.yaml:4:20: error: this is a path of Windows [foreign-path]
      - write: { path: 'D:\small\{path}' }
                       ^~~~~~~~~~~~~~~~~
  at: stages[1].write.path
  hint: folders are parted by '/'; under WSL the drive is /mnt/d
)");
}

TEST_CASE("mistake 9: a tab, which does not hide the other mistakes", "[config][ten]") {
  CHECK(told("\n"
             "version: 1\n"
             "stages:\n"
             "  - files: { path: in }\n"
             "  - resize:\n"
             "\t  width: 800\n"
             "  - deskew: { max_angel: 5 }\n"
             "  - write: { path: \"out/{stem}.jpg\" }\n") == R"(
p.yaml:5:1: error: a tab cannot indent a line [tab-indentation]
    \t  width: 800
    ^~
  hint: use spaces
p.yaml:6:15: error: unknown option 'max_angel' of 'deskew' [unknown-option]
      - deskew: { max_angel: 5 }
                  ^~~~~~~~~
  at: stages[2].deskew.max_angel
  hint: did you mean 'max_angle'?
  fix: - deskew: { max_angle: 5 }
)");
}

TEST_CASE("mistake 10: an option beside its stage, and options of others", "[config][ten]") {
  CHECK(told(R"(
version: 1
stages:
  - files: { path: in }
  - resize:
    width: 800
  - orient: { quality: 80 }
    max_angle: 5
  - write: { path: "out/{stem}.jpg" }
)") == R"(
p.yaml:5:5: error: 'width' is an option of 'resize' but stands beside it [misplaced-key]
        width: 800
        ^~~~~
  at: stages[1].width
  hint: indent it further than 'resize:', or write resize: { width: ... }
p.yaml:6:15: error: unknown option 'quality' of 'orient' [misplaced-key]
      - orient: { quality: 80 }
                  ^~~~~~~
  at: stages[2].orient.quality
  hint: 'quality' is valid under 'write'
p.yaml:7:5: error: unknown key 'max_angle' beside 'orient' [misplaced-key]
        max_angle: 5
        ^~~~~~~~~
  at: stages[2].max_angle
  hint: 'max_angle' is valid under 'deskew'
)");
}
