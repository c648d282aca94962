// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace millrace::ocr {

/// The folder in which the engine looks for languages unless told one.
std::filesystem::path default_tessdata();

/// What is wrong with a language's name or that it is not in the folder: names the languages that
/// are there and, for the default folder, Debian's package.
std::optional<std::string> complaint_about(const std::string& language,
                                           const std::filesystem::path& folder, bool by_default);

}  // namespace millrace::ocr
