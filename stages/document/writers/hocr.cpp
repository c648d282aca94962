// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/document/writers/hocr.hpp"

#include <charconv>
#include <string_view>

#include "millrace/version.hpp"
#include "stages/document/writers/xml.hpp"

namespace millrace::document {
namespace {

/// Three decimals at most, a point between, whatever the locale.
std::string number(double value) {
  char digits[64];
  const auto end = std::to_chars(digits, std::end(digits), value, std::chars_format::fixed, 3).ptr;
  std::string text(digits, end);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string bbox(const cv::Rect& box) {
  return "bbox " + std::to_string(box.x) + ' ' + std::to_string(box.y) + ' ' +
         std::to_string(box.br().x) + ' ' + std::to_string(box.br().y);
}

/// A value in quotes as the specification's grammar has it, before it is escaped for XML.
std::string quoted(std::string_view value) {
  std::string quoted = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

class Writer {
 public:
  explicit Writer(const Text& text) : text_(text) {}

  std::string write() {
    head();
    out_ += "<body>\n";
    out_ += "<div class=\"ocr_page\" id=\"page_" + std::to_string(text_.page) + '"' + language() +
            " title=\"" + xml_escape(page_title()) + "\">\n";
    for (const auto& block : text_.blocks) write(block);
    out_ += "</div>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  void head() {
    out_ +=
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" "
        "\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n"
        "<html xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n";
    out_ += "<title>" + xml_escape(text_.source) + "</title>\n";
    out_ += "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\"/>\n";
    out_ += "<meta name=\"ocr-system\" content=\"millrace " + std::string(version()) + "\"/>\n";
    out_ +=
        "<meta name=\"ocr-capabilities\" content=\"ocr_page ocr_carea ocr_par ocr_line ocrx_word "
        "ocr_photo ocr_separator ocrp_wconf ocrp_dir ocrp_lang\"/>\n</head>\n";
  }

  std::string page_title() const {
    std::string title = "image " + quoted(text_.source) + "; " +
                        bbox({cv::Point(), text_.page_size}) + "; ppageno " +
                        std::to_string(text_.page - 1);
    if (text_.dots_per_inch) {
      const std::string dpi = number(*text_.dots_per_inch);
      title += "; scan_res " + dpi + ' ' + dpi;
    }
    return title;
  }

  /// Which of several languages a part is in is not known.
  std::string language() const {
    if (text_.language.empty() || text_.language.find('+') != text_.language.npos) return {};
    return " lang=\"" + xml_escape(text_.language) + '"';
  }

  /// `title` has no character that XML escapes.
  void open(int indent, std::string_view tag, std::string_view type, std::string_view name,
            int& count, std::string_view title, std::string_view more = {}) {
    out_.append(static_cast<std::size_t>(indent), ' ');
    out_ += '<';
    out_ += tag;
    out_ += " class=\"";
    out_ += type;
    out_ += "\" id=\"";
    out_ += name;
    out_ += '_' + std::to_string(text_.page) + '_' + std::to_string(++count) + '"';
    out_ += more;
    out_ += " title=\"";
    out_ += title;
    out_ += "\">";
  }

  void write(const Text::Block& block) {
    using Kind = Text::Block::Kind;
    const auto type = block.kind == Kind::picture ? "ocr_photo"
                      : block.kind == Kind::rule  ? "ocr_separator"
                                                  : "ocr_carea";
    open(1, "div", type, "block", blocks_, bbox(block.box));
    if (!block.paragraphs.empty()) out_ += '\n';
    for (const auto& paragraph : block.paragraphs) {
      open(2, "p", "ocr_par", "par", paragraphs_, bbox(paragraph.box),
           paragraph.left_to_right ? "" : " dir=\"rtl\"");
      out_ += '\n';
      for (const auto& line : paragraph.lines) write(line, block.text_angle);
      out_ += "  </p>\n";
    }
    out_ += block.paragraphs.empty() ? "</div>\n" : " </div>\n";
  }

  void write(const Text::Line& line, int text_angle) {
    std::string title = bbox(line.box);
    if (text_angle != 0)
      title += "; textangle " + std::to_string(text_angle);
    else
      title += "; baseline " + number(line.baseline_slope) + ' ' + number(line.baseline_offset);
    if (line.x_height > 0) {
      title += "; x_size " + number(line.x_height + line.ascender + line.descender) +
               "; x_descenders " + number(line.descender) + "; x_ascenders " +
               number(line.ascender);
    }
    open(3, "span", "ocr_line", "line", lines_, title);
    out_ += '\n';
    for (const auto& word : line.words) {
      open(4, "span", "ocrx_word", "word", words_,
           bbox(word.box) + "; x_wconf " + std::to_string(static_cast<int>(word.confidence)));
      out_ += xml_escape(word.text) + "</span>\n";
    }
    out_ += "   </span>\n";
  }

  const Text& text_;
  std::string out_;
  int blocks_ = 0, paragraphs_ = 0, lines_ = 0, words_ = 0;
};

}  // namespace

std::string hocr(const Text& text) { return Writer(text).write(); }

}  // namespace millrace::document
