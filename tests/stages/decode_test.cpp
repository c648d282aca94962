// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <tiffio.h>

#include "codecs/samples.hpp"
#include "millrace/catalogue.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::samples;

namespace {

struct Emitted {
  Image image;
  std::optional<std::uint32_t> page;
};

/// The catalogue's stage, set up as the engine does it.
class DecodeStage {
 public:
  DecodeStage() { stage_->options(options_); }

  DecodeStage& set(const char* option, const char* value) {
    const auto complaint = options_.find(option)->assign(Value::scalar(value));
    if (complaint) throw std::runtime_error(*complaint);
    return *this;
  }
  DecodeStage& accept(const Demand& demand) {
    REQUIRE(stage_->accept(demand).empty());
    return *this;
  }
  /// What was emitted until the end or the error.
  std::vector<Emitted> run(File file) {
    std::vector<Emitted> out;
    ItemContext context = item();
    const auto worker = stage_->make_worker(context);
    const Emit emit = [&out](Payload payload, std::optional<std::uint32_t> page) {
      out.push_back({std::get<Image>(std::move(payload)), page});
    };
    error = error_of([&] { worker->work(context, Bytes{shared(std::move(file)), ""}, emit); });
    return out;
  }

  /// Of the demand that it makes of its input; `length` is the head's if not given.
  std::uint64_t memory(File head, const Demand& downstream,
                       std::optional<std::uint64_t> length = {}) {
    const std::uint64_t size = length.value_or(head.size());
    return stage_->demand(downstream).memory({shared(std::move(head)), ""}, size);
  }

  std::string error;

 private:
  std::unique_ptr<Stage> stage_ = Catalogue::instance().find("decode")->make();
  Options options_;
};

/// Three pages of different widths; where `broken`, the second says that it has no pixels.
File three_pages(bool broken) {
  return tiff_file([broken](TIFF* tiff) {
    for (const int width : {10, 20, 30}) {
      TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
      TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 4);
      TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, broken && width == 20 ? 32 : 8);
      TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      std::vector<std::uint8_t> row(128, 7);
      for (std::uint32_t y = 0; y < 4; ++y) TIFFWriteScanline(tiff, row.data(), y, 0);
      TIFFWriteDirectory(tiff);
    }
  });
}

Demand demand_for(cv::Size target) {
  Demand demand;
  demand.target_size = [target](cv::Size) { return target; };
  return demand;
}

File jpeg_of(cv::Size size, Orientation orientation = Orientation::upright) {
  Image picture = image(size, CV_8UC3);
  picture.orientation = orientation;
  return encoded(codecs::jpeg_codec, picture);
}

}  // namespace

TEST_CASE("decode gives a single picture without a page number", "[stage][decode]") {
  const auto out = DecodeStage().run(jpeg_of({40, 30}));
  REQUIRE(out.size() == 1);
  CHECK(out[0].image.pixels.size() == cv::Size(40, 30));
  CHECK(out[0].image.format == "jpeg");
  CHECK_FALSE(out[0].page);
}

TEST_CASE("decode gives the pages of a TIFF in order with their numbers", "[stage][decode]") {
  const auto out = DecodeStage().run(three_pages(false));
  REQUIRE(out.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    CHECK(out[i].page == i + 1);
    CHECK(out[i].image.pixels.cols == static_cast<int>(10 * (i + 1)));
  }
}

TEST_CASE("decode can be asked for the first page alone", "[stage][decode]") {
  const auto out = DecodeStage().set("pages", "first").run(three_pages(false));
  REQUIRE(out.size() == 1);
  CHECK_FALSE(out[0].page);
}

TEST_CASE("decode keeps the good pages of a TIFF and names the broken one", "[stage][decode]") {
  DecodeStage stage;
  const auto out = stage.run(three_pages(true));
  REQUIRE(out.size() == 2);
  CHECK(out[0].page == 1u);
  CHECK(out[1].page == 3u);
  CHECK(stage.error == "page 2 of 3: unsupported: 32 bits per sample");
}

TEST_CASE("decode checks max_pixels", "[stage][decode]") {
  DecodeStage stage;
  CHECK(stage.set("max_pixels", "1199").run(jpeg_of({40, 30})).empty());
  CHECK_THAT(stage.error, ContainsSubstring("above the limit of 1199; option max_pixels"));
}

TEST_CASE("decode fails on a cut file unless it is told to warn", "[stage][decode]") {
  const File file = cut(jpeg_of({200, 150}), 0.6);
  DecodeStage stage;
  CHECK(stage.run(file).empty());
  CHECK_THAT(stage.error, ContainsSubstring("truncated: ends after row"));
  CHECK(stage.set("truncated", "warn").run(file).size() == 1);
}

TEST_CASE("decode shrinks a JPEG to no less than twice the size that is needed",
          "[stage][decode]") {
  const std::pair<int, int> cases[] = {{800, 800}, {400, 800}, {200, 400}, {201, 800},
                                       {100, 200}, {50, 100},  {10, 100}};
  for (const auto& [needed, expected] : cases) {
    const auto out =
        DecodeStage().accept(demand_for({needed, needed / 2})).run(jpeg_of({800, 400}));
    CAPTURE(needed);
    CHECK(out.at(0).image.pixels.size() == cv::Size(expected, expected / 2));
  }
}

TEST_CASE("decode says how large a picture was that it made smaller", "[stage][decode]") {
  const auto shrunk = DecodeStage().accept(demand_for({50, 25})).run(jpeg_of({800, 400}));
  CHECK(shrunk.at(0).image.pixels.size() == cv::Size(100, 50));
  CHECK(shrunk.at(0).image.full_size == cv::Size(800, 400));
  const auto whole = DecodeStage().run(jpeg_of({800, 400}));
  CHECK(whole.at(0).image.full_size.empty());
}

TEST_CASE("decode looks at both axes before it shrinks", "[stage][decode]") {
  const auto size = [](cv::Size needed) {
    return DecodeStage()
        .accept(demand_for(needed))
        .run(jpeg_of({800, 400}))
        .at(0)
        .image.pixels.size();
  };
  CHECK(size({60, 200}) == cv::Size(800, 400));
  CHECK(size({60, 100}) == cv::Size(400, 200));
  CHECK(size({50, 10}) == cv::Size(100, 50));
}

TEST_CASE("decode turns the size that is needed by the file's orientation", "[stage][decode]") {
  Demand demand;
  demand.upright = true;
  cv::Size asked;
  demand.target_size = [&asked](cv::Size full) {
    asked = full;
    return cv::Size(100, 200);  // upright: 400 x 800
  };
  const auto turned =
      DecodeStage().accept(demand).run(jpeg_of({800, 400}, Orientation::rotated_90_clockwise));
  CHECK(asked == cv::Size(400, 800));
  CHECK(turned.at(0).image.pixels.size() == cv::Size(400, 200));
  demand.upright = false;
  const auto stored =
      DecodeStage().accept(demand).run(jpeg_of({800, 400}, Orientation::rotated_90_clockwise));
  CHECK(asked == cv::Size(800, 400));
  CHECK(stored.at(0).image.pixels.size() == cv::Size(800, 400));
}

TEST_CASE("decode does not shrink when it is told not to, or when nobody asks", "[stage][decode]") {
  const auto off =
      DecodeStage().set("shrink", "off").accept(demand_for({10, 5})).run(jpeg_of({800, 400}));
  CHECK(off.at(0).image.pixels.size() == cv::Size(800, 400));
  const auto none = DecodeStage().accept({}).run(jpeg_of({800, 400}));
  CHECK(none.at(0).image.pixels.size() == cv::Size(800, 400));
}

TEST_CASE("decode gives gray where colour is not looked at", "[stage][decode]") {
  Demand demand;
  demand.gray = true;
  CHECK(DecodeStage().accept(demand).run(jpeg_of({40, 30})).at(0).image.pixels.type() == CV_8UC1);
}

TEST_CASE("decode tells the memory of a picture and its result", "[stage][decode][memory]") {
  DecodeStage stage;
  const std::uint64_t whole = 800 * 400 * 3;
  const File png = encoded(codecs::png_codec, image({800, 400}, CV_8UC3));
  CHECK(stage.memory(png, {}) == 2 * whole);  // the picture and a stage's result of that size
  const auto small = stage.memory(png, demand_for({80, 40}));
  CHECK(small > whole + png.size());  // the content, the picture, the library's rows
  CHECK(small < 1.2 * whole);
  CHECK(stage.memory(png, demand_for({1600, 800})) == 2 * 4 * whole);
  CHECK(stage.memory(jpeg_of({800, 400}), demand_for({100, 50})) < whole / 2);
  stage.set("shrink", "off");
  CHECK(stage.memory(jpeg_of({800, 400}), demand_for({100, 50})) > whole);
}

TEST_CASE("decode counts more than one page of a file of pages", "[stage][decode][memory]") {
  DecodeStage stage;
  CHECK(stage.memory(three_pages(false), {}) >= 5 * 40);
  CHECK(stage.set("pages", "first").memory(three_pages(false), {}) < 5 * 40 + 600);
}

TEST_CASE("decode tells the length of what it does not decode", "[stage][decode][memory]") {
  DecodeStage stage;
  const File text(1000, std::byte{'x'});
  CHECK(stage.memory(text, {}) == 1000);
  CHECK(stage.memory({}, {}) == 0);
  const File cut_off = cut(jpeg_of({800, 400}), 0.01);
  CHECK(stage.memory(cut_off, {}) == cut_off.size());         // broken: all of the file is there
  CHECK(stage.memory(cut_off, {}, 200'000) == 16 * 200'000);  // the rest may hold the header
  const File file = jpeg_of({800, 400});
  CHECK(stage.set("max_pixels", "319999").memory(file, {}) == file.size());
}

TEST_CASE("decode may be put in by the plan", "[stage][decode]") {
  const auto* entry = Catalogue::instance().find("decode");
  REQUIRE(entry != nullptr);
  CHECK(entry->role == Role::converter);
  CHECK(entry->make()->takes() == std::vector{PayloadKind::bytes});
  CHECK(entry->make()->gives() == PayloadKind::image);
}
