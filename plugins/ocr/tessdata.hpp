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

/// The languages in it, by name; those of scripts are called `script/Latin`.
std::vector<std::string> languages_in(const std::filesystem::path& folder);

/// The package of Debian that has a language.
std::string debian_package(std::string language);

/// What is wrong with a language's name or that it is not in the folder: names the languages that
/// are there and, for the default folder, Debian's package.
std::optional<std::string> complaint_about(const std::string& language,
                                           const std::filesystem::path& folder, bool by_default);

}  // namespace millrace::ocr
