// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// The sample photos through a whole pipeline, against what another program makes of them.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <opencv2/core.hpp>
#include <span>
#include <string>

#include "stages/codecs/codec.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace millrace;
namespace fs = std::filesystem;

namespace {

cv::Mat pixels_of(const fs::path& file) {
  INFO(file);
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto content = std::as_bytes(std::span(text));
  ItemContext context(Context(), Origin{file.filename().string(), file, 0, std::nullopt});
  return codecs::open(content).reader->decode(1, {}, context).pixels;
}

}  // namespace

TEST_CASE("the sample photos look as another program makes them", "[goldens]") {
  const testing::TemporaryFolder folder;
  folder.file("p.yaml",
              "version: 1\nstages:\n"
              "  - files: { path: " MILLRACE_SOURCE_DIR
              "/sample_data/photos }\n"
              "  - orient\n"
              "  - resize: { width: 160, height: 160 }\n"
              "  - write: { path: 'out/{stem}.jpg', quality: 98, chroma: '4:4:4' }\n");
  testing::Program program({"run", "p.yaml"}, folder.path());
  REQUIRE(program.wait().status == 0);
  int compared = 0;
  for (const auto& golden : fs::directory_iterator(MILLRACE_SOURCE_DIR "/tests/goldens")) {
    if (golden.path().extension() != ".png") continue;
    const auto stem = golden.path().stem().string();
    const cv::Mat expected = pixels_of(golden.path());
    const cv::Mat made = pixels_of(folder.path() / "out" / (stem + ".jpg"));
    INFO(stem);
    REQUIRE(made.type() == expected.type());
    REQUIRE(made.size() == expected.size());
    CHECK(cv::norm(made, expected, cv::NORM_L1) / static_cast<double>(made.total() * 3) < 2.0);
    CHECK(cv::norm(made, expected, cv::NORM_INF) < 64);
    ++compared;
  }
  CHECK(compared >= 5);
}
