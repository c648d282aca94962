// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/folder_walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "process/descriptor.hpp"
#include "stages/support/atomic_file.hpp"
#include "stages/support/file_error.hpp"
#include "stages/support/natural_order.hpp"

namespace millrace::inline v1 {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

std::size_t depth_of(std::string_view path) {
  return static_cast<std::size_t>(std::ranges::count(path, '/')) + 1;
}

}  // namespace

void FolderWalk::run(const Context& context) {
  list(context, "");
  while (!pending_.empty() || !links_.empty()) {
    if (pending_.empty()) {
      // Which of two links to one folder is followed must not depend on the file system.
      std::ranges::sort(links_, [](const auto& a, const auto& b) { return natural_less(b, a); });
      pending_.push_back(std::move(links_.back()));
      links_.pop_back();
    }
    const auto folder = std::move(pending_.back());
    pending_.pop_back();
    list(context, folder);
  }
}

void FolderWalk::list(const Context& context, const std::string& folder) {
  context.check();
  Descriptor descriptor(
      ::open((root_ / folder).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK));
  if (!descriptor) return fail(folder, file_error("cannot be listed", errno));
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0)
    return fail(folder, file_error("cannot be listed", errno));
  if (!seen_.emplace(status.st_dev, status.st_ino).second) return;

  const std::unique_ptr<DIR, CloseFolder> stream(::fdopendir(descriptor.get()));
  if (!stream) return fail(folder, file_error("cannot be listed", errno));
  const int number = descriptor.release();
  const auto prefix = folder.empty() ? folder : folder + '/';
  while (true) {
    errno = 0;
    const auto* const entry = ::readdir(stream.get());
    if (!entry && errno != 0) return fail(folder, file_error("cannot be listed to its end", errno));
    if (!entry) return;
    const std::string_view name = entry->d_name;
    if (name == "." || name == ".." || AtomicFile::is_temporary_name(name)) continue;
    if (name.starts_with('.') && !rules_.hidden) continue;
    take(number, prefix + entry->d_name, entry->d_name, entry->d_type);
  }
}

void FolderWalk::take(int folder, const std::string& path, const char* name, unsigned char type) {
  if (type == DT_REG) return take_file(path);
  if (type == DT_DIR) return take_folder(path, false);
  if (type != DT_LNK && type != DT_UNKNOWN) return;  // a pipe, a socket, a device
  struct stat status {};
  if (::fstatat(folder, name, &status, 0) != 0) {
    const int error = errno;
    if (rules_.wants_file(path))
      fail(path, error == ENOENT ? Error(ErrorKind::input,
                                         "it is a symbolic link to a file that does not exist")
                                 : file_error("cannot be looked at", error));
  } else if (S_ISDIR(status.st_mode)) {
    take_folder(path, type == DT_LNK);
  } else if (S_ISREG(status.st_mode)) {
    take_file(path);
  }
}

void FolderWalk::take_file(std::string path) {
  if (rules_.wants_file(path))
    files_.push_back(std::move(path));
  else
    ++files_passed_over_;
}

void FolderWalk::take_folder(std::string path, bool is_link) {
  if (rules_.depth && depth_of(path) >= *rules_.depth) return;
  if (!rules_.wants_folder(path)) return;
  (is_link ? links_ : pending_).push_back(std::move(path));
}

void FolderWalk::fail(const std::string& path, Error error) {
  if (path.empty()) throw error;
  failures_.push_back({path, std::move(error)});
}

}  // namespace millrace::inline v1
