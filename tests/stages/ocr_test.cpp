// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "millrace/catalogue.hpp"
#include "millrace/plugin.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
namespace fs = std::filesystem;

namespace {

struct Setting {
  std::string name, value;
};

std::unique_ptr<Stage> make_ocr(const std::vector<Setting>& settings = {}) {
  load_manifests();
  REQUIRE(Catalogue::instance().find("ocr") != nullptr);
  auto stage = Catalogue::instance().find("ocr")->make();
  Options options;
  stage->options(options);
  for (const auto& [name, value] : settings)
    REQUIRE_FALSE(options.find(name)->assign(Value::scalar(value)).has_value());
  return stage;
}

/// Black on white, one line below the other.
cv::Mat draw(const std::vector<std::string>& lines) {
  cv::Mat pixels(60 + 80 * static_cast<int>(lines.size()), 900, CV_8U, cv::Scalar(255));
  for (std::size_t i = 0; i < lines.size(); ++i)
    cv::putText(pixels, lines[i], {40, 80 + 80 * static_cast<int>(i)}, cv::FONT_HERSHEY_DUPLEX, 1.5,
                cv::Scalar(0), 2, cv::LINE_AA);
  return pixels;
}

Image picture(cv::Mat pixels) {
  Image image;
  image.pixels = std::move(pixels);
  image.resolution = Resolution{200, 200};
  return image;
}

Text read(StageWorker& worker, Image image, const Context& context = {}) {
  Origin origin;
  origin.path = "scans/a.png";
  ItemContext item(context, std::move(origin));
  Text text;
  worker.work(item, std::move(image),
              [&](Payload payload, auto) { text = std::get<Text>(std::move(payload)); });
  return text;
}

std::string words(const Text& text) {
  std::string words;
  for (const auto& block : text.blocks)
    for (const auto& paragraph : block.paragraphs)
      for (const auto& line : paragraph.lines)
        for (const auto& word : line.words) words += (words.empty() ? "" : " ") + word.text;
  return words;
}

const std::vector<std::string> mill = {"The water drives the wheel", "and the wheel the stone"};
const std::string mill_words = "The water drives the wheel and the wheel the stone";

/// A page of many lines, on which recognition takes some seconds.
cv::Mat long_page() {
  std::vector<std::string> lines;
  for (int i = 0; i < 20; ++i)
    lines.push_back("The miller grinds sack number " + std::to_string(i));
  return draw(lines);
}

}  // namespace

TEST_CASE("ocr reads the words of a page, with their places", "[stage][ocr]") {
  const auto stage = make_ocr();
  CHECK(stage->check().empty());
  const Text text = read(*stage->make_worker({}), picture(draw(mill)));
  CHECK(words(text) == mill_words);
  CHECK(text.page_size == cv::Size(900, 220));
  CHECK(text.dots_per_inch == 200);
  CHECK(text.language == "eng");
  CHECK(text.page == 1);
  CHECK(text.source == "scans/a.png");
  const auto& line = text.blocks.at(0).paragraphs.at(0).lines.at(0);
  const auto& word = line.words.at(1);
  CHECK(word.confidence > 60);
  CHECK(word.confidence <= 100);
  CHECK((word.box & line.box) == word.box);
  CHECK(std::abs(word.box.br().y - 80) <= 4);  // "water" stands on the baseline
  CHECK_THAT(line.box.br().y + line.baseline_offset, WithinAbs(80, 4));
  CHECK_THAT(line.baseline_slope, WithinAbs(0, 0.01));
  CHECK(line.x_height > 15);
}

TEST_CASE("ocr reads every kind of picture as its gray, upright view", "[stage][ocr]") {
  const auto stage = make_ocr();
  const auto worker = stage->make_worker({});
  const cv::Mat gray = draw(mill);
  const std::string expected = words(read(*worker, picture(gray)));
  cv::Mat colour, deep, alpha;
  cv::cvtColor(gray, colour, cv::COLOR_GRAY2BGR);
  gray.convertTo(deep, CV_16U, 257);
  // Black everywhere: the words are in the alpha channel alone.
  cv::Mat ink;
  cv::bitwise_not(gray, ink);
  cv::merge(std::vector<cv::Mat>{ink * 0, ink * 0, ink * 0, ink}, alpha);
  CHECK(expected == mill_words);
  CHECK(words(read(*worker, picture(colour))) == expected);
  CHECK(words(read(*worker, picture(deep))) == expected);
  CHECK(words(read(*worker, picture(alpha))) == expected);
}

TEST_CASE("ocr turns a picture as its orientation tag says", "[stage][ocr]") {
  const auto stage = make_ocr();
  const auto worker = stage->make_worker({});
  const cv::Mat page = draw(mill);
  const auto stored = [&](Orientation orientation) {
    Image image = picture({});
    image.orientation = orientation;
    const int tag = static_cast<int>(orientation);
    cv::Mat pixels = page;
    if (tag >= 5) cv::transpose(page, pixels);
    const bool across = tag == 2 || tag == 3 || tag == 7 || tag == 8;
    const bool down = tag == 3 || tag == 4 || tag == 6 || tag == 7;
    if (across) cv::flip(pixels, image.pixels, 1), pixels = image.pixels.clone();
    if (down) cv::flip(pixels, image.pixels, 0), pixels = image.pixels.clone();
    image.pixels = pixels;
    return image;
  };
  for (int tag = 1; tag <= 8; ++tag) {
    INFO("orientation " << tag);
    const Text text = read(*worker, stored(static_cast<Orientation>(tag)));
    CHECK(text.page_size == page.size());
    CHECK(words(text) == mill_words);
  }
}

TEST_CASE("ocr leaves the caller's pixels as they are", "[stage][ocr]") {
  const auto stage = make_ocr();
  const cv::Mat pixels = draw(mill);
  const cv::Mat before = pixels.clone();
  read(*stage->make_worker({}), picture(pixels));
  CHECK(cv::norm(pixels, before, cv::NORM_INF) == 0);
}

TEST_CASE("a page without ink, however small, has no text", "[stage][ocr]") {
  const auto stage = make_ocr();
  const auto worker = stage->make_worker({});
  for (const cv::Size size :
       {cv::Size(1, 1), cv::Size(3, 2000), cv::Size(2000, 1), cv::Size(600, 800)}) {
    const Text text = read(*worker, picture(cv::Mat(size, CV_8U, cv::Scalar(255))));
    CHECK(words(text).empty());
    CHECK(text.page_size == size);
  }
}

TEST_CASE("ocr refuses a picture that the engine cannot hold, with the numbers", "[stage][ocr]") {
  const auto stage = make_ocr();
  const auto worker = stage->make_worker({});
  const auto message = [&](cv::Size size) -> std::string {
    // Never touched, and not to be written: the system has to have no memory for it.
    const auto bytes = static_cast<std::size_t>(size.area());
    void* const nothing = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(nothing != MAP_FAILED);
    const std::shared_ptr<void> end(nothing, [bytes](void* begin) { ::munmap(begin, bytes); });
    const cv::Mat pixels(size, CV_8U, nothing);
    try {
      read(*worker, picture(pixels));
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::input);
      return error.what();
    }
    return "it was read";
  };
  CHECK_THAT(message({32768, 4}), ContainsSubstring("32768x4") && ContainsSubstring("32767"));
  CHECK_THAT(message({4, 32768}), ContainsSubstring("4x32768"));
  CHECK_THAT(message({32767, 16385}), ContainsSubstring("536870912"));
}

TEST_CASE("a page's text does not depend on the pages before it", "[stage][ocr]") {
  const auto stage = make_ocr();
  const std::vector<cv::Mat> pages = {draw(mill), draw({"Grist 17 & flour, 30 lbs."}),
                                      draw({"quern", "millstone", "sluice gate"})};
  std::vector<std::string> alone;
  for (const auto& page : pages)
    alone.push_back(words(read(*stage->make_worker({}), picture(page))));
  const auto worker = stage->make_worker({});
  for (const std::size_t i : {2U, 0U, 1U, 1U, 0U, 2U})
    CHECK(words(read(*worker, picture(pages[i]))) == alone[i]);
}

TEST_CASE("cancelling ends a page early and the engine reads on afterwards", "[stage][ocr]") {
  const auto stage = make_ocr();
  const auto worker = stage->make_worker({});
  const cv::Mat page = long_page();
  const std::string whole = words(read(*worker, picture(page)));
  REQUIRE(whole.size() > 500);

  bool was_read = true;
  for (int attempt = 0; attempt < 20 && was_read; ++attempt) {  // the cancel may come too late
    const Context context;
    std::jthread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      context.cancel();
    });
    try {
      read(*worker, picture(page), context);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::cancelled);
      was_read = false;
    }
  }
  CHECK_FALSE(was_read);
  CHECK(words(read(*worker, picture(page))) == whole);
}

TEST_CASE("a deadline in the middle of a page is told as one", "[stage][ocr]") {
  const auto stage = make_ocr();
  const auto worker = stage->make_worker({});
  const auto context = Context().child(std::chrono::milliseconds(100));
  try {
    read(*worker, picture(long_page()), context);
    FAIL("it was read to its end");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::cancelled);
    CHECK_THAT(error.what(), ContainsSubstring("deadline"));
  }
}

TEST_CASE("two workers read at once, on their own threads and no others", "[stage][ocr]") {
  cv::setNumThreads(0);  // as the runner does
  const auto stage = make_ocr();
  const cv::Mat page = long_page();
  const millrace_test::ThreadCount threads;
  std::atomic<int> left = 2;
  std::vector<std::string> read_words(2);
  std::vector<std::thread> workers;
  for (auto& result : read_words)
    workers.emplace_back([&] {
      result = words(read(*stage->make_worker({}), picture(page)));
      --left;
    });
  std::size_t most = 0;
  while (left > 0) {
    most = std::max(most, millrace_test::live_threads());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  for (auto& worker : workers) worker.join();
  CHECK(most <= threads.before() + 2);
  CHECK(read_words[0] == read_words[1]);
  CHECK(read_words[0].size() > 500);
}

TEST_CASE("a language that is not there is named with those that are", "[stage][ocr]") {
  const auto complaints = make_ocr({{"languages", "eng+nol_x"}})->check();
  REQUIRE(complaints.size() == 1);
  CHECK_THAT(complaints[0], ContainsSubstring("'nol_x'") && ContainsSubstring("which has ") &&
                                ContainsSubstring("eng") &&
                                ContainsSubstring("tesseract-ocr-nol-x"));
  CHECK_THAT(make_ocr({{"languages", "English"}})->check().at(0),
             ContainsSubstring("code of three letters") && !ContainsSubstring("apt install"));
  const auto elsewhere = make_ocr({{"tessdata", "/not/there"}})->check();
  REQUIRE(elsewhere.size() == 1);
  CHECK_THAT(elsewhere[0], ContainsSubstring("'eng' is not in /not/there, which has none"));
  CHECK_THAT(make_ocr({{"tessdata", "/not/there"}, {"languages", "ours"}})->check().at(0),
             !ContainsSubstring("three letters"));
  CHECK(make_ocr({{"languages", "+"}})->check().size() == 1);
}

TEST_CASE("a language file that is damaged is told when the worker starts", "[stage][ocr]") {
  std::string folder = (fs::temp_directory_path() / "millrace-tessdata-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  std::ofstream(fs::path(folder) / "xyz.traineddata") << "nothing of use";
  const auto stage = make_ocr({{"languages", "xyz"}, {"tessdata", folder}});
  CHECK(stage->check().empty());
  try {
    stage->make_worker({});
    FAIL("it started");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::config);
    CHECK_THAT(error.what(), ContainsSubstring("'xyz'") && ContainsSubstring(folder));
  }
  fs::remove_all(folder);
}

TEST_CASE("ocr takes a resolution that is credible and leaves one that is not", "[stage][ocr]") {
  const cv::Mat page = draw(mill);
  const auto resolution = [&](const Stage& stage, Resolution own, Orientation orientation) {
    Image image = picture(page);
    image.resolution = own;
    image.orientation = orientation;
    return read(*stage.make_worker({}), std::move(image)).dots_per_inch;
  };
  const auto stage = make_ocr();
  CHECK(resolution(*stage, {300, 150}, Orientation::upright) == 150);
  CHECK(resolution(*stage, {300, 150}, Orientation::rotated_90_clockwise) == 300);
  CHECK(resolution(*stage, {1, 1}, Orientation::upright) == std::nullopt);
  CHECK(resolution(*stage, {5000, 5000}, Orientation::upright) == std::nullopt);
  CHECK(resolution(*make_ocr({{"dpi", "400"}}), {1, 1}, Orientation::upright) == 400);
}

TEST_CASE("ocr asks for gray pictures", "[stage][ocr]") { CHECK(make_ocr()->demand({}).gray); }
