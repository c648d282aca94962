// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/trust.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "plugin/place.hpp"

namespace millrace {
namespace {

/// As a shell takes it for one word.
std::string quoted(const std::string& path) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("/._-+=@%").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (std::ranges::all_of(path, plain)) return path;
  std::string word = "'";
  for (const char c : path) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

bool is_trusted(uid_t owner) {
  if (owner == 0 || owner == ::geteuid()) return true;
  struct stat own {};
  return ::stat(own_library().c_str(), &own) == 0 && owner == own.st_uid;
}

}  // namespace

std::optional<std::string> distrust(const std::filesystem::path& path, const struct stat& status) {
  const std::string file = path.string();
  const auto writers = [&](const std::string& who) {
    return file + " may be written by " + who + ": chmod go-w " + quoted(file);
  };
  if (!is_trusted(status.st_uid))
    return file + " belongs to user " + std::to_string(status.st_uid) +
           ", who may change it: use a copy of your own, or as root: chown root " + quoted(file);
  if ((status.st_mode & S_IWOTH) != 0) return writers("everybody");
  const bool of_ours = status.st_gid == 0 || status.st_gid == ::getegid();
  if ((status.st_mode & S_IWGRP) != 0 && !of_ours)
    return writers("group " + std::to_string(status.st_gid));
  return std::nullopt;
}

std::optional<std::string> distrust(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return distrust(path, status);
}

}  // namespace millrace
