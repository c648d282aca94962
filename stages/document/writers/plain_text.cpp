// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/document/writers/plain_text.hpp"

namespace millrace::document {

std::string plain_text(const Text& text) {
  std::string plain;
  for (const auto& block : text.blocks) {
    for (const auto& paragraph : block.paragraphs) {
      for (const auto& line : paragraph.lines) {
        for (const auto& word : line.words) {
          if (&word != &line.words.front()) plain += ' ';
          plain += word.text;
        }
        plain += '\n';
      }
      // A picture or a rule below counts as another paragraph.
      const bool last = &block == &text.blocks.back() && &paragraph == &block.paragraphs.back();
      if (!last) plain += '\n';
    }
  }
  return plain;
}

}  // namespace millrace::document
