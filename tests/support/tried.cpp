// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/tried.hpp"

#include "millrace/catalogue.hpp"
#include "support/catch.hpp"
#include "testing/pictures.hpp"

namespace millrace::test {
namespace {

Bytes picture(int width, int height) {
  Image image;
  image.pixels.create(height, width, CV_8UC3);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image.pixels.at<cv::Vec3b>(y, x) = {static_cast<std::uint8_t>(10 * x),
                                          static_cast<std::uint8_t>(20 * y), 128};
  return encode_picture(image, "png");
}

}  // namespace

const std::string resizing =
    "  - files: { path: not/there }\n"
    "  - orient\n"
    "  - resize: { width: \"${size}\", height: \"${size}\" }\n"
    "  - write: { path: \"out/{stem}.png\" }\n";

Tried::Tried(const std::string& stages, const std::string& tests, const std::string& top) {
  settings.output = folder.path() / "shown";
  file_.yaml = "version: 1\n" + top + "stages:\n" + stages + "tests:\n" + tests;
  file_.name = "p.yaml";
  file_.folder = folder.path();
  write_file(folder.path() / "a.png", picture(16, 12));
  write_file(folder.path() / "b.png", picture(4, 4));
  folder.file("a.txt", "Water runs\nthe mill.\n");
  folder.file("bad.png", "no picture");
  const auto loaded = load_with_tests(file_.yaml, file_.name, {}, Catalogue::instance());
  std::string told;
  for (const auto& diagnostic : loaded.diagnostics) told += format(diagnostic, file_.yaml);
  INFO(told);
  REQUIRE(loaded.plan);
}

TestResult Tried::run(std::size_t test) { return run_test(file_, test, settings); }

TestResult tried(const std::string& test) {
  return Tried(resizing, "  - { name: one, " + test + " }\n").run();
}

std::string said(const TestResult& result) {
  std::string text;
  for (const auto* list : {&result.errors, &result.complaints, &result.notes})
    for (const auto& each : *list) text += each + "\n";
  return text;
}

}  // namespace millrace::test
