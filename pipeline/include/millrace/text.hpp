// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <opencv2/core/types.hpp>
#include <optional>
#include <string>
#include <vector>

namespace millrace::inline v1 {

/// What was read on one page, in reading order. Boxes are in pixels of the page's picture, origin
/// at the top left.
struct Text {
  struct Word {
    std::string text;  ///< UTF-8, never empty.
    cv::Rect box;
    float confidence = 0;  ///< 0..100
  };
  struct Line {
    std::vector<Word> words;
    cv::Rect box;
    float baseline_slope = 0;   ///< dy/dx
    float baseline_offset = 0;  ///< From the box's bottom left, in pixels, negative is up.
    float x_height = 0;         ///< In pixels; 0 where not known, as are the next two.
    float ascender = 0;         ///< Above the x-height.
    float descender = 0;        ///< Below the baseline, a positive number.
  };
  struct Paragraph {
    std::vector<Line> lines;
    cv::Rect box;
    bool left_to_right = true;
  };
  struct Block {
    enum class Kind { text, picture, rule };
    std::vector<Paragraph> paragraphs;  ///< Of a text block; the others have none.
    cv::Rect box;
    Kind kind = Kind::text;
    /// By how many degrees its text is turned counter-clockwise against the page: 0, 90, 180, 270.
    /// Its lines have a baseline where this is 0 only.
    int text_angle = 0;
  };

  std::vector<Block> blocks;
  cv::Size page_size;                   ///< In pixels.
  std::optional<double> dots_per_inch;  ///< Of the picture that was read.
  std::string language;                 ///< As the engine names it, e.g. "eng+deu".
  int page = 1;                         ///< From 1, within the source file.
  std::string source;                   ///< The file it was read from, as the source names it.
};

}  // namespace millrace::inline v1
