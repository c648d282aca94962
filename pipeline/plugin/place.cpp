// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/place.hpp"

#include <dlfcn.h>

#include <system_error>

namespace millrace {

std::filesystem::path own_folder() {
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &own) == 0) return {};
  std::error_code failed;
  const auto library = std::filesystem::canonical(own.dli_fname, failed);
  return failed ? std::filesystem::path() : library.parent_path() / "millrace";
}

}  // namespace millrace
