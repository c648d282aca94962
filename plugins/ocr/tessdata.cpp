// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "tessdata.hpp"

#include <tesseract/baseapi.h>

#include <algorithm>
#include <system_error>

#include "quiet.hpp"

namespace millrace::ocr {
namespace {

namespace fs = std::filesystem;

constexpr const char* extension = ".traineddata";

}  // namespace

/// `osd` finds the orientation and reads no text.
std::vector<std::string> languages_in(const fs::path& folder) {
  std::vector<std::string> languages;
  for (const char* under : {"", "script"}) {
    std::error_code ended;
    for (fs::directory_iterator at(folder / under, ended), end; !ended && at != end;
         at.increment(ended))
      if (at->path().extension() == extension && at->path().stem() != "osd")
        languages.push_back((fs::path(under) / at->path().stem()).string());
  }
  std::ranges::sort(languages);
  return languages;
}

/// Of ISO 639-2 as Tesseract's files have it, "deu" or "chi_sim"; scripts are "script/Latin".
bool is_code(const std::string& language) {
  const auto end = std::min(language.find('_'), language.size());
  return end == 3 &&
         std::ranges::all_of(language.substr(0, end), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string debian_package(std::string language) {
  std::ranges::replace(language, '_', '-');
  return "tesseract-ocr-" + language;
}

fs::path default_tessdata() {
  quiet();
  // The engine settles its folder when it loads a language, and keeps it when there is none.
  tesseract::TessBaseAPI engine;
  engine.Init(nullptr, "-", tesseract::OEM_LSTM_ONLY);
  return engine.GetDatapath();
}

std::optional<std::string> complaint_about(const std::string& language, const fs::path& folder,
                                           bool by_default) {
  const auto there = languages_in(folder);
  if (std::ranges::binary_search(there, language)) return std::nullopt;
  std::string names;
  for (const auto& name : there) names += (names.empty() ? "" : ", ") + name;
  std::string complaint = "languages: '" + language + "' is not in " + folder.string() +
                          ", which has " + (names.empty() ? "none" : names);
  // In a folder of one's own a language may be called anything.
  if (by_default && language.find('/') == language.npos)
    complaint += is_code(language)
                     ? "; on Debian, 'apt install " + debian_package(language) + "' adds it"
                     : "; a language is called by its code of three letters, such as eng or deu";
  return complaint;
}

}  // namespace millrace::ocr
