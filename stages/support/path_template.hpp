// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "millrace/item.hpp"
#include "millrace/option.hpp"

namespace millrace::inline v1 {

/// Where outputs go: text with the fields {path} {dir} {stem} {ext} {index} {page}. The folder in
/// front of the first field is the root, which no item's name can leave. `{{` and `}}` are braces.
class PathTemplate {
 public:
  enum class Field { path, dir, stem, ext, index, page };

  static std::optional<std::string> parse(const std::string& text, PathTemplate& to);

  const std::string& text() const noexcept { return text_; }
  const std::string& root() const noexcept { return root_; }  ///< "" or ends with `/`.
  bool uses(Field field) const noexcept;

  /// What every output ends with, as far as the text says it: "webp" of `{stem}.webp`; small
  /// letters, without the dot, empty where a field decides.
  std::string extension() const;

  /// The output of an item. A page that no {page} tells apart gets `-N` in front of the extension.
  /// None where {ext} is used and `extension` not given. Throws Error (input) where the item's part
  /// would leave the root.
  std::optional<std::string> expand(const Origin& item,
                                    std::optional<std::string_view> extension) const;

 private:
  struct Piece {
    std::optional<Field> field;  // none: literal
    std::string literal;
    int width = 0;  // of a number, filled with zeros
  };

  std::optional<std::string> parse_field(std::string_view text);
  std::optional<std::string> split_root();
  std::string rooted(const std::string& part) const;

  std::string text_, root_;
  std::vector<Piece> pieces_;  // without the root
};

/// In an `Options` it is an option like any other, so that a wrong field is told with its place.
template <>
struct OptionType<PathTemplate> {
  static std::string name() { return "path template"; }
  static std::optional<std::string> parse(const Value& value, PathTemplate& to) {
    std::string text;
    if (auto complaint = OptionType<std::string>::parse(value, text)) return complaint;
    return PathTemplate::parse(text, to);
  }
  static std::string print(const PathTemplate& value) { return value.text(); }
  static std::optional<double> number(const PathTemplate&) { return std::nullopt; }
  static std::string schema() { return OptionType<std::string>::schema(); }
};

}  // namespace millrace::inline v1
