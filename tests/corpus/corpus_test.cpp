// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// Both shipped pipelines on real photos and scans, which are no part of the project: their folder
// is named by MILLRACE_CORPUS. Where that is unset each test says that it is skipped.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <span>
#include <string>

#include "millrace/stage.hpp"
#include "stages/codecs/codec.hpp"
#include "support/catch.hpp"
#include "support/edit_distance.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace millrace;
namespace fs = std::filesystem;

namespace {

std::optional<fs::path> corpus(const char* part) {
  const char* folder = std::getenv("MILLRACE_CORPUS");
  if (folder && *folder) return fs::path(folder) / part;
  std::cout << "skipped: MILLRACE_CORPUS is not set\n";
  return std::nullopt;
}

testing::Program::Ended run_pipeline(const fs::path& pipeline, const fs::path& in,
                                     const fs::path& out) {
  testing::Program program(
      {"run", pipeline.string(), "--set", "in=" + in.string(), "--set", "out=" + out.string()},
      MILLRACE_SOURCE_DIR);
  return program.wait(std::chrono::minutes(15));
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Image picture(const fs::path& file) {
  INFO(file);
  const std::string text = text_of(file);
  const auto content = std::as_bytes(std::span(text));
  ItemContext context(Context(), Origin{file.filename().string(), file, 0, std::nullopt});
  return codecs::open(content).reader->decode(1, {}, context);
}

/// Without the detail in which the samples differ: each has its number drawn over the middle.
cv::Mat small(const Image& image) {
  REQUIRE(image.pixels.size() == cv::Size(600, 450));
  cv::Mat small;
  cv::resize(image.pixels, small, cv::Size(20, 15), 0, 0, cv::INTER_AREA);
  return small;
}

/// What the `tesseract` program reads on a page.
std::string read_by_tesseract(const fs::path& page) {
  const std::string command =
      "OMP_THREAD_LIMIT=1 tesseract '" + page.string() + "' stdout 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(::popen(command.c_str(), "r"), ::pclose);
  REQUIRE(output);
  std::string text;
  std::array<char, 4096> buffer;
  while (const auto count = std::fread(buffer.data(), 1, buffer.size(), output.get()))
    text.append(buffer.data(), count);
  return text;
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

}  // namespace

TEST_CASE("camera photos become upright pictures of 1600 pixels", "[corpus]") {
  const auto photos = corpus("img/photos");
  if (!photos) return;
  const testing::TemporaryFolder out;
  const auto ended = run_pipeline("configs/convert.yaml", *photos, out.path());
  CHECK(ended.status == 0);
  CHECK_THAT(ended.out, ContainsSubstring("8 files: 8 done"));
  CHECK(files_in(out.path()) == 8);
  for (const auto& file : fs::directory_iterator(out.path())) {
    const Image image = picture(file.path());
    CHECK(std::max(image.pixels.cols, image.pixels.rows) == 1600);
    CHECK(image.orientation == Orientation::upright);
  }
}

TEST_CASE("a picture stored in each orientation comes out the same way up", "[corpus]") {
  const auto orientation = corpus("img/orientation");
  if (!orientation) return;
  const testing::TemporaryFolder out;
  REQUIRE(run_pipeline("configs/convert.yaml", *orientation, out.path()).status == 0);
  const cv::Mat first = small(picture(out.path() / "Landscape_1.jpg"));
  for (int i = 2; i <= 8; ++i) {
    const cv::Mat other = small(picture(out.path() / ("Landscape_" + std::to_string(i) + ".jpg")));
    const double distance = cv::norm(other, first, cv::NORM_L1);
    for (const int axes : {-1, 0, 1}) {  // both, top and bottom, left and right
      cv::Mat wrong;
      cv::flip(other, wrong, axes);
      CHECK(distance < 0.5 * cv::norm(wrong, first, cv::NORM_L1));
    }
  }
}

TEST_CASE("broken files are named, and the good ones among them are converted", "[corpus]") {
  const auto broken = corpus("img/broken");
  if (!broken) return;
  const testing::TemporaryFolder out;
  const auto pipeline = out.path() / "pipeline.yaml";
  std::ofstream(pipeline) << "version: 1\nvars: { in: '', out: '' }\nstages:\n"
                             "  - files: { path: '${in}' }\n  - decode\n"
                             "  - write: { path: '${out}/{path}.png' }\n";
  const auto results = out.path() / "results";
  const auto ended = run_pipeline(pipeline, *broken, results);
  CHECK(ended.status == 1);
  CHECK_THAT(ended.out, ContainsSubstring("19 files: 5 done, 14 failed"));
  CHECK_THAT(ended.out, ContainsSubstring("zero_byte.jpg: decode: is empty"));
  CHECK_THAT(ended.out, ContainsSubstring("failed: 5 files: decode: truncated: ends after row"));
  CHECK_THAT(ended.out, ContainsSubstring("trunc_50pct.jpg: truncated: ends after row 208 of 450"));
  CHECK(files_in(results) == 5);
}

TEST_CASE("pages are read no worse than by the tesseract program", "[corpus]") {
  const auto pages = corpus("pages");
  if (!pages) return;
  const testing::TemporaryFolder out;
  REQUIRE(run_pipeline("configs/ocr.yaml", *pages, out.path()).status == 0);
  int compared = 0;
  for (const auto& file : fs::directory_iterator(*pages)) {
    const auto stem = file.path().stem().string();
    if (!stem.starts_with("oldbook_") && stem != "phototest" && stem != "linn") continue;
    const auto truth = text_of(*pages / "gt" / (stem + ".txt"));
    REQUIRE_FALSE(truth.empty());
    INFO(stem);
    const double ours = character_error(text_of(out.path() / (stem + ".txt")), truth);
    const double theirs = character_error(read_by_tesseract(file.path()), truth);
    CHECK(theirs < 0.05);  // or the program is not there
    CHECK(ours <= theirs);
    ++compared;
  }
  CHECK(compared == 8);
}
