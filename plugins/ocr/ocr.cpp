// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <tesseract/baseapi.h>
#include <tesseract/ocrclass.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "millrace/catalogue.hpp"
#include "millrace/gray.hpp"
#include "millrace/turn.hpp"
#include "page_reader.hpp"
#include "quiet.hpp"
#include "tessdata.hpp"

namespace millrace {
namespace {

/// What the engine accepts as a stated resolution (kMinCredibleResolution and
/// kMaxCredibleResolution in its publictypes.h).
constexpr double min_dpi = 70;
constexpr double max_dpi = 2400;

/// The engine, of one worker.
struct Engine {
  tesseract::TessBaseAPI api;
};

/// Forgets the page on every way out: its picture and results, and what was learnt from it, so that
/// a page's text does not depend on the pages before it.
class Page {
 public:
  explicit Page(tesseract::TessBaseAPI& api) : api_(api) {}
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  ~Page() {
    api_.Clear();
    api_.ClearAdaptiveClassifier();
  }

 private:
  tesseract::TessBaseAPI& api_;
};

void check_size(cv::Size size) {
  // The engine refuses longer sides (thresholder.cpp), and Leptonica counts the bytes of a 32-bit
  // copy in an int.
  constexpr int max_side = 32767;
  constexpr std::int64_t max_pixels = (std::int64_t{1} << 31) / 4;
  const std::string is = std::to_string(size.width) + "x" + std::to_string(size.height);
  if (size.width > max_side || size.height > max_side)
    throw Error(ErrorKind::input, is + " pixels: a side is longer than the " +
                                      std::to_string(max_side) +
                                      " that Tesseract reads; resize it before");
  if (std::int64_t{size.width} * size.height >= max_pixels)
    throw Error(ErrorKind::input, is + " is not under the " + std::to_string(max_pixels) +
                                      " pixels that Tesseract reads; resize it before");
}

bool is_done(void* context, int /*words*/) { return static_cast<const Context*>(context)->done(); }

struct Ocr final : Transform<Image, Text, Engine> {
  std::vector<std::string> languages = {"eng"};
  tesseract::PageSegMode psm = tesseract::PSM_AUTO;
  std::optional<int> dpi;
  std::string tessdata;

  void options(Options& o) override;
  std::vector<std::string> check() const override;
  Demand demand(const Demand& downstream) const override;
  std::unique_ptr<Engine> start(const Context& context) const override;
  Text run(ItemContext& context, Image image, Engine& engine) const override;
  std::vector<Condition> diagnose() const override;

 private:
  std::vector<std::string> language_list() const;
  std::string language_text() const;
  std::optional<double> resolution_of(const Image& image) const;
};

void Ocr::options(Options& o) {
  using namespace tesseract;
  o.add("languages", languages,
        "What the text is written in, by Tesseract's names, the main one first; eng+deu is two.")
      .example("[eng]");
  o.add("psm", psm,
        {{"auto", PSM_AUTO, "Find blocks of text, pictures and rules (3)."},
         {"single_column", PSM_SINGLE_COLUMN, "One column of text of any sizes (4)."},
         {"vertical_block", PSM_SINGLE_BLOCK_VERT_TEXT, "One block of vertical text (5)."},
         {"single_block", PSM_SINGLE_BLOCK, "One even block of text (6)."},
         {"single_line", PSM_SINGLE_LINE, "One line (7)."},
         {"single_word", PSM_SINGLE_WORD, "One word (8)."},
         {"sparse", PSM_SPARSE_TEXT, "As much text as can be found, in no order (11)."},
         {"raw_line", PSM_RAW_LINE, "One line, taken as it is (13)."}},
        "How the page is laid out (Tesseract's page segmentation mode, its number in brackets).");
  o.add("dpi", dpi,
        "Resolution of the picture; unless set the picture's own where it is one of 70..2400, else "
        "the engine's guess from the size of the text.")
      .unit("dpi")
      .range(min_dpi, max_dpi);
  o.add("tessdata", tessdata,
        "Folder with the languages' .traineddata files; empty means the engine's own.");
}

std::vector<std::string> Ocr::language_list() const {
  std::vector<std::string> list;
  for (const auto& entry : languages) {
    std::istringstream parts(entry);
    for (std::string part; std::getline(parts, part, '+');) list.push_back(part);
  }
  return list;
}

std::string Ocr::language_text() const {
  std::string text;
  for (const auto& language : language_list()) text += (text.empty() ? "" : "+") + language;
  return text;
}

std::vector<std::string> Ocr::check() const {
  const auto list = language_list();
  if (list.empty()) return {"languages: names none"};
  const auto folder = tessdata.empty() ? ocr::default_tessdata() : std::filesystem::path(tessdata);
  std::vector<std::string> complaints;
  for (const auto& language : std::set<std::string>(list.begin(), list.end()))
    if (auto complaint = ocr::complaint_about(language, folder, tessdata.empty()))
      complaints.push_back(std::move(*complaint));
  return complaints;
}

Demand Ocr::demand(const Demand&) const {
  Demand demand;
  demand.gray = true;
  return demand;
}

std::unique_ptr<Engine> Ocr::start(const Context& context) const {
  context.check();
  ocr::quiet();
  auto engine = std::make_unique<Engine>();
  // LSTM alone: the older recogniser that some language files hold as well adapts to what it has
  // read before.
  if (engine->api.Init(tessdata.empty() ? nullptr : tessdata.c_str(), language_text().c_str(),
                       tesseract::OEM_LSTM_ONLY) != 0)
    throw Error(ErrorKind::config, "Tesseract cannot load the language '" + language_text() +
                                       "' from " + engine->api.GetDatapath() +
                                       ": is its file damaged?");
  engine->api.SetPageSegMode(psm);
  return engine;
}

std::optional<double> Ocr::resolution_of(const Image& image) const {
  if (dpi) return *dpi;
  if (!image.resolution) return std::nullopt;
  // The engine measures heights of text, so it is the resolution across the lines that counts.
  const double own = swaps_axes(image.orientation) ? image.resolution->x : image.resolution->y;
  if (own >= min_dpi && own <= max_dpi) return own;
  return std::nullopt;
}

/// 8-bit gray, upright. The engine would turn more channels into 32 bits a pixel, and slowly.
cv::Mat page_for_engine(Image image) {
  make_gray(image);
  if (image.pixels.depth() == CV_16U) image.pixels.convertTo(image.pixels, CV_8U, 1.0 / 257);
  turn_upright(image);
  return image.pixels;
}

Text Ocr::run(ItemContext& context, Image image, Engine& engine) const {
  check_size(image.pixels.size());
  context.check();
  Text text;
  text.dots_per_inch = resolution_of(image);
  text.language = language_text();
  text.page = static_cast<int>(context.origin().page.value_or(1));
  text.source = context.origin().path;

  auto& api = engine.api;
  const Page page(api);
  {
    const cv::Mat gray = page_for_engine(std::move(image));
    text.page_size = gray.size();
    api.SetImage(gray.data, gray.cols, gray.rows, 1, static_cast<int>(gray.step));
  }
  if (text.dots_per_inch)
    api.SetSourceResolution(static_cast<int>(std::lround(*text.dots_per_inch)));

  tesseract::ETEXT_DESC monitor;
  monitor.cancel = is_done;
  monitor.cancel_this = static_cast<Context*>(&context);
  if (api.Recognize(&monitor) < 0) {
    // What has been read of the page is filled up with blanks: no result.
    context.check();
    throw Error(ErrorKind::input, "Tesseract cannot find the layout of this picture");
  }
  text.blocks = ocr::read_blocks(api);
  return text;
}

std::vector<Condition> Ocr::diagnose() const {
  std::vector<Condition> conditions{
      {"Tesseract", tesseract::TessBaseAPI::Version(), {}, {}},
  };
  const auto folder = ocr::default_tessdata();
  std::string names;
  for (const auto& name : ocr::languages_in(folder)) names += (names.empty() ? "" : ", ") + name;
  Condition found{"languages",
                  names.empty() ? "none in " + folder.string() : names + " in " + folder.string(),
                  {},
                  {}};
  if (names.empty())
    found.problem = "no page can be read without one";
  else if (!check().empty())
    found.problem = "eng, which is used unless a pipeline says otherwise, is not there";
  if (!found.problem.empty())
    found.remedy = std::getenv("TESSDATA_PREFIX") != nullptr
                       ? "unset TESSDATA_PREFIX"
                       : "apt-get install " + ocr::debian_package("eng");
  conditions.push_back(std::move(found));
  return conditions;
}

const Register<Ocr> registered{"ocr", "Read the text on a page with Tesseract."};

}  // namespace
}  // namespace millrace
