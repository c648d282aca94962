// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "millrace/catalogue.hpp"
#include "millrace/stage.hpp"
#include "process/descriptor.hpp"
#include "stages/codecs/codec.hpp"
#include "stages/codecs/head.hpp"
#include "stages/support/ascii.hpp"
#include "stages/support/file_error.hpp"
#include "stages/support/folder_walk.hpp"
#include "stages/support/glob.hpp"
#include "stages/support/natural_order.hpp"

namespace millrace::inline v1 {
namespace {

enum class Order { natural, name };

// Between two looks at whether the item is cancelled: well under 0.1 s even from a slow disk.
constexpr std::size_t bytes_at_once = std::size_t{4} << 20;

// Without O_NONBLOCK a pipe that took a file's place would keep the thread for ever.
constexpr int open_flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

/// A pattern with no folder in it is for names, wherever they are.
Glob anywhere(const std::string& pattern) {
  return Glob(pattern.find('/') == pattern.npos ? "**/" + pattern : pattern);
}

bool any_matches(const std::vector<Glob>& globs, std::string_view path) {
  return std::ranges::any_of(globs, [path](const Glob& glob) { return glob.matches(path); });
}

std::string extension_of(std::string_view path) {
  const auto name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  const auto dot = name.rfind('.');
  return dot == name.npos || dot == 0 ? std::string() : lower(name.substr(dot + 1));
}

/// What one `path` means: a folder and perhaps a pattern below it, or one file.
struct Place {
  std::filesystem::path folder;
  std::string pattern;  ///< Empty: everything.
  std::string file;     ///< Not empty: this one alone.
};

Place split_pattern(const std::string& path) {
  const auto sign = path.find_first_of("*?[{");
  const auto slash = path.rfind('/', sign);
  if (slash == path.npos) return {".", path, {}};
  return {path.substr(0, std::max<std::size_t>(slash, 1)), path.substr(slash + 1), {}};
}

const char* kind_of_file(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

/// A name that is there means itself, whatever signs are in it.
Place place_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return {path, {}, {}};
    const std::filesystem::path file(path);
    if (!S_ISREG(status.st_mode))
      throw Error(ErrorKind::config, "path: " + path + " is " + kind_of_file(status.st_mode) +
                                         "; give a folder, a regular file or a pattern");
    return {file.parent_path(), {}, file.filename().string()};
  }
  const int error = errno;
  if (!Glob::is_pattern(path) || (error != ENOENT && error != ENOTDIR))
    throw Error(ErrorKind::config, "path: cannot read " + path + ": " + reason_of(error));
  auto place = split_pattern(path);
  if (::stat(place.folder.c_str(), &status) != 0)
    throw Error(ErrorKind::config, "path: cannot read " + place.folder.string() +
                                       " of the pattern " + path + ": " + reason_of(errno));
  return place;
}

/// The files of several paths: each must be there once, or its name would not be certain.
class Given {
 public:
  explicit Given(const std::vector<std::string>& paths) : several_(paths.size() > 1) {}

  void add(const Place& place, const std::string& name, const std::string& path) {
    if (!several_) return;
    auto& folder = folders_[place.folder.string()];
    std::error_code unknown;  // it could be listed a moment ago
    if (folder.empty())
      folder = std::filesystem::canonical(
                   place.folder.empty() ? std::filesystem::path(".") : place.folder, unknown)
                   .string();
    const auto [known, is_new] = by_file_.emplace(folder + '/' + name, &path);
    if (!is_new)
      throw Error(ErrorKind::config, "path: " + (place.folder / name).string() +
                                         " is there twice, by " + *known->second + " and by " +
                                         path);
  }

 private:
  bool several_;
  std::map<std::string, std::string> folders_;         // the real one, by its spelling
  std::map<std::string, const std::string*> by_file_;  // the path that brought it
};

struct Files final : Source {
  std::vector<std::string> path;
  std::vector<std::string> match, exclude;
  bool recursive = true;
  bool hidden = false;
  Order order = Order::natural;
  ByteSize max_file_size{std::uint64_t{1} << 30};

  void options(Options& o) override {
    o.add("path", path,
          "A folder, a file, or a pattern such as photos/**/*.jpg; or a list of these, taken in "
          "this "
          "order. Names are relative to the folder, or to what is in front of the pattern.")
        .required()
        .example("photos");
    o.add("match", match,
          "Patterns of the files to take, below a folder; one without a slash is for names at "
          "any depth. Small and capital letters are alike. None: every file.");
    o.add("exclude", exclude, "Patterns of the files and folders to leave out, as in `match`.");
    o.add("recursive", recursive, "Take the files in the folders below too.");
    o.add("hidden", hidden, "Take files and folders too whose names begin with a dot.");
    o.add("order", order,
          {{"natural", Order::natural, "As people count: page2 before page10."},
           {"name", Order::name, "By the bytes of the names."}},
          "The order of the items.");
    o.add("max_file_size", max_file_size, "A larger file fails before it is read.");
  }

  std::vector<std::string> check() const override {
    std::vector<std::string> complaints;
    if (path.empty()) complaints.push_back("path: it names nothing");
    for (const auto& each : path) {
      if (each.empty()) complaints.push_back("path: it is empty; write . for the current folder");
      if (each.find('\0') != each.npos)
        complaints.push_back("path: a zero byte cannot be in a name");
      if (!recursive && Glob::is_pattern(each) && each.find("**") != each.npos)
        complaints.push_back("recursive: false contradicts the ** in path");
    }
    return complaints;
  }

  /// Nothing converts between a source and a sink of bytes: an ending that names a picture format
  /// would lie, unless only such files are taken.
  std::vector<std::string> accept(const Demand& demand) override {
    memory_ = demand.memory;
    const auto* const codec = codecs::find_by_extension(demand.extension);
    const auto of_format = [codec](const std::string& pattern) {
      const auto dot = pattern.rfind('.');
      return dot != pattern.npos && codecs::find_by_extension(pattern.substr(dot + 1)) == codec;
    };
    if (!codec || std::ranges::all_of(path, of_format) ||
        (!match.empty() && std::ranges::all_of(match, of_format)))
      return {};
    return {"files are given as they are, but would be named ." + demand.extension +
            "; to convert pictures put '- decode' behind; to copy, let `match` take only *." +
            demand.extension};
  }

  std::optional<PayloadKind> gives() const override { return PayloadKind::bytes; }
  void list(const Context& context, const std::function<void(Origin)>& found,
            const std::function<void(Origin, Error)>& failed) const override;
  Payload open(ItemContext& context) const override;
  std::uint64_t memory(const Origin& origin) const noexcept override;

 private:
  using Found = std::function<void(const std::string& name, const Error* failure)>;
  void list(const Context& context, const Place& place, const Found& found) const;
  FolderWalk::Rules rules(const Place& place) const;
  [[noreturn]] void nothing_found(const Place& place, const FolderWalk& walk) const;

  std::function<std::uint64_t(const Bytes&, std::uint64_t)> memory_;
};

FolderWalk::Rules Files::rules(const Place& place) const {
  const Glob pattern(place.pattern);
  std::vector<Glob> wanted, unwanted;
  for (const auto& text : match) wanted.push_back(anywhere(text));
  for (const auto& text : exclude) unwanted.push_back(anywhere(text));

  FolderWalk::Rules rules;
  rules.hidden = hidden;
  if (!place.pattern.empty())
    rules.depth = pattern.depth();
  else if (!recursive)
    rules.depth = 1;
  rules.wants_file = [=, any = place.pattern.empty()](std::string_view name) {
    return (any || pattern.matches(name)) && (wanted.empty() || any_matches(wanted, name)) &&
           !any_matches(unwanted, name);
  };
  rules.wants_folder = [=](std::string_view name) { return !any_matches(unwanted, name); };
  return rules;
}

void Files::list(const Context& context, const std::function<void(Origin)>& found,
                 const std::function<void(Origin, Error)>& failed) const {
  Given given(path);
  std::uint64_t index = 0;
  for (const auto& each : path) {
    const auto place = place_of(each);
    list(context, place, [&](const std::string& name, const Error* failure) {
      given.add(place, name, each);
      const Origin origin{name, place.folder / name, index++, std::nullopt};
      failure ? failed(origin, *failure) : found(origin);
    });
  }
}

void Files::list(const Context& context, const Place& place, const Found& found) const {
  if (!place.file.empty()) return found(place.file, nullptr);

  FolderWalk walk(place.folder, rules(place));
  try {
    walk.run(context);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    throw Error(ErrorKind::config, "path: " + place.folder.string() + " " + error.what());
  }
  if (walk.files().empty() && walk.failures().empty()) nothing_found(place, walk);

  const auto less = order == Order::natural ? natural_less : name_less;
  auto& failures = walk.failures();
  std::ranges::sort(walk.files(), less);
  std::ranges::sort(failures, less, &FolderWalk::Failure::path);
  auto failure = failures.begin();
  const auto tell_failures_before = [&](const std::string* name) {
    for (; failure != failures.end() && (!name || less(failure->path, *name)); ++failure)
      found(failure->path, &failure->error);
  };
  for (const auto& name : walk.files()) {
    tell_failures_before(&name);
    found(name, nullptr);
  }
  tell_failures_before(nullptr);
}

void Files::nothing_found(const Place& place, const FolderWalk& walk) const {
  auto patterns = match;
  if (!place.pattern.empty()) patterns.insert(patterns.begin(), place.pattern);
  std::string message = "path: no file in " + place.folder.string();
  for (const auto& pattern : patterns)
    message += (&pattern == patterns.data() ? " matches " : ", ") + pattern;
  if (const auto others = walk.files_passed_over())
    message += " (" + std::to_string(others) + (others == 1 ? " file is" : " files are") +
               " there that match and exclude leave out)";
  throw Error(ErrorKind::config, message);
}

Payload Files::open(ItemContext& context) const {
  const Descriptor descriptor(::open(context.origin().file.c_str(), open_flags));
  struct stat status {};
  if (!descriptor || ::fstat(descriptor.get(), &status) != 0)
    throw file_error("cannot be read", errno);
  if (!S_ISREG(status.st_mode))
    throw Error(ErrorKind::input,
                std::string("it is ") + kind_of_file(status.st_mode) + ", not a regular file");

  const auto too_large = [&](std::uint64_t size) {
    if (size > max_file_size.bytes)
      throw Error(ErrorKind::input, "it has " + std::to_string(size) +
                                        " bytes; max_file_size allows " +
                                        OptionType<ByteSize>::print(max_file_size));
  };
  too_large(static_cast<std::uint64_t>(status.st_size));

  // One byte more than there should be, so that the end is seen without another allocation.
  auto data =
      std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(status.st_size) + 1);
  std::size_t size = 0;
  while (true) {
    context.check();
    if (size == data->size()) {  // it has grown meanwhile
      too_large(size);
      data->resize(size + bytes_at_once);
    }
    const auto room = std::min(data->size() - size, bytes_at_once);
    const auto count = ::read(descriptor.get(), data->data() + size, room);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw file_error("cannot be read", errno);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  too_large(size);
  data->resize(size);
  return Bytes{std::move(data), extension_of(context.origin().path)};
}

/// Reading the head takes about 20 microseconds where the file is in the page cache; elsewhere it
/// is fetched for open() too.
std::uint64_t Files::memory(const Origin& origin) const noexcept {
  std::uint64_t length = 0;
  try {
    const Descriptor descriptor(::open(origin.file.c_str(), open_flags));
    struct stat status {};
    if (!descriptor || ::fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode))
      return 0;
    length = static_cast<std::uint64_t>(status.st_size);
    if (length > max_file_size.bytes) return 0;  // it fails before it is read
    if (!memory_) return length;
    auto head = codecs::read_head([&](std::uint64_t offset, std::span<std::byte> to) {
      const auto count =
          ::pread(descriptor.get(), to.data(), to.size(), static_cast<off_t>(offset));
      return count < 0 ? 0 : static_cast<std::size_t>(count);
    });
    return memory_({std::make_shared<const std::vector<std::byte>>(std::move(head)),
                    extension_of(origin.path)},
                   length);
  } catch (...) {
    return length;
  }
}

const Register<Files> registered{"files", "Take files from a folder or by a pattern."};

}  // namespace
}  // namespace millrace::inline v1
