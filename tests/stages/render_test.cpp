// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "millrace/catalogue.hpp"
#include "support/catch.hpp"

using namespace millrace;

namespace {

std::unique_ptr<Stage> make_render(const std::string& format = "auto") {
  auto stage = Catalogue::instance().find("render")->make();
  Options options;
  stage->options(options);
  REQUIRE_FALSE(options.find("format")->assign(Value::scalar(format)).has_value());
  return stage;
}

Bytes render(const Stage& stage, const Text& text) {
  const Context root;
  ItemContext context(root, {});
  Bytes result;
  stage.make_worker(root)->work(
      context, text, [&](Payload payload, auto) { result = std::get<Bytes>(std::move(payload)); });
  return result;
}

std::string content(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data->data()), bytes.data->size()};
}

Text::Line line(const std::vector<std::string>& words) {
  Text::Line line;
  for (const auto& word : words) line.words.push_back({word, {10, 20, 30, 12}, 91.7F});
  line.box = {10, 20, 200, 14};
  return line;
}

Text page(std::vector<Text::Block> blocks) {
  Text text;
  text.blocks = std::move(blocks);
  text.page_size = {640, 480};
  text.dots_per_inch = 300;
  text.language = "eng";
  text.source = "a/b.png";
  return text;
}

/// Whether tags nest and close, quotes pair, and nothing stands raw that XML reserves.
bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; (at = xml.find_first_of("<>&", at)) != xml.npos;) {
    const auto end = xml.find_first_of(xml[at] == '&' ? "; <>" : "<>", at + 1);
    if (end == xml.npos || xml[at] == '>' || xml[end] != (xml[at] == '&' ? ';' : '>')) return false;
    const std::string inside = xml.substr(at + 1, end - at - 1);
    const bool tag = xml[at] == '<' && inside[0] != '?' && inside[0] != '!';
    if (tag && std::ranges::count(inside, '"') % 2 != 0) return false;
    const std::string name = inside.substr(inside[0] == '/', inside.find(' ') - (inside[0] == '/'));
    if (tag && inside[0] == '/') {
      if (open.empty() || open.back() != inside.substr(1)) return false;
      open.pop_back();
    } else if (tag && inside.back() != '/') {
      open.push_back(name);
    }
    at = end + 1;
  }
  return open.empty();
}

}  // namespace

TEST_CASE("text has its lines, and an empty line between paragraphs", "[stage][render]") {
  const Text text =
      page({{{{{line({"One", "two"}), line({"three"})}, {}, true}, {{line({"Four"})}, {}, true}},
             {},
             Text::Block::Kind::text,
             0},
            {{{{line({"Five"})}, {}, true}}, {}, Text::Block::Kind::text, 0}});
  const Bytes bytes = render(*make_render(), text);
  CHECK(content(bytes) == "One two\nthree\n\nFour\n\nFive\n");
  CHECK(bytes.extension == "txt");
}

TEST_CASE("a page without text gives an empty text file and a whole hOCR page", "[stage][render]") {
  const Text text = page({});
  CHECK(content(render(*make_render("text"), text)).empty());
  const std::string hocr = content(render(*make_render("hocr"), text));
  CHECK(well_formed(hocr));
  CHECK_THAT(hocr, ContainsSubstring("bbox 0 0 640 480; ppageno 0; scan_res 300 300"));
}

TEST_CASE("hOCR says where each word is and how sure it is", "[stage][render]") {
  auto first = line({"Hello"});
  first.baseline_slope = -0.0125F;
  first.baseline_offset = -3;
  first.x_height = 10;
  first.ascender = 4.25F;
  first.descender = 3.5F;
  Text text = page(
      {{{{{first}, {10, 20, 200, 14}, false}}, {10, 20, 200, 14}, Text::Block::Kind::text, 0}});
  text.page = 3;
  const Bytes bytes = render(*make_render("hocr"), text);
  const std::string hocr = content(bytes);
  CHECK(bytes.extension == "hocr");
  CHECK(well_formed(hocr));
  CHECK_THAT(hocr, ContainsSubstring("id=\"page_3\" lang=\"eng\""));
  CHECK_THAT(hocr, ContainsSubstring("ppageno 2"));
  CHECK_THAT(hocr, ContainsSubstring("<p class=\"ocr_par\" id=\"par_3_1\" dir=\"rtl\""));
  CHECK_THAT(hocr, ContainsSubstring("\"bbox 10 20 210 34; baseline -0.013 -3; x_size 17.75; "
                                     "x_descenders 3.5; x_ascenders 4.25\""));
  CHECK_THAT(hocr, ContainsSubstring("title=\"bbox 10 20 40 32; x_wconf 91\">Hello</span>"));
}

TEST_CASE("hOCR tells a turned block, a picture and a rule from text", "[stage][render]") {
  const Text text = page({{{{{line({"Side"})}, {}, true}}, {}, Text::Block::Kind::text, 270},
                          {{}, {1, 2, 3, 4}, Text::Block::Kind::picture, 0},
                          {{}, {5, 6, 7, 1}, Text::Block::Kind::rule, 0}});
  const std::string hocr = content(render(*make_render("hocr"), text));
  CHECK(well_formed(hocr));
  CHECK_THAT(hocr, ContainsSubstring("textangle 270"));
  CHECK_THAT(hocr, ContainsSubstring("ocr_photo\" id=\"block_1_2\" title=\"bbox 1 2 4 6\""));
  CHECK_THAT(hocr, ContainsSubstring("ocr_separator\" id=\"block_1_3\" title=\"bbox 5 6 12 7\""));
}

TEST_CASE("hOCR stays well-formed whatever the words and the file's name hold", "[stage][render]") {
  Text text = page({{{{{line({"<b>&\"'",
                              "a\x01\x0c"
                              "b",
                              "\xff\xc3", "\xef\xbf\xbf", "\xc3\xa4"})},
                       {},
                       true}},
                     {},
                     Text::Block::Kind::text,
                     0}});
  text.source = "a\"b\\<\xe4>.png";
  text.language = "eng+deu";
  const std::string hocr = content(render(*make_render("hocr"), text));
  CHECK(well_formed(hocr));
  CHECK_THAT(hocr, ContainsSubstring(">&lt;b&gt;&amp;&quot;&#39;</span>"));
  CHECK_THAT(hocr, ContainsSubstring(">ab</span>"));
  CHECK_THAT(hocr, ContainsSubstring(">\xef\xbf\xbd\xef\xbf\xbd</span>"));
  CHECK_THAT(hocr, ContainsSubstring("></span>"));
  CHECK_THAT(hocr, ContainsSubstring(">\xc3\xa4</span>"));
  CHECK_THAT(hocr, ContainsSubstring("image &quot;a\\&quot;b\\\\&lt;\xef\xbf\xbd&gt;.png&quot;"));
  CHECK(hocr.find("lang=") == hocr.npos);
}

TEST_CASE("the file's name decides what is written, unless the format is set", "[stage][render]") {
  const auto extension_for = [](Stage& stage, const char* extension) {
    Demand demand;
    demand.extension = extension;
    CHECK(stage.accept(demand).empty());
    return render(stage, page({})).extension;
  };
  CHECK(extension_for(*make_render(), "txt") == "txt");
  CHECK(extension_for(*make_render(), "") == "txt");
  CHECK(extension_for(*make_render(), "HOCR") == "hocr");
  CHECK(extension_for(*make_render(), "html") == "hocr");
  CHECK(extension_for(*make_render("text"), "md") == "txt");
  CHECK(extension_for(*make_render("hocr"), "txt") == "hocr");
}

TEST_CASE("a file's name that render does not know is refused with those it does",
          "[stage][render]") {
  Demand demand;
  demand.extension = "pdf";
  const auto complaints = make_render()->accept(demand);
  REQUIRE(complaints.size() == 1);
  CHECK_THAT(complaints[0], ContainsSubstring(".pdf") && ContainsSubstring(".txt, .text, .hocr"));
}
