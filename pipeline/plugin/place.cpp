// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/place.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <system_error>

namespace millrace {

std::filesystem::path own_library() {
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&own_library), &own) == 0) return {};
  std::error_code failed;
  auto library = std::filesystem::canonical(own.dli_fname, failed);
  return failed ? std::filesystem::path() : library;
}

std::filesystem::path own_folder() {
  const auto library = own_library();
  return library.empty() ? library : library.parent_path() / "millrace";
}

std::filesystem::path user_folder(const char* variable, const char* below_home) {
  const auto value = [](const char* name) {
    const char* const text = std::getenv(name);
    const std::filesystem::path path = text != nullptr ? text : "";
    return path.is_absolute() ? path : std::filesystem::path();
  };
  if (const auto folder = value(variable); !folder.empty()) return folder;
  const auto home = value("HOME");
  return home.empty() ? home : home / below_home;
}

}  // namespace millrace
