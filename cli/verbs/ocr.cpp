// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "cli/quick/paths.hpp"
#include "cli/quick/quick_verb.hpp"
#include "millrace/catalogue.hpp"
#include "millrace/error.hpp"

namespace millrace::cli {
namespace {

/// What a page can become, as `render` has it: a flag for each, --text, --hocr.
struct Result {
  std::string format;
  bool wanted = false;
  std::string ending() const { return format == "text" ? "txt" : format; }
};

struct Ocr final : QuickVerb {
  Ocr() : QuickVerb("ocr") {}

  std::deque<Result> results;
  bool no_deskew = false;

  void declare(Arguments& a) override {
    const auto render = Catalogue::instance().find("render")->make();
    Options options;
    render->options(options);
    for (const auto& [name, summary] : options.find("format")->choices()) {
      if (name == "auto") continue;
      auto& result = results.emplace_back(Result{name});
      a.flag("--" + name, result.wanted, summary).group("Result");
    }
    flags_.declare(
        a, {"ocr", "Reading", {}, {{"languages", "--lang,-l"}}, {"languages", "psm", "dpi"}});
    a.flag("--no-deskew", no_deskew, "Leave the lines of text as they lie").group("The page");
    flags_.declare(a, {"deskew", "The page", {"expand", "background"}, {}, {"max_angle"}});
    flags_.declare(
        a, {"binarize",
            "The page",
            {},
            {{"method", "--binarize"}, {"window", "--binarize-window"}, {"k", "--binarize-k"}},
            {"method"}});
  }

  void write_stages(YamlText& yaml) const override {
    for (const auto* const stage : {"orient", "grayscale"}) yaml.line(std::string("  - ") + stage);
    if (!no_deskew) write_stage(yaml, "deskew");
    if (flags_.any_given("binarize")) write_stage(yaml, "binarize");
    write_stage(yaml, "ocr");
    yaml.line("    id: recognise");
    bool is_first = true;
    for (const auto& path : outputs()) {
      write_sink(yaml, path, "render");
      if (!is_first) yaml.line("    from: recognise");
      is_first = false;
    }
  }

 private:
  void write_stage(YamlText& yaml, const std::string& stage) const {
    yaml.line("  - " + stage + ":");
    flags_.write(yaml, 6, stage);
  }

  std::vector<std::string> outputs() const {
    std::vector<std::string> endings, wanted, outputs;
    for (const auto& result : results) {
      endings.push_back(result.ending());
      if (result.wanted) wanted.push_back(result.ending());
    }
    const auto named = ending_of(out_);
    if (wanted.empty())
      wanted.push_back("txt");
    else if (wanted.size() > 1 && std::ranges::count(endings, named) > 0)
      throw Error(ErrorKind::usage, "-o " + out_ + ": one file cannot be all of " + joined(wanted) +
                                        "; give a folder");
    else if (std::ranges::count(endings, named) > 0 && named != wanted.front())
      throw Error(ErrorKind::usage, "-o " + out_ + ": the ending is not ." + wanted.front());
    for (const auto& ending : wanted)
      outputs.push_back(output_template(out_, in_, "{stem}." + ending, endings));
    return outputs;
  }

  static std::string joined(const std::vector<std::string>& endings) {
    std::string text;
    for (const auto& ending : endings) text += (text.empty() ? "." : ", .") + ending;
    return text;
  }
};

const RegisterVerb<Ocr> registered{"ocr", Verbs::Group::work, "Read the text of scanned pages",
                                   "millrace ocr scans -o text --text --hocr --lang eng"};

}  // namespace
}  // namespace millrace::cli
