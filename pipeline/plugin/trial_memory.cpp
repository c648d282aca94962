// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/trial_memory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "plugin/place.hpp"
#include "plugin/trust.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_memory = 16384;

std::string describe_file(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return {};
  return file.string() + "\n" + std::to_string(status.st_dev) + " " +
         std::to_string(status.st_ino) + " " + std::to_string(status.st_size) + " " +
         std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec) +
         "\n";
}

/// FNV-1a (Fowler, Noll, Vo). Two libraries of one name here only forget each other's outcome: the
/// identity itself stands in the file.
std::string file_name(const std::string& identity) {
  std::uint64_t hash = 14695981039346656037U;
  for (const unsigned char byte : identity.substr(0, identity.find('\n')))
    hash = (hash ^ byte) * 1099511628211U;
  std::array<char, 17> text;
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

/// Empty where there is none that may be believed.
fs::path folder() {
  const auto cache = user_folder("XDG_CACHE_HOME", ".cache");
  if (cache.empty()) return {};
  auto folder = cache / "millrace/plugins";
  return distrust(folder) || distrust(folder.parent_path()) ? fs::path() : folder;
}

/// Whole, if it is a plain file that nobody else may write.
std::string content_of(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return {};
  std::string content(longest_memory, '\0');
  struct stat status {};
  ssize_t length = -1;
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && !distrust(file, status))
    length = ::read(descriptor, content.data(), content.size());
  ::close(descriptor);
  content.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return content;
}

void write(const fs::path& file, const std::string& content) {
  std::string temporary = file.string() + ".XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return;
  const bool written =
      ::write(descriptor, content.data(), content.size()) == static_cast<ssize_t>(content.size());
  const bool closed = ::close(descriptor) == 0;
  if (!written || !closed || ::rename(temporary.c_str(), file.c_str()) != 0)
    ::unlink(temporary.c_str());
}

}  // namespace

std::string identity_of(const fs::path& library) {
  const auto identity = describe_file(library);
  return identity.empty() ? identity : identity + describe_file(own_library());
}

std::optional<std::string> remembered_trial(const std::string& identity) {
  const auto memory = folder();
  if (memory.empty() || identity.empty()) return std::nullopt;
  const auto content = content_of(memory / file_name(identity));
  const bool whole = content.size() > identity.size() && content.ends_with('\n');
  if (!whole || !content.starts_with(identity)) return std::nullopt;
  return content.substr(identity.size(), content.size() - identity.size() - 1);
}

void remember_trial(const std::string& identity, const std::string& reason) noexcept try {
  const auto memory = folder();
  const auto content = identity + reason + "\n";
  if (memory.empty() || identity.empty() || content.size() >= longest_memory) return;
  fs::create_directories(memory.parent_path().parent_path());
  ::mkdir(memory.parent_path().c_str(), 0700);
  ::mkdir(memory.c_str(), 0700);
  write(memory / file_name(identity), content);
} catch (const std::exception&) {
  // Not remembered.
}

}  // namespace millrace
