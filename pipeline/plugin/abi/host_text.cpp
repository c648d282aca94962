// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <limits>
#include <sstream>

#include "plugin/abi/call.hpp"
#include "plugin/abi/host.hpp"

namespace millrace::abi {
namespace {

Text& text_of(Content& content) {
  if (auto* text = std::get_if<Text>(&content.payload)) return *text;
  throw Misuse{std::string("uses ") + name_of(kind_of(content.payload)) + " as text"};
}

/// Finds the words, unless that is done. The content is locked.
void index(Content& content) {
  if (content.indexed) return;
  content.words.clear();
  std::uint32_t block_number = 0;
  for (auto& block : text_of(content).blocks) {
    std::uint32_t paragraph_number = 0;
    for (auto& paragraph : block.paragraphs) {
      std::uint32_t line_number = 0;
      for (auto& line : paragraph.lines) {
        for (auto& word : line.words)
          content.words.push_back({&word, block_number, paragraph_number, line_number});
        ++line_number;
      }
      ++paragraph_number;
    }
    ++block_number;
  }
  content.indexed = true;
}

/// The text as people read it; likewise.
const std::string& plain_of(Content& content) {
  if (!content.plain.empty()) return content.plain;
  index(content);
  const Content::Place* before = nullptr;
  for (const auto& place : content.words) {
    if (before && (place.block != before->block || place.paragraph != before->paragraph))
      content.plain += "\n\n";
    else if (before)
      content.plain += place.line != before->line ? '\n' : ' ';
    content.plain += place.word->text;
    before = &place;
  }
  if (before) content.plain += '\n';
  return content.plain;
}

mr_result text_view(mr_payload* payload, mr_text* view) {
  return guard([&] {
    const auto content = Payloads::instance().find(payload);
    const Text& text = text_of(*content);
    const std::lock_guard lock(content->mutex);
    index(*content);
    mr_text full{};
    full.page_width = static_cast<std::uint32_t>(text.page_size.width);
    full.page_height = static_cast<std::uint32_t>(text.page_size.height);
    full.dpi = text.dots_per_inch.value_or(0);
    full.language = text.language.c_str();
    full.plain = plain_of(*content).c_str();
    full.word_count = content->words.size();
    give(full, view);
  });
}

const Content::Place& place_of(Content& content, std::size_t number) {
  index(content);
  if (number >= content.words.size())
    throw Misuse{"asks for word " + std::to_string(number) + " of a text of " +
                 std::to_string(content.words.size())};
  return content.words[number];
}

mr_result text_word(mr_payload* payload, std::size_t number, mr_word* word) {
  return guard([&] {
    const auto content = Payloads::instance().find(payload);
    text_of(*content);
    const std::lock_guard lock(content->mutex);
    const auto& place = place_of(*content, number);
    const cv::Rect& box = place.word->box;
    mr_word full{};
    full.text = place.word->text.c_str();
    full.x = box.x;
    full.y = box.y;
    full.width = box.width;
    full.height = box.height;
    full.confidence = place.word->confidence;
    full.block = place.block;
    full.paragraph = place.paragraph;
    full.line = place.line;
    give(full, word);
  });
}

std::string word_of(const char* text) {
  const std::string word = &target(text);
  if (word.empty()) throw Misuse{"writes an empty word"};
  return word;
}

/// The words of a plain text: an empty line begins a paragraph.
void read_plain(const std::string& plain, Text& text) {
  Text::Block block;
  std::istringstream lines(plain);
  bool begins = true;
  for (std::string row; std::getline(lines, row);) {
    Text::Line line;
    std::istringstream words(row);
    for (std::string word; words >> word;) line.words.push_back({word, {}, 100});
    if (!line.words.empty()) {
      if (begins) block.paragraphs.emplace_back();
      block.paragraphs.back().lines.push_back(std::move(line));
    }
    begins = row.find_first_not_of(" \t\r") == row.npos;
  }
  if (!block.paragraphs.empty()) text.blocks.push_back(std::move(block));
}

int size_of(std::uint32_t pixels) {
  return static_cast<int>(
      std::min<std::uint32_t>(pixels, static_cast<std::uint32_t>(std::numeric_limits<int>::max())));
}

mr_result text_new(mr_item* item, const mr_text* about, mr_payload** payload) {
  return guard([&] {
    Call& call = Call::on_worker(item);
    const Origin& origin = call.context().origin();
    Text text;
    text.source = origin.path;
    text.page = static_cast<int>(origin.page.value_or(1));
    if (about) {
      const mr_text given = taken(about);
      text.page_size = {size_of(given.page_width), size_of(given.page_height)};
      if (given.dpi > 0) text.dots_per_inch = given.dpi;
      text.language = text_or_empty(given.language);
      read_plain(text_or_empty(given.plain), text);
    }
    target(payload) = call.add(std::move(text));
  });
}

Content& own(const std::shared_ptr<Content>& content) {
  text_of(*content);
  if (!content->own) throw Misuse{"changes a text that it did not make; call text_edit()"};
  return *content;
}

void grow(cv::Rect& box, const cv::Rect& by) { box = box.empty() ? by : box | by; }

/// The element of that number, which is the last one or a new one behind it.
template <class T>
T& last_of(std::vector<T>& list, std::uint32_t number, const char* what) {
  if (number == list.size()) list.emplace_back();
  if (list.empty() || number != list.size() - 1)
    throw Misuse{std::string("adds a word to ") + what + " " + std::to_string(number) +
                 ", which is neither the last one nor the next"};
  return list.back();
}

mr_result text_add(mr_payload* payload, const mr_word* word) {
  return guard([&] {
    const auto content = Payloads::instance().find(payload);
    Content& to = own(content);
    const mr_word added = taken(word);
    const std::string spelled = word_of(added.text);
    const cv::Rect box(added.x, added.y, std::max(added.width, 0), std::max(added.height, 0));
    const std::lock_guard lock(to.mutex);
    to.indexed = false;
    to.plain.clear();
    auto& block = last_of(text_of(to).blocks, added.block, "block");
    auto& paragraph = last_of(block.paragraphs, added.paragraph, "paragraph");
    auto& line = last_of(paragraph.lines, added.line, "line");
    line.words.push_back({spelled, box, added.confidence});
    for (cv::Rect* around : {&line.box, &paragraph.box, &block.box}) grow(*around, box);
  });
}

mr_result text_edit(mr_item* item, mr_payload* payload, mr_payload** edited) {
  return guard([&] {
    Call& call = Call::on_worker(item);
    target(edited);
    text_of(*Payloads::instance().find(payload));
    auto content = Payloads::instance().take(payload);
    const bool is_alone = content.use_count() == 1;
    Text& text = text_of(*content);
    *edited = call.add(is_alone ? std::move(text) : text);
  });
}

mr_result text_set(mr_payload* payload, std::size_t number, const char* word) {
  return guard([&] {
    const auto content = Payloads::instance().find(payload);
    Content& to = own(content);
    const std::string spelled = word_of(word);
    const std::lock_guard lock(to.mutex);
    place_of(to, number).word->text = spelled;
    to.plain.clear();
  });
}

}  // namespace

void add_texts(mr_host& host) {
  host.text_view = text_view;
  host.text_word = text_word;
  host.text_new = text_new;
  host.text_add = text_add;
  host.text_edit = text_edit;
  host.text_set = text_set;
}

}  // namespace millrace::abi
