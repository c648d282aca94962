// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// A plugin's own threads use the handles of payloads.

#include <atomic>
#include <cstring>
#include <functional>
#include <thread>

#include "plugin/abi/payloads.hpp"
#include "plugins/abi/c_stage.hpp"

using namespace millrace_test;

namespace {

std::size_t handles() { return abi::Payloads::instance().count(); }

void on_threads(const std::function<void()>& work) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 6; ++i) threads.emplace_back(work);
}

/// A stage that retains what it gets in `kept`.
mr_payload* kept = nullptr;
mr_stage keeper(std::uint32_t takes, std::uint32_t gives) {
  return described(
      [](void*, void*, mr_item* item, mr_payload* input) -> mr_result {
        kept = host().retain(input);
        return host().emit(item, input, 0);
      },
      takes, gives);
}

bool holds(const mr_payload* payload, const char* text) {
  mr_bytes view{};
  view.struct_size = sizeof view;
  return host().bytes_view(payload, &view) == MR_OK && view.size == std::strlen(text) &&
         std::memcmp(view.data, text, view.size) == 0;
}

}  // namespace

TEST_CASE("a handle is viewed, retained and released on many threads at once", "[plugin][abi]") {
  const auto before = handles();
  const auto stage = made(keeper(MR_BYTES, MR_BYTES));
  worked(*stage, bytes_of("hello"));
  std::atomic<int> wrong = 0;
  on_threads([&] {
    for (int i = 0; i < 300; ++i) {
      mr_payload* const mine = host().retain(kept);
      if (!holds(kept, "hello") || !holds(mine, "hello")) ++wrong;
      host().release(mine);
      if (host().payload_kind(mine) != 0 || host().payload_kind(kept) != MR_BYTES) ++wrong;
    }
  });
  CHECK(wrong == 0);
  CHECK(handles() == before + 1);
  host().release(kept);
  CHECK(handles() == before);
}

TEST_CASE("a text is read on many threads at once", "[plugin][abi]") {
  mr_stage stage = keeper(MR_TEXT, MR_TEXT);
  const auto tried = made(stage);
  Text text;
  text.blocks.resize(1);
  text.blocks[0].paragraphs.resize(1);
  text.blocks[0].paragraphs[0].lines.resize(1);
  for (int i = 0; i < 50; ++i)
    text.blocks[0].paragraphs[0].lines[0].words.push_back({"w" + std::to_string(i), {}, 90});
  worked(*tried, text);
  std::atomic<int> wrong = 0;
  on_threads([&] {
    mr_text view{};
    view.struct_size = sizeof view;
    mr_word word{};
    word.struct_size = sizeof word;
    if (host().text_view(kept, &view) != MR_OK || view.word_count != 50) ++wrong;
    if (std::strncmp(view.plain, "w0 w1 w2 ", 9) != 0) ++wrong;
    for (std::size_t i = 0; i < 50; ++i)
      if (host().text_word(kept, i, &word) != MR_OK || word.text != "w" + std::to_string(i))
        ++wrong;
  });
  CHECK(wrong == 0);
  host().release(kept);
}

TEST_CASE("a handle that many threads release ends once", "[plugin][abi]") {
  const auto before = handles();
  const auto stage = made(keeper(MR_BYTES, MR_BYTES));
  for (int i = 0; i < 50; ++i) {
    worked(*stage, bytes_of("x"));
    on_threads([] { host().release(kept); });
    CHECK(handles() == before);
  }
}

TEST_CASE("many workers' calls keep their items and handles apart", "[plugin][abi]") {
  const auto before = handles();
  const auto stage =
      made(described([](void*, void*, mr_item* item, mr_payload* input) -> mr_result {
        const char* const path = host().item_attribute(item, "path");
        void* data = nullptr;
        mr_payload* output = nullptr;
        if (!holds(input, path)) return MR_FATAL;
        if (host().bytes_new(item, std::strlen(path), "", &data, &output) != MR_OK) return MR_FATAL;
        std::memcpy(data, path, std::strlen(path));
        return host().emit(item, output, 0);
      }));
  std::atomic<int> wrong = 0, next = 0;
  on_threads([&] {
    const auto worker = stage->make_worker(Context());
    const int first = next += 1000;
    for (int i = 0; i < 200; ++i) {
      const auto name = std::to_string(first + i);
      const auto outcome = worked(*worker, bytes_of(name), {}, {name, {}, 0, {}});
      if (outcome.error || text_of(outcome.payloads.at(0)) != name) ++wrong;
    }
  });
  CHECK(wrong == 0);
  CHECK(handles() == before);
}

TEST_CASE("an item that has ended is told from the next one, wherever it lies", "[plugin][abi]") {
  static mr_item* last;
  last = nullptr;
  const auto stage =
      made(described([](void*, void*, mr_item* item, mr_payload* input) -> mr_result {
        if (last) host().warn(last, "too late");
        last = item;
        return host().emit(item, input, 0);
      }));
  const auto worker = stage->make_worker(Context());
  CHECK_FALSE(worked(*worker, bytes_of("x")).error);
  const auto outcome = worked(*worker, bytes_of("x"));
  CHECK(outcome.warnings.empty());
  CHECK(
      outcome.complaint() ==
      "process calls a function of the host on another thread than its item's, or after its call");
  CHECK(host().cancelled(last) == 1);
}
