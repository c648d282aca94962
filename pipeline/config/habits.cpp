// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/habits.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace millrace::inline v1 {
namespace {

/// A name of ours, and what other tools call it, each word between blanks.
struct OtherWords {
  std::string_view ours, others;
};

// Where a word is known for several, the candidates at that place tell which is meant.
constexpr auto table = std::to_array<OtherWords>({
    {"stages", " steps step pipeline pipelines tasks nodes filters "},
    {"vars", " variables env params parameters "},
    {"run", " settings config options runtime "},
    {"name", " title "},
    {"workers", " threads jobs concurrency parallel parallelism cpus cores num_workers "},
    {"id", " name label "},
    {"from", " input inputs source needs depends_on after in "},
    {"queue", " buffer capacity buffer_size queue_size "},
    {"retry", " retries attempts "},
    {"attempts", " count times max_attempts max_retries "},
    {"backoff", " delay wait "},
    {"rate", " rate_limit throttle "},
    {"timeout", " deadline max_time time_limit "},
    {"shutdown_timeout", " timeout grace_period "},
    {"isolate", " sandbox process subprocess "},
    {"on_error", " error errors on_failure onerror error_policy "},
    {"in_flight", " max_in_flight window "},
    {"memory", " mem max_memory memory_limit ram "},
    {"files", " input inputs src source in read load open folder dir directory "},
    {"write", " output outputs out save store dest destination sink export "},
    {"resize", " scale resample thumbnail shrink "},
    {"orient", " rotate autorotate auto_orient auto_rotate exif_rotate "},
    {"grayscale", " gray grey greyscale monochrome bw "},
    {"binarize", " threshold binarise bitonal "},
    {"deskew", " straighten unskew "},
    {"encode", " convert transcode compress "},
    {"ocr", " tesseract recognize recognise "},
    {"path", " dir folder file filename in input src source out output dest to "},
    {"match", " pattern patterns include glob filter "},
    {"if_exists", " exists on_exists "},
    {"width", " w "},
    {"height", " h "},
    {"fit", " mode "},
    {"quality", " q compression_quality "},
    {"languages", " lang language langs "},
    {"background", " bg color colour fill "},
    {"only_shrink", " no_enlarge withoutenlargement downscale_only "},
});

// The values' own words.
constexpr auto values = std::to_array<OtherWords>({
    {"cover", " crop fill_crop "},
    {"fill", " stretch exact force "},
    {"contain", " pad letterbox "},
    {"inside", " max "},
    {"jpeg", " jpg jpe "},
    {"tiff", " tif "},
    {"centre", " center middle "},
    {"continue", " skip ignore carry_on "},
    {"stop", " fail abort exit "},
    {"preserve", " keep ordered input "},
    {"overwrite", " replace force "},
    {"auto", " 3 "},  // Tesseract's page segmentation modes
    {"single_column", " 4 "},
    {"vertical_block", " 5 "},
    {"single_block", " 6 "},
    {"single_line", " 7 "},
    {"single_word", " 8 "},
    {"sparse", " 11 "},
    {"raw_line", " 13 "},
});

std::string small_letters(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    if (c == '-') c = '_';
  }
  return result;
}

bool is_windows_path(std::string_view text) {
  return text.size() > 2 && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         text[1] == ':' && (text[2] == '\\' || text[2] == '/' || text[2] < ' ');
}

}  // namespace

std::optional<std::string> other_word_for(std::string_view name,
                                          const std::vector<std::string>& candidates) {
  if (name.empty() || name.find(' ') != name.npos) return std::nullopt;
  const auto word = " " + small_letters(name) + " ";
  const auto find = [&](const auto& rows) -> std::optional<std::string> {
    for (const auto& [ours, others] : rows)
      if (others.find(word) != others.npos &&
          std::ranges::find(candidates, ours) != candidates.end())
        return std::string(ours);
    return std::nullopt;
  };
  const auto key = find(table);
  return key ? key : find(values);
}

std::optional<ForeignPath> foreign_path(std::string_view text) {
  constexpr auto foreign = Code::foreign_path;
  if (text.starts_with("~/"))
    return ForeignPath{foreign, "'~' is the home folder only to a shell", "use ${env:HOME}",
                       "\"${env:HOME}" + std::string(text.substr(1)) + "\""};
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  if (text.size() > 1 && text[0] == '$' && letters.find(text[1]) != letters.npos) {
    const auto end =
        std::min(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", 1), text.size());
    const auto name = std::string(text.substr(1, end - 1));
    // "$RECYCLE.BIN" is the name of a folder.
    if (end == text.size() || text[end] == '/')
      return ForeignPath{foreign, "'$" + name + "' is a variable only to a shell",
                         "use ${env:" + name + "}",
                         "\"${env:" + name + "}" + std::string(text.substr(end)) + "\""};
  }
  if (is_windows_path(text))
    return ForeignPath{foreign, "this is a path of Windows",
                       "folders are parted by '/'; under WSL the drive is /mnt/" +
                           small_letters(text.substr(0, 1)),
                       std::nullopt};
  for (const auto& [open, close] :
       {std::pair("“", "”"), std::pair("‘", "’"), std::pair("„", "“")}) {
    const std::string_view begin = open, end = close;
    if (text.size() > 6 && text.starts_with(begin) && text.ends_with(end))
      return ForeignPath{Code::needs_quotes, "to YAML these quotes are letters of the text",
                         "write \" or '",
                         "\"" + std::string(text.substr(3, text.size() - 6)) + "\""};
  }
  return std::nullopt;
}

}  // namespace millrace::inline v1
