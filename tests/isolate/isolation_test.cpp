// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// A stage gives in a process of its own what it gives here.

#include <unistd.h>

#include "isolate/isolated.hpp"
#include "isolate/shared_pixels.hpp"
#include "support/pictures.hpp"

using namespace millrace_test;
using millrace::testing::difference;
using millrace::testing::noise;

namespace {

std::shared_ptr<const std::vector<std::byte>> some_bytes(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 251);
  return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

Image full_image(const cv::Mat& pixels) {
  Image image;
  image.pixels = pixels;
  image.full_size = {4000, 3000};
  image.orientation = Orientation::rotated_90_clockwise;
  image.resolution = Resolution{300, 150.5};
  image.icc_profile = some_bytes(3144);
  image.format = "tiff";
  return image;
}

void check_same(const Image& a, const Image& b) {
  CHECK(a.pixels.type() == b.pixels.type());
  CHECK(difference(a.pixels, b.pixels) == 0);
  CHECK(a.full_size == b.full_size);
  CHECK(a.orientation == b.orientation);
  CHECK(a.resolution == b.resolution);
  REQUIRE((a.icc_profile && b.icc_profile));
  CHECK(*a.icc_profile == *b.icc_profile);
  CHECK(a.format == b.format);
}

Text some_text(int words) {
  Text text;
  Text::Line line;
  for (int i = 0; i < words; ++i)
    line.words.push_back({"word" + std::to_string(i), {i, 2, 3, 4}, static_cast<float>(i) / 3});
  line.box = {1, 2, 3, 4};
  line.baseline_slope = -0.25F;
  line.descender = 3.5F;
  Text::Paragraph paragraph;
  paragraph.lines = {line, {}};
  paragraph.left_to_right = false;
  Text::Block block;
  block.paragraphs.push_back(paragraph);
  block.kind = Text::Block::Kind::rule;
  block.text_angle = 270;
  text.blocks = {block, {}};
  text.page_size = {2480, 3508};
  text.dots_per_inch = 300;
  text.language = "eng+deu";
  text.page = 7;
  text.source = "a.tif";
  return text;
}

/// The text as hOCR, which holds all there is in it.
std::vector<std::byte> hocr_of(const Stages& stages, const Text& text) {
  const auto render = stages.planned("render", {{"format", "hocr"}});
  const auto worker = render.stage->make_worker(Context());
  return *std::get<Bytes>(outcome_of(*worker, text).made.at(0).first).data;
}

}  // namespace

TEST_CASE("a picture of any type comes back from another process as it was", "[isolate]") {
  const Stages stages;
  Apart pass(stages.planned("pass_image")), resize(stages.planned("resize", {{"width", "37"}}));
  const auto here = stages.planned("resize", {{"width", "37"}});
  const auto worker = here.stage->make_worker(Context());
  for (const int type : millrace::testing::pixel_types())
    for (const cv::Size size : {cv::Size(1, 1), cv::Size(701, 503)}) {
      const Image image = full_image(noise(size, type));
      check_same(std::get<Image>(pass.one(image)), image);
      check_same(std::get<Image>(resize.one(image)),
                 std::get<Image>(outcome_of(*worker, image).made.at(0).first));
    }
}

TEST_CASE("a part of a picture is passed as a part", "[isolate]") {
  const Stages stages;
  Apart pass(stages.planned("pass_image"));
  const cv::Mat whole = noise({900, 700}, CV_8UC3);
  const Image part = full_image(whole(cv::Rect(11, 13, 500, 600)));
  check_same(std::get<Image>(pass.one(part)), part);
  const SharePixels sharing(true);
  const cv::Mat shared = whole.clone();
  REQUIRE(segment_of(shared));
  const Image shared_part = full_image(shared(cv::Rect(11, 13, 500, 600)));
  const auto back = std::get<Image>(pass.one(shared_part));
  check_same(back, part);
  CHECK(back.pixels.data == shared_part.pixels.data);  // nothing was copied
}

TEST_CASE("bytes and text come back from another process as they were", "[isolate]") {
  const Stages stages;
  Apart bytes(stages.planned("strike", {{"at", "b"}})), text(stages.planned("pass_text"));
  for (const std::size_t size : {0, 1, 20000, 3000000}) {
    const auto back = std::get<Bytes>(bytes.one(Bytes{some_bytes(size), "jpg"}));
    CHECK(*back.data == *some_bytes(size));
    CHECK(back.extension == "jpg");
  }
  CHECK_FALSE(std::get<Bytes>(bytes.one(Bytes{nullptr, "x"})).data);
  for (const int words : {0, 3, 20000})
    CHECK(hocr_of(stages, std::get<Text>(text.one(some_text(words)))) ==
          hocr_of(stages, some_text(words)));
}

TEST_CASE("settings, lists among them, reach the other process", "[isolate]") {
  const Stages stages;
  auto planned = stages.planned("tell", {{"length", "50%"}, {"time", "90s"}});
  Options options;
  planned.stage->options(options);
  Value list;
  list.kind = Value::Kind::list;
  for (const char* const word : {"a, b", "", "c\"\\\n", "~"})
    list.items.push_back(Value::scalar(word));
  REQUIRE_FALSE(options.find("words")->assign(list));
  Apart tell(std::move(planned));
  const auto told = *std::get<Bytes>(tell.one(Bytes())).data;
  const std::string text(reinterpret_cast<const char*>(told.data()), told.size());
  CHECK(text == "90s 50% [a, b] [] [c\"\\\n] [~]");
}

TEST_CASE("warnings and a skip come from the other process, which is another", "[isolate]") {
  const Stages stages;
  Apart tell(stages.planned("tell"));
  const auto first = tell.run(Bytes()), second = tell.run(Bytes());
  REQUIRE(first.warnings.size() == 1);
  CHECK(first.warnings[0] != "from " + std::to_string(::getpid()));
  CHECK(first.warnings == second.warnings);  // kept for the next item
  const auto skipped = outcome_of(tell.worker(), Bytes(), {"skip", {}, 0, {}});
  CHECK(skipped.skipped == "asked for");
  CHECK(skipped.made.empty());
}

TEST_CASE("an error keeps its kind and text on the way, and the process goes on", "[isolate]") {
  const Stages stages;
  Apart refuse(stages.planned("strike", {{"how", "refuse"}, {"at", "a.jpg"}}));
  try {
    refuse.run(Bytes());
    FAIL("it was not refused");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::transient);
    CHECK(std::string(error.what()) == "not now");
  }
  CHECK(outcome_of(refuse.worker(), Bytes(), {"b.jpg", {}, 0, {}}).made.size() == 1);
  CHECK(refuse.failure.empty());
}

TEST_CASE("an item becomes many pages in another process", "[isolate]") {
  const Stages stages;
  Apart pages(stages.planned("pages", {{"count", "40"}}));
  const Image image = full_image(noise({600, 500}, CV_8UC3));
  const auto outcome = pages.run(image);
  REQUIRE(outcome.made.size() == 40);
  for (std::uint32_t page = 1; page <= 40; ++page) {
    const auto& [payload, number] = outcome.made[page - 1];
    CHECK(number == page);
    const cv::Mat added =
        page % 2 == 0 ? cv::Mat(image.pixels + cv::Scalar::all(page)) : image.pixels;
    CHECK(difference(std::get<Image>(payload).pixels, added) == 0);
  }
}

TEST_CASE("a stage in another process cannot change its input, and may keep it", "[isolate]") {
  const Stages stages;
  Apart paint(stages.planned("paint")), previous(stages.planned("previous"));
  const SharePixels sharing(true);
  std::vector<Image> images;
  for (unsigned i = 0; i < 4; ++i) images.push_back(full_image(noise({700, 500}, CV_8UC3, i)));
  for (const Image& image : images) {
    const cv::Mat before = image.pixels.clone();
    const cv::Mat painted(before.size(), before.type(), cv::Scalar::all(7));
    CHECK(difference(std::get<Image>(paint.one(image)).pixels, painted) == 0);
    CHECK(difference(image.pixels, before) == 0);
  }
  for (unsigned i = 0; i < 4; ++i) {
    const auto before = noise({700, 500}, CV_8UC3, i == 0 ? 0 : i - 1);
    CHECK(difference(std::get<Image>(previous.one(std::move(images[i]))).pixels, before) == 0);
  }
}

TEST_CASE("a stray write into a picture that others have ends the stage's process", "[isolate]") {
  const Stages stages;
  const SharePixels sharing(true);
  for (const std::string late : {"false", "true"}) {
    Apart scribble(stages.planned("scribble", {{"late", late}}));
    const Image image = full_image(noise({700, 500}, CV_8UC3));
    const cv::Mat before = image.pixels.clone(), added = image.pixels + cv::Scalar::all(1);
    std::vector<Payload> made;
    ItemContext context(Context(), {"a", {}, 0, {}});
    CHECK_THROWS_WITH(
        scribble.worker().work(context, image, [&](Payload is, auto) { made.push_back(is); }),
        ContainsSubstring("was ended by signal 11 (SIGSEGV)"));
    CHECK(difference(image.pixels, before) == 0);
    REQUIRE(made.size() == (late == "true" ? 1 : 0));
    if (!made.empty()) CHECK(difference(std::get<Image>(made[0]).pixels, added) == 0);
  }
}

TEST_CASE("what a stage downstream needs is asked for from the other process", "[isolate]") {
  const Stages stages;
  const auto encode = stages.planned("encode", {{"format", "jpeg"}});
  const auto encoder = encode.stage->make_worker(Context());
  Image photo;
  photo.pixels = millrace::testing::photo_like({1600, 1200});
  const Payload file = outcome_of(*encoder, photo).made.at(0).first;
  auto planned = stages.planned("decode");
  planned.downstream.gray = true;
  planned.downstream.target_size = [](cv::Size full) { return full / 8; };
  REQUIRE(planned.stage->accept(planned.downstream).empty());
  const auto worker = planned.stage->make_worker(Context());
  const auto here = std::get<Image>(outcome_of(*worker, file).made.at(0).first);
  REQUIRE(here.full_size == cv::Size(1600, 1200));
  Apart apart(std::move(planned));
  const auto there = std::get<Image>(apart.one(file));
  CHECK(there.full_size == here.full_size);
  CHECK(difference(there.pixels, here.pixels) == 0);
}

TEST_CASE("pictures outlive the process that made them", "[isolate]") {
  Image kept;
  {
    const Stages stages;
    Apart resize(stages.planned("resize", {{"width", "900"}}));
    kept = std::get<Image>(resize.one(full_image(noise({1000, 800}, CV_8UC3))));
    for (unsigned i = 0; i < 3; ++i)
      (void)resize.one(full_image(noise({1000, 800}, CV_8UC3, i + 7)));
  }
  const Stages stages;
  const auto here = stages.planned("resize", {{"width", "900"}});
  const auto worker = here.stage->make_worker(Context());
  const auto same = outcome_of(*worker, full_image(noise({1000, 800}, CV_8UC3)));
  CHECK(difference(kept.pixels, std::get<Image>(same.made.at(0).first).pixels) == 0);
  kept.pixels.release();
  CHECK(remains().empty());
}
