// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <random>
#include <set>
#include <system_error>
#include <utility>

#include "stages/support/file_error.hpp"

namespace millrace::inline v1 {
namespace {

constexpr mode_t new_file_mode = 0666;  // less the user's umask
constexpr std::size_t longest_name = 255;
constexpr std::string_view marker = ".millrace-";
constexpr std::string_view suffix = ".tmp";
constexpr std::size_t random_length = 6;

/// The files that have a temporary name now, so that a forced exit can remove them.
struct Temporaries {
  std::mutex mutex;
  std::set<const AtomicFile*> files;  // guarded by mutex
  bool closed = false;                // guarded by mutex
};
Temporaries& temporaries() {
  static auto* const all = new Temporaries;  // outlives every static object that may hold a file
  return *all;
}

std::string random_letters() {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  thread_local std::minstd_rand engine{std::random_device{}()};
  std::string text;
  for (std::size_t i = 0; i < random_length; ++i) text += letters[engine() % letters.size()];
  return text;
}

/// `/proc/self/fd/N`: what linkat(2) takes for a file without a name.
std::string path_of(const Descriptor& file) {
  return "/proc/self/fd/" + std::to_string(file.get());
}

/// Makes the folder and those above it. Says which part is in the way.
void make_folders(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return;
  auto obstacle = folder;
  struct stat status {};
  while (!obstacle.empty() && ::stat(obstacle.c_str(), &status) != 0 &&
         obstacle != obstacle.parent_path())
    obstacle = obstacle.parent_path();
  const auto doing = "cannot make the folder " + folder.string();
  if (!obstacle.empty() && !S_ISDIR(status.st_mode))
    throw Error(ErrorKind::input, doing + ": " + obstacle.string() + " is a file, not a folder");
  throw file_error(doing, error.value());
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target, Start start) : target_(std::move(target)) {
  open_folder();
  static const bool can_be_named_later = ::access("/proc/self/fd", X_OK) == 0;
  if (start == Start::unnamed_if_possible && can_be_named_later)
    file_ =
        Descriptor(::openat(folder_.get(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, new_file_mode));
  if (!file_) make_named();
}

AtomicFile::~AtomicFile() {
  file_.close();
  remove_temporary();
  forget_temporary();
}

void AtomicFile::open_folder() {
  const auto parent = target_.parent_path();
  const auto folder = parent.empty() ? std::filesystem::path(".") : parent;
  constexpr int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  folder_ = Descriptor(::open(folder.c_str(), flags));
  if (folder_) return;
  make_folders(folder);
  folder_ = Descriptor(::open(folder.c_str(), flags));
  if (!folder_) fail(errno);
}

void AtomicFile::make_named() {
  while (!file_) {
    choose_temporary_name();
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    file_ = Descriptor(::openat(folder_.get(), temporary_.c_str(), flags, new_file_mode));
    if (file_) break;
    const int error = errno;
    forget_temporary();  // not ours to remove
    if (error != EEXIST) fail(error);
  }
  stop_if_closed();
}

void AtomicFile::write(std::span<const std::byte> data) {
  while (!data.empty()) {
    const auto written = ::write(file_.get(), data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    if (written == 0) fail(EIO);
    data = data.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::sync() {
  if (::fsync(file_.get()) != 0) fail(errno);
}

bool AtomicFile::publish(const std::string& name, Existing existing) {
  // Closing tells of failed writes on some file systems; the file without a name must stay open.
  Descriptor copy(::fcntl(file_.get(), F_DUPFD_CLOEXEC, 0));
  if (!copy) fail(errno);
  if (const int error = copy.close()) fail(error);

  if (temporary_.empty()) {
    if (link_to(name)) return true;
    if (existing == Existing::keep) return false;
    // A link cannot replace a file, a rename can.
    do choose_temporary_name();
    while (!link_to(temporary_));
    stop_if_closed();
  } else if (existing == Existing::keep) {
    return rename_keeping(name);
  }
  rename_to(name);
  return true;
}

/// False where the name is taken.
bool AtomicFile::link_to(const std::string& name) const {
  if (::linkat(AT_FDCWD, path_of(file_).c_str(), folder_.get(), name.c_str(), AT_SYMLINK_FOLLOW) ==
      0)
    return true;
  if (errno != EEXIST) fail(errno);
  return false;
}

bool AtomicFile::rename_keeping(const std::string& name) {
  const int folder = folder_.get();
  if (::renameat2(folder, temporary_.c_str(), folder, name.c_str(), RENAME_NOREPLACE) == 0) {
    forget_temporary();
    return true;
  }
  if (errno == EEXIST) return false;
  if (errno != EINVAL && errno != ENOSYS) fail(errno);
  // A file system without that flag (NFS, some FUSE): a second link does not replace either.
  if (::linkat(folder, temporary_.c_str(), folder, name.c_str(), 0) == 0) return true;
  if (errno == EEXIST) return false;
  // Nor does it know links: a moment stays open here in which another program could be faster.
  struct stat status {};
  if (::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return false;
  rename_to(name);
  return true;
}

void AtomicFile::rename_to(const std::string& name) {
  if (::renameat(folder_.get(), temporary_.c_str(), folder_.get(), name.c_str()) != 0) fail(errno);
  forget_temporary();
}

bool AtomicFile::is_temporary_name(std::string_view name) noexcept {
  if (!name.starts_with('.') || !name.ends_with(suffix)) return false;
  name.remove_suffix(suffix.size());
  return name.size() > marker.size() + random_length &&
         name.substr(name.size() - random_length - marker.size(), marker.size()) == marker;
}

/// Registered before the file exists, so that no moment is left in which it would be missed.
void AtomicFile::choose_temporary_name() {
  forget_temporary();
  auto name = target_.filename().string();
  const auto room = longest_name - 1 - marker.size() - random_length - suffix.size();
  if (name.size() > room) {
    auto cut = room;
    while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0) == 0x80) --cut;  // UTF-8
    name.resize(cut);
  }
  temporary_ = "." + name + std::string(marker) + random_letters() + std::string(suffix);
  const std::scoped_lock lock(temporaries().mutex);
  temporaries().files.insert(this);
}

void AtomicFile::forget_temporary() noexcept {
  if (temporary_.empty()) return;
  const std::scoped_lock lock(temporaries().mutex);
  temporaries().files.erase(this);
  temporary_.clear();
}

/// remove_temporaries() may have come between the choice of the name and the file.
void AtomicFile::stop_if_closed() const {
  const std::scoped_lock lock(temporaries().mutex);
  if (!temporaries().closed) return;
  remove_temporary();
  throw Error(ErrorKind::cancelled, "cancelled");
}

void AtomicFile::remove_temporary() const noexcept {
  if (!temporary_.empty()) ::unlinkat(folder_.get(), temporary_.c_str(), 0);
}

void AtomicFile::fail(int error) const {
  throw file_error("cannot write " + target_.string(), error);
}

void remove_temporaries() noexcept {
  auto& all = temporaries();
  const std::scoped_lock lock(all.mutex);
  all.closed = true;
  for (const auto* file : all.files) file->remove_temporary();
}

}  // namespace millrace::inline v1
