// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::cli {

/// The text as YAML reads it back, whatever is in it: quoted where it must be, a `${` escaped.
/// Throws Error (usage) for what is not UTF-8, which YAML cannot hold.
std::string yaml_scalar(const std::string& text);

/// A pipeline that grows line by line, and what on the command line each line comes from.
class YamlText {
 public:
  void line(std::string_view text, std::string from = {});
  /// `key: value`, or a list below the key where there are several.
  void setting(std::size_t indent, const std::string& key, const std::vector<std::string>& values,
               const std::string& from = {});

  const std::string& text() const { return text_; }
  /// "--quality" for the line (from 1) that --quality has made; "" for one that is always there.
  std::string origin(int line) const;

 private:
  std::string text_;
  int lines_ = 0;
  std::map<int, std::string> origins_;
};

}  // namespace millrace::cli
