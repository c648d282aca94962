// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// The pipelines that are shipped, run as a newcomer would: on sample_data.

#include <filesystem>
#include <opencv2/core.hpp>
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

const fs::path root = MILLRACE_SOURCE_DIR;

Program::Ended run_on_samples(const std::string& config, const std::string& in,
                              const TemporaryFolder& out) {
  return Program({"run", config, "--set", "in=" + (root / in).string(), "--set",
                  "out=" + out.path().string()},
                 out.path())
      .wait();
}

Image decode(const fs::path& file) {
  const auto text = content_of(file);
  const auto opened = codecs::open(std::as_bytes(std::span(text)));
  ItemContext context{Context(), Origin()};
  return opened.reader->decode(1, {}, context);
}

/// What encode and decode would say of a file, without warnings of theirs.
bool has_no_metadata(const Image& image) {
  return !image.icc_profile && !image.resolution && image.orientation == Orientation::upright;
}

/// Mean colour of a part of the picture: blue, green, red.
cv::Scalar colour(const Image& image, const cv::Rect& part) { return cv::mean(image.pixels(part)); }

double error_against(const std::string& page, const std::string& read) {
  return character_error(read, content_of(root / "sample_data/truth" / (page + ".txt")));
}

}  // namespace

TEST_CASE("every pipeline that is shipped is sound", "[configs]") {
  for (const auto* folder : {"configs", "bench"})
    for (const auto& entry : fs::directory_iterator(root / folder)) {
      if (entry.path().extension() != ".yaml") continue;
      std::vector<std::string> words = {"check", entry.path()};
      if (folder == std::string("configs")) words.insert(words.end(), {"--set", "in=in"});
      const auto ended = Program(words, root).wait();
      INFO(ended.err);
      CHECK(ended.status == 0);
    }
}

TEST_CASE("convert.yaml makes JPEGs that fit in 1600 pixels, and enlarges none", "[configs]") {
  const TemporaryFolder out;
  const auto ended = run_on_samples("convert", "sample_data/photos", out);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  CHECK(decode(out / "lake.jpg").pixels.size() == cv::Size(1600, 1066));
  CHECK(decode(out / "mill.jpg").pixels.size() == cv::Size(1600, 1200));
  CHECK(decode(out / "lights.jpg").pixels.size() == cv::Size(1200, 1600));
  CHECK(decode(out / "stones.jpg").pixels.size() == cv::Size(1200, 1600));
  CHECK(decode(out / "dunes.jpg").pixels.size() == cv::Size(1600, 1067));
  CHECK(decode(out / "leaf.jpg").pixels.size() == cv::Size(720, 560));
  CHECK(decode(out / "night.jpg").pixels.size() == cv::Size(360, 240));
  CHECK(out.names().size() == 7);
}

TEST_CASE("convert.yaml turns the mill upright and puts the leaf on white", "[configs]") {
  const TemporaryFolder out;
  REQUIRE(run_on_samples("convert", "sample_data/photos", out).status == 0);
  const auto mill = decode(out / "mill.jpg");
  CHECK(mill.orientation == Orientation::upright);
  const auto water = colour(mill, {0, 1100, 1600, 100});
  const auto wall = colour(mill, {0, 0, 1600, 100});
  CHECK(water[0] > water[2]);  // more blue than red
  CHECK(wall[0] < wall[2]);
  CHECK(colour(decode(out / "leaf.jpg"), {0, 0, 40, 40})[1] > 250);
}

TEST_CASE("ocr.yaml reads the sample pages", "[configs]") {
  const TemporaryFolder out;
  const auto ended = run_on_samples("ocr", "sample_data/scans", out);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  for (const std::string page : {"clean", "skewed", "rotated", "columns", "three-pages-1",
                                 "three-pages-2", "three-pages-3"}) {
    INFO(page);
    CHECK(error_against(page, content_of(out / (page + ".txt"))) < 0.005);
    CHECK_THAT(content_of(out / (page + ".hocr")), ContainsSubstring("ocr_page"));
  }
  CHECK(error_against("noisy", content_of(out / "noisy.txt")) < 0.03);
  CHECK(out.names().size() == 16);
}

TEST_CASE("set-aside.yaml keeps the originals of what cannot be read", "[configs]") {
  const TemporaryFolder in, out;
  const auto photo = content_of(root / "sample_data/photos/leaf.png");
  in.file("a.png", photo);
  in.file("far/b.jpg", "no picture");
  in.file("far/c.jpg", content_of(root / "sample_data/photos/lake.jpg").substr(0, 5000));
  in.file("d.png", photo);
  const auto ended = Program({"run", "set-aside", "--set", "in=" + in.path().string(), "--set",
                              "out=" + out.path().string()},
                             out.path())
                         .wait();
  INFO(ended.out << ended.err);
  CHECK(ended.status == 1);
  CHECK_THAT(ended.out, ContainsSubstring("failed: far/b.jpg: decode") &&
                            ContainsSubstring("4 files: 2 done, 2 failed"));
  CHECK(decode(out / "a.jpg").pixels.size() == decode(out / "d.jpg").pixels.size());
  REQUIRE(std::filesystem::exists(out / "failed/far/b.jpg"));
  CHECK(content_of(out / "failed/far/b.jpg") == "no picture");
  CHECK(content_of(out / "failed/far/c.jpg") == content_of(in / "far/c.jpg"));
  CHECK_FALSE(std::filesystem::exists(out / "failed/a.png"));
  CHECK_FALSE(std::filesystem::exists(out / "far/c.jpg"));
}

TEST_CASE("set-aside.yaml sets nothing aside where all is well", "[configs]") {
  const TemporaryFolder out;
  const auto ended = run_on_samples("set-aside", "sample_data/photos", out);
  INFO(ended.out << ended.err);
  CHECK(ended.status == 0);
  CHECK(out.names().size() == 7);
}

TEST_CASE("thumbnails are squares of upright pictures without metadata", "[configs]") {
  const TemporaryFolder out;
  const auto ended = run_on_samples("thumbnails", "sample_data/photos", out);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  CHECK(out.names().size() == 7);
  for (const auto& name : out.names()) {
    INFO(name);
    const auto thumbnail = decode(out / name);
    // A picture that is smaller is enlarged: the squares are to be alike.
    CHECK(thumbnail.pixels.size() == cv::Size(320, 320));
    CHECK(has_no_metadata(thumbnail));
    CHECK(fs::file_size(out / name) < 60000);
  }
  const auto mill = decode(out / "mill.jpg");
  const auto water = colour(mill, {0, 300, 320, 20});
  CHECK(water[0] > water[2]);
}

TEST_CASE("web-sizes makes three sizes of each picture, and enlarges none", "[configs]") {
  const TemporaryFolder out;
  const auto ended = run_on_samples("web-sizes", "sample_data/photos", out);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  CHECK(out.names().size() == 21);
  CHECK(decode(out / "lake-1920.webp").pixels.size() == cv::Size(1920, 1280));
  CHECK(decode(out / "lake-1200.webp").pixels.size() == cv::Size(1200, 800));
  CHECK(decode(out / "lights-640.webp").pixels.size() == cv::Size(480, 640));
  CHECK(decode(out / "leaf-1920.webp").pixels.size() == cv::Size(720, 560));
  CHECK(decode(out / "leaf-640.webp").pixels.channels() == 4);
  CHECK(has_no_metadata(decode(out / "mill-1920.webp")));
  CHECK(fs::file_size(out / "lake-1920.webp") > fs::file_size(out / "lake-640.webp"));
}

TEST_CASE("reformat keeps size and transparency, and leaves all metadata out", "[configs]") {
  const TemporaryFolder out;
  const auto ended = run_on_samples("reformat", "sample_data/photos", out);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  CHECK(out.names().size() == 7);
  CHECK(decode(out / "leaf.webp").pixels.channels() == 4);
  const auto lights = decode(out / "lights.webp");
  CHECK(lights.pixels.size() == cv::Size(1500, 2000));
  CHECK(has_no_metadata(lights));
}

TEST_CASE("clean-scans gives level pages in black and white, as small files with a resolution",
          "[configs]") {
  const TemporaryFolder out;
  const auto ended = run_on_samples("clean-scans", "sample_data/scans", out);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  CHECK(out.names().size() == 8);
  const auto page = decode(out / "noisy.tif");
  CHECK(page.resolution == Resolution{200, 200});
  CHECK(cv::countNonZero(page.pixels == 0) + cv::countNonZero(page.pixels == 255) ==
        static_cast<int>(page.pixels.total()));
  // Ink is a small part of a page; stains and the shaded side are none.
  CHECK(cv::countNonZero(page.pixels == 0) < static_cast<int>(page.pixels.total()) / 10);
  CHECK(fs::file_size(out / "noisy.tif") * 2 < fs::file_size(root / "sample_data/scans/noisy.jpg"));
}

TEST_CASE("photo-pages reads pages under a lamp and with a shadow across", "[configs]") {
  const TemporaryFolder out;
  const auto ended = run_on_samples("photo-pages", "sample_data/phone", out);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  for (const std::string page : {"lamp", "shadow"}) {
    INFO(page);
    CHECK(error_against(page, content_of(out / (page + ".txt"))) < 0.01);
  }
}

TEST_CASE("split-tiff gives each page a file of its own, without loss", "[configs]") {
  const TemporaryFolder out;
  const auto ended = run_on_samples("split-tiff", "sample_data/scans", out);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  CHECK(out.names() == std::vector<std::string>{"three-pages-001.tif", "three-pages-002.tif",
                                                "three-pages-003.tif"});
  const auto text = content_of(root / "sample_data/scans/three-pages.tif");
  const auto opened = codecs::open(std::as_bytes(std::span(text)));
  ItemContext context{Context(), Origin()};
  const auto second = opened.reader->decode(2, {}, context);
  const auto page = decode(out / "three-pages-002.tif");
  CHECK(cv::countNonZero(page.pixels != second.pixels) == 0);
  CHECK(page.resolution == second.resolution);
}
