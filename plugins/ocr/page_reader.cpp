// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "page_reader.hpp"

#include <tesseract/baseapi.h>
#include <tesseract/resultiterator.h>

#include <algorithm>
#include <memory>

namespace millrace::ocr {
namespace {

using tesseract::ResultIterator;

cv::Rect box_at(const ResultIterator& at, tesseract::PageIteratorLevel level) {
  int left = 0, top = 0, right = 0, bottom = 0;
  if (!at.BoundingBox(level, &left, &top, &right, &bottom)) return {};
  return {left, top, right - left, bottom - top};
}

int text_angle(const ResultIterator& at) {
  auto orientation = tesseract::ORIENTATION_PAGE_UP;
  auto direction = tesseract::WRITING_DIRECTION_LEFT_TO_RIGHT;
  auto order = tesseract::TEXTLINE_ORDER_TOP_TO_BOTTOM;
  float deskew_angle = 0;
  at.Orientation(&orientation, &direction, &order, &deskew_angle);
  return (360 - 90 * static_cast<int>(orientation)) % 360;
}

Text::Block::Kind kind_of(tesseract::PolyBlockType type) {
  if (tesseract::PTIsImageType(type)) return Text::Block::Kind::picture;
  if (tesseract::PTIsLineType(type)) return Text::Block::Kind::rule;
  return Text::Block::Kind::text;
}

Text::Block block_at(const ResultIterator& at) {
  Text::Block block;
  block.box = box_at(at, tesseract::RIL_BLOCK);
  block.kind = kind_of(at.BlockType());
  if (block.kind == Text::Block::Kind::text) block.text_angle = text_angle(at);
  return block;
}

Text::Line line_at(const ResultIterator& at, int angle) {
  Text::Line line;
  line.box = box_at(at, tesseract::RIL_TEXTLINE);
  float height = 0, descenders = 0, ascenders = 0;  // descenders are negative
  at.RowAttributes(&height, &descenders, &ascenders);
  line.x_height = height - ascenders + descenders;
  line.ascender = ascenders;
  line.descender = -descenders;
  int x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  if (angle == 0 && at.Baseline(tesseract::RIL_TEXTLINE, &x1, &y1, &x2, &y2) && x1 != x2) {
    const double slope = static_cast<double>(y2 - y1) / (x2 - x1);
    line.baseline_slope = static_cast<float>(slope);
    line.baseline_offset = static_cast<float>(y1 - line.box.br().y - slope * (x1 - line.box.x));
  }
  return line;
}

}  // namespace

std::vector<Text::Block> read_blocks(tesseract::TessBaseAPI& engine) {
  std::vector<Text::Block> blocks;
  const std::unique_ptr<ResultIterator> at(engine.GetIterator());
  if (!at) return blocks;
  for (; !at->Empty(tesseract::RIL_BLOCK); at->Next(tesseract::RIL_WORD)) {
    if (at->IsAtBeginningOf(tesseract::RIL_BLOCK)) blocks.push_back(block_at(*at));
    auto& block = blocks.back();
    // What was "read" in a picture is blanks.
    if (block.kind != Text::Block::Kind::text || at->Empty(tesseract::RIL_WORD)) continue;
    if (at->IsAtBeginningOf(tesseract::RIL_PARA)) {
      const cv::Rect box = box_at(*at, tesseract::RIL_PARA);
      block.paragraphs.push_back({{}, box, at->ParagraphIsLtr()});
    }
    auto& paragraph = block.paragraphs.back();
    if (at->IsAtBeginningOf(tesseract::RIL_TEXTLINE))
      paragraph.lines.push_back(line_at(*at, block.text_angle));
    const std::unique_ptr<const char[]> word(at->GetUTF8Text(tesseract::RIL_WORD));
    if (!word || word[0] == '\0') continue;
    paragraph.lines.back().words.push_back(
        {word.get(), box_at(*at, tesseract::RIL_WORD),
         std::clamp(at->Confidence(tesseract::RIL_WORD), 0.F, 100.F)});
  }
  return blocks;
}

}  // namespace millrace::ocr
