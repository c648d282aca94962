// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/judge_outputs.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "stages/codecs/codec.hpp"
#include "stages/document/writers/plain_text.hpp"
#include "testing/picture_difference.hpp"
#include "testing/pictures.hpp"
#include "testing/text_difference.hpp"

namespace millrace::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t lines_shown = 12;
constexpr std::size_t text_shown = 200;
// Steps of a comparison of texts that takes well under a second.
constexpr std::size_t most_steps = 400'000'000;

/// A name for a file or folder: letters, digits, dots, and one `-` for what lies between.
std::string slug(std::string_view text) {
  std::string name;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_')
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  while (name.ends_with('-')) name.pop_back();
  return name.empty() || name.starts_with('.') ? "x" + name : name;
}

std::string shortened(std::string text) {
  if (text.size() <= text_shown) return text;
  auto end = text_shown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

class OutputJudge {
 public:
  OutputJudge(const TestCase& test, const Output& output, const std::string& label,
              const fs::path& folder, const TestSettings& settings, TestResult& result)
      : expect_(test.expect),
        output_(output),
        label_(label),
        folder_(folder),
        settings_(settings),
        result_(result),
        shown_(settings.output / slug(test.name)) {}

  void judge() {
    if (expect_.width || expect_.height || expect_.channels || expect_.bits || expect_.picture)
      judge_pictures();
    if (expect_.format) judge_format();
    if (expect_.text) judge_text();
  }

 private:
  void complain(const std::string& text) { result_.complaints.push_back(label_ + ": " + text); }

  void judge_pictures() {
    try {
      pictures_ = pictures_of(output_.payload);
    } catch (const Error& error) {
      return complain(std::string("it is no picture: ") + error.what());
    }
    for (const Image& picture : pictures_) {
      judge_number("width", expect_.width, picture.pixels.cols);
      judge_number("height", expect_.height, picture.pixels.rows);
      judge_number("channels", expect_.channels, picture.pixels.channels());
      judge_number("bits", expect_.bits, picture.pixels.depth() == CV_16U ? 16 : 8);
    }
    if (expect_.picture) judge_picture(*expect_.picture);
  }

  static std::vector<Image> pictures_of(const Payload& payload) {
    if (const auto* image = std::get_if<Image>(&payload)) return {*image};
    if (const auto* bytes = std::get_if<Bytes>(&payload)) return decode_pictures(*bytes);
    throw Error(ErrorKind::input, "it is the text of a page");
  }

  void judge_number(const char* what, const std::optional<Comparison>& expected, int got) {
    if (expected && !expected->holds(got))
      complain(std::string(what) + ": got " + std::to_string(got) + ", expected " +
               OptionType<Comparison>::print(*expected));
  }

  void judge_format() {
    const auto* bytes = std::get_if<Bytes>(&output_.payload);
    if (!bytes) return complain("format: it is not encoded here; let 'to' be a later stage");
    std::string got = bytes->extension;
    if (bytes->data && codecs::recognised(*bytes->data))
      got = codecs::open(*bytes->data).codec->name;
    const auto* const codec = codecs::find_by_extension(*expect_.format);
    if (got != (codec ? std::string(codec->name) : *expect_.format) && got != *expect_.format)
      complain("format: got " + (got.empty() ? "what has no name" : got) + ", expected " +
               *expect_.format);
  }

  /// Where what is expected of this output is; none after a complaint.
  std::optional<fs::path> expected_file(const PathTemplate& file) {
    const auto* bytes = std::get_if<Bytes>(&output_.payload);
    try {
      return folder_ / *file.expand(output_.origin, bytes ? bytes->extension : "png");
    } catch (const Error& error) {
      complain(error.what());
      return std::nullopt;
    }
  }

  static bool is_there(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
  }

  void judge_picture(const ExpectedPicture& expected) {
    const auto file = expected_file(expected.file);
    if (!file) return;
    if (!is_there(*file)) {
      if (settings_.accept) return accept_picture(*file);
      complain("picture: " + file->string() +
               " is not there; look at what came, and make it that with --accept");
      return show("got", pictures_.front());
    }
    std::vector<Image> wanted;
    try {
      wanted = decode_pictures(read_file(*file));
    } catch (const Error& error) {
      return complain("picture: " + file->string() + ": " + error.what());
    }
    std::vector<std::string> differences;
    if (wanted.size() != pictures_.size())
      differences.push_back("it has " + std::to_string(pictures_.size()) + " pages, expected " +
                            std::to_string(wanted.size()));
    std::vector<std::size_t> differing;
    for (std::size_t i = 0; i < std::min(wanted.size(), pictures_.size()); ++i)
      if (auto text = compare(pictures_[i], wanted[i], expected); !text.empty()) {
        differences.push_back(std::move(text));
        differing.push_back(i);
      }
    if (differences.empty()) return;
    if (settings_.accept) return accept_picture(*file);
    for (const auto& difference : differences)
      complain("picture: " + difference + "; expected " + file->string());
    for (const std::size_t i : differing) show_difference(pictures_[i], wanted[i]);
  }

  /// How they differ; empty where they do not by more than is allowed.
  static std::string compare(const Image& got, const Image& wanted,
                             const ExpectedPicture& expected) {
    const auto found = compare_pictures(got, wanted, expected.tolerance.percent);
    if (!found.unlike.empty()) return found.unlike;
    if (found.percent_different() <= expected.max_different.percent) return {};
    return percent_text(found.percent_different()) + " of the pixels differ by more than " +
           OptionType<Share>::print(expected.tolerance) + " (at most " +
           OptionType<Share>::print(expected.max_different) + " may), the most by " +
           percent_text(found.largest) + " at x " + std::to_string(found.at.x) + ", y " +
           std::to_string(found.at.y);
  }

  void show_difference(const Image& got, const Image& wanted) {
    show("expected", wanted);
    show("got", got);
    Image difference;
    difference.pixels = compare_pictures(got, wanted, 0).amplified;
    if (!difference.pixels.empty()) show("difference", difference);
  }

  void show(const std::string& what, const Image& picture) {
    const auto file = shown_ / (slug(label_) + "." + what + ".png");
    try {
      write_file(file, encode_picture(picture, "png"));
      result_.notes.push_back("see " + file.string());
    } catch (const Error& error) {
      result_.notes.push_back(std::string("cannot show the picture: ") + error.what());
    }
  }

  /// As it came where the file is to be of that format, else without loss.
  void accept_picture(const fs::path& file) {
    const auto* bytes = std::get_if<Bytes>(&output_.payload);
    const auto extension = file.extension().string().substr(file.has_extension() ? 1 : 0);
    const auto* const codec = codecs::find_by_extension(extension);
    const bool as_it_is = bytes && codec && codecs::recognised(*bytes->data) &&
                          codecs::open(*bytes->data).codec == codec;
    try {
      if (!as_it_is && pictures_.size() > 1)
        throw Error(ErrorKind::input, "pages of one file are kept in a file of its own format");
      accept(file, as_it_is ? *bytes : encode_picture(pictures_.front(), extension));
    } catch (const Error& error) {
      complain("picture: " + file.string() + ": " + error.what());
    }
  }

  void accept(const fs::path& file, const Bytes& bytes) {
    const bool is_new = !is_there(file);
    write_file(file, bytes);
    result_.notes.push_back((is_new ? "accepted: " : "accepted in place of what was there: ") +
                            file.string());
  }

  void judge_text() {
    const auto* text = std::get_if<Text>(&output_.payload);
    const auto* bytes = std::get_if<Bytes>(&output_.payload);
    if (!text && !bytes) return complain("text: it is a picture");
    if (bytes && bytes->data && codecs::recognised(*bytes->data))
      return complain("text: it is a picture's file");
    const auto got = text ? document::plain_text(*text) : std::string(text_of(*bytes));
    const auto all = folded(got);
    for (const auto& part : expect_.text->contains)
      if (all.find(folded(part)) == all.npos)
        complain("text: it does not contain " + quote(part) +
                 "; it reads: " + (all.empty() ? "nothing" : quote(shortened(all))));
    if (expect_.text->file) judge_text_file(got, *expect_.text);
  }

  void judge_text_file(const std::string& got, const ExpectedText& expected) {
    const auto file = expected_file(*expected.file);
    if (!file) return;
    try {
      if (!is_there(*file)) {
        if (settings_.accept) return accept(*file, bytes_of(got, "txt"));
        return complain("text: " + file->string() +
                        " is not there; look at what came, and make it that with --accept:\n" +
                        unified_difference("", got, lines_shown));
      }
      const auto content = read_file(*file);
      const auto difference = text_difference(got, text_of(content), expected.max_error);
      if (difference.empty()) return;
      if (settings_.accept) return accept(*file, bytes_of(got, "txt"));
      complain("text: " + difference + "; expected " + file->string() + "\n" +
               unified_difference(text_of(content), got, lines_shown));
    } catch (const Error& error) {
      complain(std::string("text: ") + error.what());
    }
  }

  /// Empty where there are no more errors than allowed.
  static std::string text_difference(std::string_view got, std::string_view expected,
                                     const Share& max_error) {
    const auto length = std::max<std::size_t>(characters_of(expected), 1);
    const auto allowed = static_cast<std::size_t>(
        std::floor(static_cast<double>(length) * max_error.percent / 100 + 1e-9));
    const auto most = std::max(allowed, most_steps / (length + characters_of(got)));
    const auto errors = characters_between(got, expected, most);
    if (errors && *errors <= allowed) return {};
    const auto share = [&](std::size_t count) {
      return percent_text(100 * static_cast<double>(count) / static_cast<double>(length));
    };
    return (errors ? share(*errors) + " of the characters are wrong (" + std::to_string(*errors)
                   : "more than " + share(most) + " of the characters are wrong (") +
           (errors ? " of " + std::to_string(length) + ", " : "") + "at most " +
           OptionType<Share>::print(max_error) + " may)";
  }

  const Expectation& expect_;
  const Output& output_;
  const std::string label_;
  const fs::path& folder_;
  const TestSettings& settings_;
  TestResult& result_;
  const fs::path shown_;
  std::vector<Image> pictures_;
};

/// Two outputs that would be compared with one file are not both what it shows.
bool share_a_file(const PathTemplate& file, const char* what, const std::vector<Output>& outputs,
                  TestResult& result) {
  std::set<std::string> files;
  for (const Output& output : outputs) {
    std::optional<std::string> name;
    try {
      name = file.expand(output.origin, "");
    } catch (const Error&) {
      continue;  // told where it is compared
    }
    if (files.insert(*name).second) continue;
    result.complaints.push_back(std::string(what) + ": several of the " +
                                std::to_string(outputs.size()) +
                                " outputs would be compared with " + *name +
                                "; put {path} or {stem} into the file's name, or let 'to' be one "
                                "of the sinks");
    return true;
  }
  return false;
}

}  // namespace

void judge_outputs(const TestCase& test, const std::vector<Output>& outputs, const fs::path& folder,
                   const TestSettings& settings, TestResult& result) {
  const auto& expect = test.expect;
  if ((expect.picture && share_a_file(expect.picture->file, "picture", outputs, result)) ||
      (expect.text && expect.text->file &&
       share_a_file(*expect.text->file, "text", outputs, result)))
    return;
  std::set<std::size_t> sinks;
  for (const Output& output : outputs) sinks.insert(output.sink);
  for (const Output& output : outputs) {
    const auto label =
        output.origin.label() + (sinks.size() > 1 ? " at " + output.stage : std::string());
    OutputJudge(test, output, label, folder, settings, result).judge();
  }
}

}  // namespace millrace::inline v1
