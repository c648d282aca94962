// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <cstring>
#include <thread>

#include "plugin/abi/payloads.hpp"
#include "plugins/abi/c_stage.hpp"

using namespace millrace_test;

namespace {

std::size_t handles() { return abi::Payloads::instance().count(); }

mr_payload* retained = nullptr;

Image picture(int type) {
  Image image;
  image.pixels = cv::Mat(2, 3, type, cv::Scalar(1, 2, 3, 4));
  image.orientation = Orientation::rotated_180;
  image.resolution = Resolution{300, 200};
  image.full_size = {30, 20};
  image.format = "png";
  image.icc_profile = std::make_shared<const std::vector<std::byte>>(5, std::byte{7});
  return image;
}

}  // namespace

TEST_CASE("bytes go through a C stage, and no handle is left", "[plugin][abi]") {
  const auto before = handles();
  const auto outcome = worked(*made(described(pass_on)), bytes_of("hello"));
  REQUIRE(outcome.payloads.size() == 1);
  CHECK(text_of(outcome.payloads[0]) == "hello");
  CHECK(handles() == before);
}

TEST_CASE("what a call leaves behind ends with it; what is retained stays until it is released",
          "[plugin][abi]") {
  const auto before = handles();
  mr_stage stage = described([](void*, void*, mr_item* item, mr_payload* input) -> mr_result {
    void* data = nullptr;
    mr_payload* forgotten = nullptr;
    CHECK(host().bytes_new(item, 10, "", &data, &forgotten) == MR_OK);
    retained = host().retain(input);
    return MR_OK;
  });
  {
    const auto tried = made(stage);
    CHECK_FALSE(worked(*tried, bytes_of("kept")).error);
    CHECK(handles() == before + 1);
    mr_bytes view{};
    view.struct_size = sizeof view;
    CHECK(host().bytes_view(retained, &view) == MR_OK);
    CHECK(std::memcmp(view.data, "kept", view.size) == 0);
    host().release(retained);
    CHECK(handles() == before);
    worked(*tried, bytes_of("forgotten"));
  }
  CHECK(handles() == before);  // the stage is gone, and what it had
}

TEST_CASE("a handle that has ended is refused and fails the item", "[plugin][abi]") {
  const auto released_twice = described([](void*, void*, mr_item*, mr_payload* input) -> mr_result {
    host().release(input);
    host().release(input);
    return MR_OK;
  });
  const auto outcome = worked(*made(released_twice), bytes_of("x"));
  CHECK(
      outcome.complaint() ==
      "process uses a payload handle that has ended: it was released, handed on, or belonged to a "
      "call that has returned");
  const auto emitted_twice =
      described([](void*, void*, mr_item* item, mr_payload* input) -> mr_result {
        host().emit(item, input, 0);
        return host().emit(item, input, 0);
      });
  CHECK(worked(*made(emitted_twice), bytes_of("x")).error->kind() == ErrorKind::plugin);
}

TEST_CASE("an image is seen by C as it is, and edited in place where nobody else has it",
          "[plugin][abi]") {
  static const void* pixels;
  const auto stage = described(
      [](void*, void*, mr_item* item, mr_payload* input) -> mr_result {
        mr_image view{};
        view.struct_size = sizeof view;
        CHECK(host().image_view(input, &view) == MR_OK);
        const bool same = view.width == 3 && view.height == 2 && view.channels == 4 &&
                          view.depth == 16 && view.orientation == 3 && view.dpi_x == 300 &&
                          view.dpi_y == 200 && view.full_width == 30 && view.icc_size == 5 &&
                          view.stride == 24 && !view.writable;
        CHECK(same);
        CHECK(std::string(view.format) == "png");
        pixels = view.pixels;
        mr_payload* output = nullptr;
        CHECK(host().image_edit(item, input, &view, &output) == MR_OK);
        static_cast<std::uint16_t*>(view.writable)[0] = 60000;
        return host().emit(item, output, 0);
      },
      MR_IMAGE, MR_IMAGE);
  const auto tried = made(stage);
  Image shared = picture(CV_16UC4);
  auto outcome = worked(*tried, shared);
  CHECK(std::get<Image>(outcome.payloads.at(0)).pixels.at<cv::Vec<std::uint16_t, 4>>(0)[0] ==
        60000);
  CHECK(shared.pixels.at<cv::Vec<std::uint16_t, 4>>(0)[0] == 1);
  outcome = worked(*tried, picture(CV_16UC4));
  CHECK(std::get<Image>(outcome.payloads.at(0)).pixels.data == pixels);
  CHECK(std::get<Image>(outcome.payloads.at(0)).resolution == Resolution{300, 200});
}

TEST_CASE("a new image has what it is told to have", "[plugin][abi]") {
  const auto stage = described(
      [](void*, void*, mr_item* item, mr_payload* input) -> mr_result {
        mr_image image{};
        image.struct_size = sizeof image;
        host().image_view(input, &image);
        image.width = 5;
        image.channels = 1;
        image.orientation = 6;
        mr_payload* output = nullptr;
        CHECK(host().image_new(item, &image, &output) == MR_OK);
        std::memset(image.writable, 9, 5);
        image.dpi_x = image.dpi_y = 72;
        CHECK(host().image_describe(output, &image) == MR_OK);
        return host().emit(item, output, 0);
      },
      MR_IMAGE, MR_IMAGE);
  const auto outcome = worked(*made(stage), picture(CV_8UC3));
  const auto& image = std::get<Image>(outcome.payloads.at(0));
  CHECK(image.pixels.type() == CV_8UC1);
  CHECK(image.pixels.size() == cv::Size(5, 2));
  CHECK(image.pixels.at<std::uint8_t>(0, 4) == 9);
  CHECK(image.orientation == Orientation::rotated_90_clockwise);
  CHECK(image.resolution == Resolution{72, 72});
  CHECK(image.icc_profile->size() == 5);
}

TEST_CASE("a picture that cannot be is refused with what can be", "[plugin][abi]") {
  const auto stage = described(
      [](void*, void*, mr_item* item, mr_payload*) -> mr_result {
        mr_image image{};
        image.struct_size = sizeof image;
        image.width = image.height = 1;
        image.channels = 2;
        image.depth = 8;
        mr_payload* output = nullptr;
        return host().image_new(item, &image, &output);
      },
      MR_IMAGE, MR_IMAGE);
  CHECK(worked(*made(stage), picture(CV_8UC3)).complaint() ==
        "process makes a picture of 2 channels; there are 1, 3 and 4");
}

TEST_CASE("a text is built from words, and read as words and lines", "[plugin][abi]") {
  const auto stage = described(
      [](void*, void*, mr_item* item, mr_payload*) -> mr_result {
        mr_payload* text = nullptr;
        host().text_new(item, nullptr, &text);
        mr_word word{};
        word.struct_size = sizeof word;
        const char* const words[] = {"ab", "cd", "ef", "gh"};
        for (std::uint32_t i = 0; i < 4; ++i) {
          word.text = words[i];
          word.x = static_cast<std::int32_t>(10 * i);
          word.width = word.height = 8;
          word.paragraph = i / 3;
          word.line = i == 2 ? 1 : 0;
          CHECK(host().text_add(text, &word) == MR_OK);
        }
        mr_text view{};
        view.struct_size = sizeof view;
        CHECK(host().text_view(text, &view) == MR_OK);
        CHECK(std::string(view.plain) == "ab cd\nef\n\ngh\n");
        CHECK(host().text_set(text, 3, "xyz") == MR_OK);
        CHECK(host().text_word(text, 3, &word) == MR_OK);
        const bool same = word.paragraph == 1 && word.line == 0 && word.x == 30;
        CHECK(same);
        return host().emit(item, text, 0);
      },
      MR_BYTES, MR_TEXT);
  const auto outcome = worked(*made(stage), bytes_of(""));
  const auto& text = std::get<Text>(outcome.payloads.at(0));
  CHECK(text.source == "a/b.txt");
  CHECK(text.blocks.at(0).paragraphs.at(0).lines.at(0).box == cv::Rect(0, 0, 18, 8));
  CHECK(text.blocks[0].box == cv::Rect(0, 0, 38, 8));
  CHECK(text.blocks[0].paragraphs.at(1).lines.at(0).words.at(0).text == "xyz");
}

TEST_CASE("memory for scratch stays with the worker from item to item", "[plugin][abi]") {
  static std::vector<void*> blocks;
  blocks.clear();
  const auto stage = described([](void*, void*, mr_item* item, mr_payload*) -> mr_result {
    for (int i = 0; i < 2; ++i) blocks.push_back(host().scratch(item, 1000));
    std::memset(blocks.back(), 1, 1000);
    return MR_OK;
  });
  const auto tried = made(stage);
  const auto worker = tried->make_worker(Context());
  worked(*worker, bytes_of(""));
  worked(*worker, bytes_of(""));
  REQUIRE(blocks.size() == 4);
  CHECK(blocks[0] != blocks[1]);
  CHECK(blocks[0] == blocks[2]);
  CHECK(reinterpret_cast<std::uintptr_t>(blocks[0]) % 64 == 0);
}

TEST_CASE("parts of an item are done by parallel_for, and what one returns ends it",
          "[plugin][abi]") {
  static std::atomic<std::size_t> sum;
  sum = 0;
  const auto stage = described([](void*, void*, mr_item* item, mr_payload*) -> mr_result {
    const mr_part add = [](void* user, std::size_t first, std::size_t last) -> mr_result {
      for (; first < last; ++first) *static_cast<std::atomic<std::size_t>*>(user) += first;
      return MR_OK;
    };
    CHECK(host().parallel_for(item, 0, 1000, 7, add, &sum) == MR_OK);
    const mr_part fail = [](void*, std::size_t first, std::size_t) -> mr_result {
      if (first < 14) return MR_OK;
      host().set_error("torn at 14");
      return MR_INVALID_INPUT;
    };
    return host().parallel_for(item, 0, 21, 7, fail, nullptr);
  });
  const auto outcome = worked(*made(stage), bytes_of(""));
  CHECK(sum == 499500);
  CHECK(outcome.error->kind() == ErrorKind::input);
  CHECK(outcome.complaint() == "torn at 14");
}

TEST_CASE("a source lists and opens, and may tell the memory that an item takes", "[plugin][abi]") {
  mr_stage stage = described(nullptr, 0, MR_BYTES);
  stage.list = [](void*, mr_listing* listing) -> mr_result {
    CHECK(host().list_item(listing, "a", "/in/a") == MR_OK);
    CHECK(host().list_failed(listing, "b", "cannot be read") == MR_OK);
    return MR_OK;
  };
  stage.open = [](void*, void*, mr_item* item) -> mr_result {
    void* data = nullptr;
    mr_payload* made = nullptr;
    host().bytes_new(item, 3, "txt", &data, &made);
    std::memcpy(data, "abc", 3);
    return host().emit(item, made, 0);
  };
  const auto tried = made(stage);
  auto& source = dynamic_cast<Source&>(*tried);
  std::vector<std::string> told;
  source.list(
      Context(), [&](const Origin& origin) { told.push_back(origin.path + origin.file.string()); },
      [&](const Origin& origin, const Error& error) {
        told.push_back(origin.path + error.what());
      });
  CHECK(told == std::vector<std::string>{"a/in/a", "bcannot be read"});
  CHECK(source.memory({}) == 0);
  CHECK(text_of(worked(source, {}).payloads.at(0)) == "abc");
  ItemContext context({}, {});
  CHECK(text_of(source.open(context)) == "abc");
}

TEST_CASE("a source that opens nothing, or two things, breaks its promise", "[plugin][abi]") {
  mr_stage stage = described(nullptr, 0, MR_TEXT);
  stage.list = [](void*, mr_listing*) -> mr_result { return MR_OK; };
  stage.open = [](void*, void*, mr_item*) -> mr_result { return MR_OK; };
  CHECK(worked(*made(stage), {}).complaint() == "open returned MR_OK and emitted nothing");
  stage.open = [](void*, void*, mr_item* item) -> mr_result {
    for (int i = 0; i < 2; ++i) {
      mr_payload* text = nullptr;
      host().text_new(item, nullptr, &text);
      host().emit(item, text, 0);
    }
    return MR_OK;
  };
  CHECK(worked(*made(stage), {}).complaint() == "open emits more than one payload");
}

TEST_CASE("a struct of a size that nobody has set is refused, and left alone", "[plugin][abi]") {
  const auto stage = described([](void*, void*, mr_item* item, mr_payload* input) -> mr_result {
    for (const std::uint32_t size : {0U, 8U, 1'000'000U, 0xFFFFFFFFU}) {
      mr_bytes view{};
      view.struct_size = size;
      CHECK(host().bytes_view(input, &view) == MR_FATAL);
      CHECK(view.data == nullptr);
    }
    return host().emit(item, input, 0);
  });
  CHECK_THAT(worked(*made(stage), bytes_of("a")).complaint(),
             Catch::Contains("passes a struct of 0 bytes where"));
}

TEST_CASE("no bytes have a place that C may copy from and to", "[plugin][abi]") {
  const auto stage = described([](void*, void*, mr_item* item, mr_payload* input) -> mr_result {
    mr_bytes view{};
    view.struct_size = sizeof view;
    CHECK(host().bytes_view(input, &view) == MR_OK);
    CHECK(view.size == 0);
    CHECK(view.data != nullptr);
    void* data = nullptr;
    mr_payload* made = nullptr;
    CHECK(host().bytes_new(item, 0, "", &data, &made) == MR_OK);
    CHECK(data != nullptr);
    return host().emit(item, made, 0);
  });
  CHECK(text_of(worked(*made(stage), bytes_of("")).payloads.at(0)).empty());
}
