// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include "cli/quick/paths.hpp"
#include "cli/quick/quick_verb.hpp"
#include "stages/codecs/codec.hpp"

namespace millrace::cli {
namespace {

std::vector<std::string> written_endings() {
  std::vector<std::string> endings;
  for (const auto* const codec : codecs::all())
    for (const auto extension : codec->extensions)
      if (!extension.empty()) endings.emplace_back(extension);
  return endings;
}

struct Convert final : QuickVerb {
  Convert() : QuickVerb("convert") {}

  void declare(Arguments& a) override {
    flags_.declare(a, {"resize",
                       "Size",
                       {},
                       {{"background", "--border"}},
                       {"width", "height", "fit", "only_shrink"}});
    flags_.declare(a, {"encode", "Format", {}, {}, {"format", "quality", "strip"}});
    flags_.declare(a, {"decode", "Reading", {"max_pixels", "shrink"}, {}, {}});
  }

  void write_stages(YamlText& yaml) const override {
    if (flags_.any_given("decode")) yaml.line("  - decode:");
    flags_.write(yaml, 6, "decode");
    yaml.line("  - orient");
    if (flags_.any_given("resize")) yaml.line("  - resize:");
    flags_.write(yaml, 6, "resize");
    const auto format = flags_.given("encode", "format");
    const auto* const codec = format.empty() ? nullptr : codecs::find(format.front());
    const auto ending = codec ? std::string(codec->extensions[0]) : "{ext}";
    write_sink(yaml, output_template(out_, in_, "{stem}." + ending, written_endings()), "encode");
  }
};

const RegisterVerb<Convert> registered{
    "convert", Verbs::Group::work, "Convert pictures: size, format, quality",
    "millrace convert photos -o small --width 1600 --only-shrink --format webp"};

}  // namespace
}  // namespace millrace::cli
