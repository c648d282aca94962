// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "millrace/catalogue.hpp"
#include "stages/document/writers/hocr.hpp"
#include "stages/document/writers/plain_text.hpp"

namespace millrace {
namespace {

enum class Format { automatic, text, hocr };

struct Kind {
  const char* extension;
  Format format;
};

/// What a file's name says.
constexpr Kind kinds[] = {
    {"txt", Format::text},
    {"text", Format::text},
    {"hocr", Format::hocr},
    {"html", Format::hocr},
};

struct Render final : Transform<Text, Bytes> {
  Format format = Format::automatic;

  void options(Options& o) override {
    o.add("format", format,
          {{"auto", Format::automatic,
            "By the name of the file to write; text where there is none."},
           {"text", Format::text, "Plain text in UTF-8, paragraphs set apart by an empty line."},
           {"hocr", Format::hocr, "XHTML with the place and the confidence of each word."}},
          "What the page becomes.")
        .example("hocr");
  }

  std::vector<std::string> accept(const Demand& demand) override {
    if (format != Format::automatic || demand.extension.empty()) return {};
    std::string extension = demand.extension;
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto kind = std::ranges::find(kinds, extension, &Kind::extension);
    if (kind != std::end(kinds)) {
      by_name_ = kind->format;
      return {};
    }
    std::string known;
    for (const auto& each : kinds)
      known += (known.empty() ? "." : ", .") + std::string(each.extension);
    return {"cannot tell what to make of a page for a file named ." + demand.extension +
            ": it is known for " + known + "; else set 'format'"};
  }

  Bytes run(ItemContext&, Text text) const override {
    const bool as_hocr = (format == Format::automatic ? by_name_ : format) == Format::hocr;
    const std::string content = as_hocr ? document::hocr(text) : document::plain_text(text);
    const auto bytes = std::as_bytes(std::span(content));
    return {std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end()),
            as_hocr ? "hocr" : "txt"};
  }

 private:
  Format by_name_ = Format::text;
};

const Register<Render> registered{"render", "Write the text of a page as a file's content.",
                                  Role::converter};

}  // namespace
}  // namespace millrace
