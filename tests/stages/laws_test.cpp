// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// What every stage owes, checked over the catalogue: a new stage is covered by being there.

#include <filesystem>
#include <map>
#include <opencv2/core.hpp>
#include <thread>

#include "millrace/catalogue.hpp"
#include "support/catch.hpp"

using namespace millrace;

namespace {

/// Settings for the stages that cannot run on their defaults alone.
const std::map<std::string, std::map<std::string, std::string>> needed_settings{
    {"files", {{"path", "/"}}},
    {"resize", {{"width", "5"}}},
    {"write", {{"path", "{path}"}}},
};

std::unique_ptr<Stage> configured(const Catalogue::Entry& entry) {
  auto stage = entry.make();
  Options options;
  stage->options(options);
  if (const auto settings = needed_settings.find(entry.name); settings != needed_settings.end())
    for (const auto& [name, text] : settings->second)
      REQUIRE_FALSE(options.find(name)->assign(Value::scalar(text)));
  return stage;
}

std::vector<const Catalogue::Entry*> built_in() {
  auto entries = Catalogue::instance().all();
  std::erase_if(entries, [](const auto* entry) {
    return !entry->plugin.empty() || entry->name.starts_with("test_");
  });
  REQUIRE(entries.size() >= 9);
  return entries;
}

cv::Mat noise(cv::Size size, int type) {
  cv::Mat pixels(size, type);
  cv::RNG random(size.area() * 31 + type);
  random.fill(pixels, cv::RNG::UNIFORM, 0, CV_MAT_DEPTH(type) == CV_8U ? 256 : 65536);
  return pixels;
}

std::vector<Payload> run_once(const Stage& stage, const Payload& payload) {
  std::vector<Payload> results;
  ItemContext context(Context(), Origin{"law.png", {}, 0, std::nullopt});
  stage.make_worker(context)->work(
      context, payload,
      [&](Payload out, std::optional<std::uint32_t>) { results.push_back(std::move(out)); });
  return results;
}

bool same(const Payload& a, const Payload& b) {
  if (a.index() != b.index()) return false;
  if (const auto* bytes = std::get_if<Bytes>(&a)) return *bytes->data == *std::get<Bytes>(b).data;
  if (const auto* image = std::get_if<Image>(&a)) {
    const auto& other = std::get<Image>(b);
    return image->pixels.size() == other.pixels.size() &&
           image->pixels.type() == other.pixels.type() &&
           cv::norm(image->pixels, other.pixels, cv::NORM_INF) == 0;
  }
  return false;
}

void check_is_picture(const Image& image) {
  CHECK_FALSE(image.pixels.empty());
  const int depth = image.pixels.depth(), channels = image.pixels.channels();
  CHECK((depth == CV_8U || depth == CV_16U));
  CHECK((channels == 1 || channels == 3 || channels == 4));
}

/// A result or an Error, the same each time, and the input's pixels as they were.
void check_law(const Stage& stage, const Image& image) {
  const cv::Mat before = image.pixels.clone();
  try {
    const auto results = run_once(stage, image);
    for (const auto& result : results)
      if (const auto* picture = std::get_if<Image>(&result)) check_is_picture(*picture);
    std::vector<std::vector<Payload>> again(3);
    {
      std::vector<std::jthread> workers;
      for (auto& slot : again) workers.emplace_back([&] { slot = run_once(stage, image); });
    }
    for (const auto& other : again) CHECK(std::ranges::equal(results, other, same));
  } catch (const Error& error) {
    CHECK(std::string(error.what()).size() > 5);
  }
  CHECK(cv::norm(before, image.pixels, cv::NORM_INF) == 0);
}

}  // namespace

TEST_CASE("a stage stands in the file of its name", "[stage][laws]") {
  std::map<std::string, int> files;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(MILLRACE_SOURCE_DIR "/stages"))
    ++files[file.path().filename()];
  for (const auto* entry : built_in()) {
    INFO(entry->name);
    CHECK(files[entry->name + ".cpp"] == 1);
  }
}

TEST_CASE("every stage and option is described in a sentence", "[stage][laws]") {
  for (const auto* entry : built_in()) {
    INFO(entry->name);
    CHECK(entry->summary.ends_with('.'));
    const auto stage = entry->make();
    Options options;
    stage->options(options);
    for (const auto& option : options.all()) {
      INFO(option.name());
      CHECK(option.summary().ends_with('.'));
      CHECK_FALSE(option.allowed().empty());
    }
  }
}

TEST_CASE("a default is printed, read back and within its range", "[stage][laws]") {
  for (const auto* entry : built_in()) {
    const auto stage = entry->make();
    Options options;
    stage->options(options);
    for (const auto& declared : options.all()) {
      if (declared.default_text().empty() || declared.default_text().starts_with('[')) continue;
      INFO(entry->name << ": " << declared.name() << ": " << declared.default_text());
      Option& option = *options.find(declared.name());
      CHECK(option.assign(Value::scalar(option.default_text())).value_or("") == "");
      CHECK(option.print() == option.default_text());
    }
  }
}

TEST_CASE("a stage with its defaults and needed settings has nothing to complain of",
          "[stage][laws]") {
  for (const auto* entry : built_in()) {
    INFO(entry->name);
    CHECK(configured(*entry)->check() == std::vector<std::string>{});
  }
}

TEST_CASE("every stage that takes pictures takes every kind of picture", "[stage][laws]") {
  int seen = 0;
  for (const auto* entry : built_in()) {
    const auto stage = configured(*entry);
    if (stage->takes() != std::vector{PayloadKind::image}) continue;
    ++seen;
    for (const int type : {CV_8UC1, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3, CV_16UC4})
      for (const cv::Size size : {cv::Size(1, 1), {1, 40}, {40, 1}, {17, 13}, {64, 48}}) {
        INFO(entry->name << ", type " << type << ", " << size.width << "x" << size.height);
        Image image;
        image.pixels = noise(size, type);
        image.format = "png";
        check_law(*stage, image);
      }
  }
  CHECK(seen >= 5);
}

TEST_CASE("a stage stops with a cancelled context or ends its work", "[stage][laws]") {
  for (const auto* entry : built_in()) {
    const auto stage = configured(*entry);
    if (stage->takes() != std::vector{PayloadKind::image}) continue;
    INFO(entry->name);
    ItemContext context(Context(), Origin{"law.png", {}, 0, std::nullopt});
    context.cancel();
    Image image;
    image.pixels = noise({640, 480}, CV_8UC3);
    image.format = "png";
    try {
      stage->make_worker(context)->work(context, image, [](Payload, auto) {});
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::cancelled);
    }
  }
}
