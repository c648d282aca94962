// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "millrace/catalogue.hpp"
#include "millrace/run_outputs.hpp"
#include "millrace/stage.hpp"
#include "stages/support/ascii.hpp"
#include "stages/support/atomic_file.hpp"
#include "stages/support/file_error.hpp"
#include "stages/support/path_template.hpp"
#include "stages/support/printable.hpp"

namespace millrace::inline v1 {
namespace {

enum class IfExists { error, skip, overwrite, newer, suffix };

constexpr std::size_t complaints_shown = 5;
constexpr std::size_t names_shown = 5;
constexpr std::size_t bytes_at_once = std::size_t{4} << 20;  // between two looks at cancellation
constexpr int most_suffixes = 10000;

/// Of the name itself, not of what a link leads to: a rename would replace the link.
std::optional<struct stat> look_at(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

/// What must not be replaced; null for a file, or a link, which is replaced by a file.
const char* other_than_a_file(const struct stat& there) {
  if (S_ISREG(there.st_mode) || S_ISLNK(there.st_mode)) return nullptr;
  if (S_ISDIR(there.st_mode)) return "a folder";
  return S_ISFIFO(there.st_mode) ? "a pipe" : "a device or socket";
}

bool is_older(const struct timespec& a, const struct timespec& b) {
  return std::pair(a.tv_sec, a.tv_nsec) < std::pair(b.tv_sec, b.tv_nsec);
}

std::string with_suffix(const std::string& name, int number) {
  const auto dot = name.rfind('.');
  const auto at = dot == name.npos || dot == 0 ? name.size() : dot;
  return std::string(name).insert(at, "_" + std::to_string(number));
}

/// Why the folder cannot take files, without making it.
std::optional<std::string> folder_complaint(const std::string& root) {
  auto folder = std::filesystem::path(root.empty() ? "." : root);
  while (true) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) == 0) {
      const auto cannot = "cannot write into " + root + ": ";
      if (!S_ISDIR(status.st_mode)) return cannot + folder.string() + " is a file, not a folder";
      if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return cannot + folder.string() + ": " + reason_of(errno);
      return std::nullopt;
    }
    if (errno != ENOENT && errno != ENOTDIR)
      return "cannot write into " + root + ": " + reason_of(errno);
    const auto above = folder.parent_path();
    if (above == folder) return std::nullopt;
    folder = above.empty() ? std::filesystem::path(".") : above;
  }
}

/// The first few, and how many there are more of.
class Complaints {
 public:
  void add(std::string_view text) {
    if (texts_.size() < complaints_shown)
      texts_.push_back(printable(text));  // the engine makes lines of them
    else
      ++more_;
  }
  std::vector<std::string> take(const std::string& what) && {
    if (more_ > 0) texts_.push_back("and " + std::to_string(more_) + " more " + what);
    return std::move(texts_);
  }

 private:
  std::vector<std::string> texts_;
  std::size_t more_ = 0;
};

struct Write final : Sink<Bytes>, OutputPlanner {
  PathTemplate path;
  IfExists if_exists = IfExists::error;
  bool fsync = false;

  void options(Options& o) override {
    o.add("path", path,
          "Where each item goes, such as out/{dir}/{stem}.webp. {path}: the item's path; {dir}, "
          "{stem}: its parts; {ext}: the extension of what is written; {index}, {page}: numbers "
          "from 1, {index:04} with zeros in front.")
        .required()
        .example("\"out/{path}\"");
    o.add("if_exists", if_exists,
          {{"error", IfExists::error,
            "The run does not start; where only what is in a file gives the name, the item fails."},
           {"skip", IfExists::skip, "The item is skipped."},
           {"overwrite", IfExists::overwrite, "The file is replaced."},
           {"newer", IfExists::newer, "It is replaced if the input is newer, else skipped."},
           {"suffix", IfExists::suffix, "The new file gets _2, _3, ... behind its stem."}},
          "What to do where an output exists before the run.");
    o.add("fsync", fsync, "Wait until each file is on the disk: slow, but safe from power cuts.");
  }

  Demand demand(const Demand&) const override {
    Demand demand;
    demand.extension = path.extension();
    return demand;
  }

  OutputForecast prepare(const std::vector<const Origin*>& items,
                         std::shared_ptr<RunOutputs> run) override;
  void run(ItemContext& context, Bytes bytes) const override;

 private:
  struct Output {
    std::string path;
    const Origin* item;
  };
  static std::string name_among(const std::vector<const Output*>& outputs, const Origin& item);
  std::vector<std::string> collisions(const std::vector<Output>& outputs) const;
  std::vector<std::string> endangered(const std::vector<Output>& outputs,
                                      OutputForecast& forecast) const;
  std::vector<std::string> shared_with_others(const std::vector<Output>& outputs) const;
  static bool is_newer(const struct stat& there, const Origin& item);
  std::optional<std::string> reason_to_skip(const std::string& output, const Origin& item) const;
  void publish(ItemContext& context, AtomicFile& file, const std::string& output) const;
  [[noreturn]] static void refuse(const std::string& output);

  // Shared by the sinks of the run, set by prepare(); it locks itself.
  std::shared_ptr<RunOutputs> run_ = std::make_shared<RunOutputs>();
};

OutputForecast Write::prepare(const std::vector<const Origin*>& items,
                              std::shared_ptr<RunOutputs> run) {
  run_ = std::move(run);
  OutputForecast forecast;
  if (path.uses(PathTemplate::Field::ext)) forecast.varies = "{ext}";
  if (path.uses(PathTemplate::Field::page))
    forecast.varies += std::string(forecast.varies.empty() ? "" : ", ") + "{page}";
  Complaints escapes;
  std::vector<Output> outputs;
  for (const auto* item : items) {
    try {
      // Without a known extension, run() finds what can be found.
      auto output = path.expand(*item, std::nullopt);
      forecast.files.add(output ? *output : path.expand(*item, "{ext}").value());
      if (output) outputs.push_back({*std::move(output), item});
    } catch (const Error& error) {
      escapes.add(item->label() + ": " + error.what());
    }
  }
  if (auto complaint = folder_complaint(path.root())) {
    forecast.complaints = {*complaint};
    return forecast;
  }
  forecast.complaints = std::move(escapes).take("items like this");
  for (auto& more :
       {collisions(outputs), shared_with_others(outputs), endangered(outputs, forecast)})
    forecast.complaints.insert(forecast.complaints.end(), more.begin(), more.end());
  return forecast;
}

/// The item's label, or its file where another has the same label: of two folders' a.jpg.
std::string Write::name_among(const std::vector<const Output*>& outputs, const Origin& item) {
  const auto is_like = [&](const Output* output) { return output->item->path == item.path; };
  const bool is_alone = std::ranges::count_if(outputs, is_like) == 1;
  return is_alone || item.file.empty() ? item.label() : item.file.string();
}

std::vector<std::string> Write::collisions(const std::vector<Output>& outputs) const {
  std::map<std::string, std::vector<const Output*>> by_name;
  for (const auto& output : outputs)
    by_name[lower(std::string_view(output.path))].push_back(&output);
  Complaints complaints;
  for (const auto& [name, same] : by_name) {
    if (same.size() < 2) continue;
    const auto differs = [&](const Output* other) { return other->path != same[0]->path; };
    std::string text = std::to_string(same.size()) + " items would be written to " + same[0]->path;
    if (std::ranges::any_of(same, differs)) text += " (but for the case of letters)";
    for (std::size_t i = 0; i < std::min(same.size(), names_shown); ++i)
      text += (i == 0 ? ": " : ", ") + name_among(same, *same[i]->item);
    if (same.size() > names_shown) text += ", ...";
    complaints.add(text);
  }
  auto texts = std::move(complaints).take("outputs with several items");
  if (!texts.empty()) texts.push_back("{index} in `path` would keep the items apart");
  return texts;
}

/// Files that another sink of the run would write too.
std::vector<std::string> Write::shared_with_others(const std::vector<Output>& outputs) const {
  Complaints complaints;
  for (const auto& output : outputs)
    if (const auto other = run_->plan(output.path, output.item->label(), this))
      complaints.add(output.path + " would be written by another sink too, from " + *other);
  return std::move(complaints).take("outputs of two sinks");
}

/// Files that are there already and would be harmed.
std::vector<std::string> Write::endangered(const std::vector<Output>& outputs,
                                           OutputForecast& forecast) const {
  Complaints complaints;
  std::string example;
  for (const auto& output : outputs) {
    const auto there = look_at(output.path);
    if (!there) continue;
    if (const char* what = other_than_a_file(*there)) {
      complaints.add("the output " + output.path + " is " + what);
      continue;
    }
    const auto* const input = if_exists == IfExists::suffix ? nullptr : run_->input_at(output.path);
    if (input) complaints.add("the output " + output.path + " is the input " + *input);
    if (!input && forecast.existing++ == 0) example = output.path;
    if (input || if_exists == IfExists::error || if_exists == IfExists::suffix) continue;
    const bool skips = if_exists == IfExists::skip ||
                       (if_exists == IfExists::newer && is_newer(*there, *output.item));
    ++(skips ? forecast.skipped : forecast.replaced);
  }
  auto texts = std::move(complaints).take("outputs like this");
  if (const auto existing = forecast.existing; if_exists == IfExists::error && existing > 0)
    texts.push_back(
        std::to_string(existing) +
        (existing == 1 ? " output exists already: " : " outputs exist already, such as ") +
        example + "; if_exists can be skip, overwrite, newer or suffix");
  return texts;
}

/// Than the input.
bool Write::is_newer(const struct stat& there, const Origin& item) {
  struct stat input {};
  return ::stat(item.file.c_str(), &input) == 0 && !is_older(there.st_mtim, input.st_mtim);
}

void Write::run(ItemContext& context, Bytes bytes) const {
  const auto& item = context.origin();
  const auto output = path.expand(item, bytes.extension).value();
  auto claim = run_->claim(output, item.label());
  if (const auto* const input = run_->input_at(output); input && if_exists != IfExists::suffix)
    throw Error(ErrorKind::input, "the output " + output + " is the input " + *input);
  if (auto reason = reason_to_skip(output, item)) {
    claim.keep();
    return context.skip(*reason);
  }

  AtomicFile file(output);
  std::span<const std::byte> rest;
  if (bytes.data) rest = *bytes.data;
  while (!rest.empty()) {
    context.check();
    const auto part = rest.first(std::min(rest.size(), bytes_at_once));
    file.write(part);
    rest = rest.subspan(part.size());
  }
  if (fsync) file.sync();
  publish(context, file, output);
  claim.keep();
}

std::optional<std::string> Write::reason_to_skip(const std::string& output,
                                                 const Origin& item) const {
  const auto there = look_at(output);
  if (!there) return std::nullopt;
  if (const char* what = other_than_a_file(*there))
    throw Error(ErrorKind::input, "the output " + output + " is " + what);
  if (if_exists == IfExists::error) refuse(output);
  if (if_exists == IfExists::skip) return output + " exists already";
  if (if_exists == IfExists::newer && is_newer(*there, item))
    return output + " is newer than the input";
  return std::nullopt;
}

void Write::publish(ItemContext& context, AtomicFile& file, const std::string& output) const {
  const auto name = std::filesystem::path(output).filename().string();
  const bool replace = if_exists == IfExists::overwrite || if_exists == IfExists::newer;
  if (file.publish(name, replace ? AtomicFile::Existing::replace : AtomicFile::Existing::keep))
    return;
  // Somebody else has made the file since it was looked at.
  if (if_exists == IfExists::error) refuse(output);
  if (if_exists == IfExists::skip) return context.skip(output + " exists already");
  for (int number = 2; number < most_suffixes; ++number)
    if (file.publish(with_suffix(name, number), AtomicFile::Existing::keep)) return;
  throw Error(ErrorKind::input, "cannot write " + output + ": it and its names up to _" +
                                    std::to_string(most_suffixes - 1) + " are taken");
}

void Write::refuse(const std::string& output) {
  throw Error(ErrorKind::input, output +
                                    " exists already; if_exists can be skip, overwrite, newer or "
                                    "suffix");
}

const Register<Write> registered{"write", "Write each item to a file, whole or not at all."};

}  // namespace
}  // namespace millrace::inline v1
