// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "codecs/samples.hpp"
#include "millrace/catalogue.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::samples;

namespace {

/// The catalogue's stage, set up as the engine does it.
class EncodeStage {
 public:
  EncodeStage() { stage_->options(options_); }

  EncodeStage& set(const char* option, const char* value) {
    const auto complaint = options_.find(option)->assign(Value::scalar(value));
    if (complaint) throw std::runtime_error(*complaint);
    return *this;
  }
  std::vector<std::string> check() { return stage_->check(); }
  std::vector<std::string> accept(const char* extension) {
    Demand demand;
    demand.extension = extension;
    return stage_->accept(demand);
  }
  Bytes run(Image picture) {
    Bytes out;
    ItemContext context = item();
    const auto worker = stage_->make_worker(context);
    worker->work(context, std::move(picture),
                 [&out](Payload payload, auto) { out = std::get<Bytes>(std::move(payload)); });
    return out;
  }

 private:
  std::unique_ptr<Stage> stage_ = Catalogue::instance().find("encode")->make();
  Options options_;
};

Image picture_of(const char* format) {
  Image picture = image({40, 30}, CV_8UC3);
  picture.format = format;
  return picture;
}

std::string format_of(const Bytes& bytes) {
  return std::string(codecs::open(*bytes.data).codec->name);
}

}  // namespace

TEST_CASE("encode keeps the format that a picture was read with", "[stage][encode]") {
  const std::pair<const char*, const char*> cases[] = {
      {"jpeg", "jpg"}, {"png", "png"}, {"webp", "webp"}, {"tiff", "tif"}};
  for (const auto& [format, extension] : cases) {
    const Bytes out = EncodeStage().run(picture_of(format));
    CHECK(format_of(out) == format);
    CHECK(out.extension == extension);
  }
}

TEST_CASE("encode writes PNG where no format is known", "[stage][encode]") {
  CHECK(format_of(EncodeStage().run(picture_of(""))) == "png");
}

TEST_CASE("encode follows the extension of the file that is written", "[stage][encode]") {
  const std::pair<const char*, const char*> cases[] = {
      {"JPG", "jpeg"}, {"jpeg", "jpeg"}, {"png", "png"}, {"WebP", "webp"}, {"TIFF", "tiff"}};
  for (const auto& [extension, format] : cases) {
    EncodeStage stage;
    REQUIRE(stage.accept(extension).empty());
    CHECK(format_of(stage.run(picture_of("png"))) == format);
  }
}

TEST_CASE("encode complains of an extension that it does not write, listing those it does",
          "[stage][encode]") {
  const auto complaints = EncodeStage().accept("bmp");
  REQUIRE(complaints.size() == 1);
  CHECK_THAT(complaints[0], ContainsSubstring("'.bmp'") &&
                                ContainsSubstring(".jpg, .jpeg, .png, .webp, .tif, .tiff"));
}

TEST_CASE("encode complains of a format that contradicts the extension", "[stage][encode]") {
  EncodeStage stage;
  stage.set("format", "webp");
  REQUIRE(stage.accept("jpg").size() == 1);
  CHECK_THAT(stage.accept("jpg")[0], ContainsSubstring("webp") && ContainsSubstring("'.jpg'"));
  CHECK(stage.accept("gif").size() == 1);
  CHECK(stage.accept("WEBP").empty());
  CHECK(stage.accept("").empty());
  CHECK(stage.accept("thumb").empty());
  CHECK(format_of(stage.run(picture_of("jpeg"))) == "webp");
}

TEST_CASE("encode complains of settings that mean nothing for its format", "[stage][encode]") {
  CHECK(EncodeStage().set("format", "png").set("quality", "80").check().size() == 1);
  CHECK(EncodeStage().set("format", "jpeg").set("lossless", "true").check().size() == 1);
  CHECK(EncodeStage().set("format", "webp").set("chroma", "4:4:4").check().size() == 1);
  CHECK(EncodeStage().set("format", "jpeg").set("tiff_compression", "lzw").check().size() == 1);
  CHECK(EncodeStage().set("format", "jpeg").set("quality", "80").check().empty());
  CHECK(EncodeStage().set("quality", "80").set("lossless", "true").check().empty());
}

TEST_CASE("encode's settings reach the codecs", "[stage][encode]") {
  const auto size = [](const char* format, const char* option, const char* value) {
    return EncodeStage().set("format", format).set(option, value).run(picture_of("")).data->size();
  };
  CHECK(size("jpeg", "quality", "30") < size("jpeg", "quality", "90"));
  CHECK(size("jpeg", "chroma", "4:2:0") < size("jpeg", "chroma", "4:4:4"));
  CHECK(size("jpeg", "optimize", "true") < size("jpeg", "optimize", "false"));
  CHECK(size("webp", "lossless", "true") != size("webp", "lossless", "false"));
  CHECK(size("png", "png_level", "9") < size("png", "png_level", "0"));
  CHECK(size("tiff", "tiff_compression", "deflate") < size("tiff", "tiff_compression", "none"));
  CHECK(size("jpeg", "progressive", "true") != size("jpeg", "progressive", "false"));
}

TEST_CASE("encode lays transparency on the background that it is told", "[stage][encode]") {
  Image clear = picture_of("");
  clear.pixels = cv::Mat(16, 16, CV_8UC4, cv::Scalar::all(0));
  const auto at_centre = [&clear](EncodeStage& stage) {
    const Bytes out = stage.set("format", "jpeg").run(clear);
    return decoded(*out.data).pixels.at<cv::Vec3b>(8, 8);
  };
  EncodeStage white, red;
  red.set("background", "#ff0000");
  CHECK(at_centre(white) == cv::Vec3b(255, 255, 255));
  CHECK(at_centre(red)[2] >= 253);
  CHECK(at_centre(red)[0] <= 2);
}

TEST_CASE("encode does not change the picture that it is given", "[stage][encode]") {
  for (const auto* codec : codecs::all())
    for (const int type : {CV_8UC1, CV_8UC4, CV_16UC3}) {
      Image picture = image({33, 21}, type);
      const cv::Mat before = picture.pixels.clone();
      EncodeStage().set("format", std::string(codec->name).c_str()).run(picture);
      CHECK(largest_difference(picture.pixels, before) == 0);
    }
}

TEST_CASE("encode may be put in by the plan", "[stage][encode]") {
  const auto* entry = Catalogue::instance().find("encode");
  REQUIRE(entry != nullptr);
  CHECK(entry->role == Role::converter);
  CHECK(entry->make()->takes() == std::vector{PayloadKind::image});
  CHECK(entry->make()->gives() == PayloadKind::bytes);
}

TEST_CASE("encode writes the picture alone where it is told to strip", "[stage][encode]") {
  for (const char* format : {"jpeg", "png", "webp", "tiff"}) {
    INFO(format);
    Image picture = picture_of(format);
    picture.orientation = Orientation::rotated_90_clockwise;
    picture.resolution = Resolution{300, 300};
    picture.icc_profile = std::make_shared<const File>(srgb_profile());
    const Bytes out = EncodeStage().set("strip", "true").run(picture);
    const Image read = decoded(*out.data);
    CHECK(read.pixels.size() == cv::Size(30, 40));
    CHECK(read.orientation == Orientation::upright);
    CHECK(read.icc_profile == nullptr);
    CHECK_FALSE(read.resolution.has_value());
    CHECK(picture.pixels.size() == cv::Size(40, 30));
  }
}
