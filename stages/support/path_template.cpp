// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/path_template.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "millrace/error.hpp"
#include "millrace/nearest.hpp"
#include "stages/support/ascii.hpp"

namespace millrace::inline v1 {
namespace {

using Field = PathTemplate::Field;
using Complaint = std::optional<std::string>;

constexpr std::array<std::pair<std::string_view, Field>, 6> fields{{{"path", Field::path},
                                                                    {"dir", Field::dir},
                                                                    {"stem", Field::stem},
                                                                    {"ext", Field::ext},
                                                                    {"index", Field::index},
                                                                    {"page", Field::page}}};
constexpr int greatest_width = 20;

/// The parts of an item's path as bytes: std::filesystem would do, but for a name that is all dots.
struct Parts {
  std::string_view dir, stem;
};
Parts parts_of(std::string_view path) {
  const auto slash = path.rfind('/');
  const auto name = slash == path.npos ? path : path.substr(slash + 1);
  const auto dot = name.rfind('.');
  return {slash == path.npos ? std::string_view() : path.substr(0, slash),
          dot == path.npos || dot == 0 ? name : name.substr(0, dot)};
}

std::string padded(std::uint64_t number, int width) {
  auto digits = std::to_string(number);
  const auto missing = static_cast<std::size_t>(width) -
                       std::min<std::size_t>(static_cast<std::size_t>(width), digits.size());
  return digits.insert(0, missing, '0');
}

/// Where the extension of the last part begins, or the end where it has none.
std::size_t extension_at(std::string_view path) {
  const auto name = path.rfind('/') + 1;  // npos + 1 is 0
  const auto dot = path.rfind('.');
  return dot == path.npos || dot <= name ? path.size() : dot;
}

}  // namespace

Complaint PathTemplate::parse(const std::string& text, PathTemplate& to) {
  PathTemplate result;
  result.text_ = text;
  std::string literal;
  const auto keep_literal = [&] {
    if (!literal.empty()) result.pieces_.push_back({std::nullopt, std::exchange(literal, {}), 0});
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '{' && c != '}') {
      literal += c;
    } else if (i + 1 < text.size() && text[i + 1] == c) {
      literal += c;
      ++i;
    } else if (c == '}') {
      return "a '}' has no '{' before it; write }} for the brace itself";
    } else {
      const auto close = text.find('}', i);
      if (close == text.npos) return "a '{' is not closed; write {{ for the brace itself";
      keep_literal();
      if (auto complaint = result.parse_field(std::string_view(text).substr(i + 1, close - i - 1)))
        return complaint;
      i = close;
    }
  }
  keep_literal();
  if (auto complaint = result.split_root()) return complaint;
  to = std::move(result);
  return std::nullopt;
}

Complaint PathTemplate::parse_field(std::string_view text) {
  const auto colon = text.find(':');
  const auto name = text.substr(0, colon);
  const auto* const found =
      std::ranges::find(fields, name, &std::pair<std::string_view, Field>::first);
  if (found == fields.end()) {
    std::vector<std::string> names;
    std::string all;
    for (const auto& field : fields) {
      names.emplace_back(field.first);
      all += " {" + names.back() + "}";
    }
    const auto meant = nearest(name, names);
    return "there is no field {" + std::string(name) + "}; " +
           (meant ? "did you mean {" + *meant + "}?" : "the fields are" + all);
  }
  Piece piece{found->second, {}, 0};
  if (colon != text.npos) {
    const auto width = text.substr(colon + 1);
    const auto end = width.data() + width.size();
    const auto [stop, error] = std::from_chars(width.data(), end, piece.width);
    const bool is_number = piece.field == Field::index || piece.field == Field::page;
    if (!is_number) return "{" + std::string(name) + "} is not a number: it cannot have a width";
    if (error != std::errc() || stop != end || piece.width < 1 || piece.width > greatest_width)
      return "'" + std::string(width) + "' is not a width of {" + std::string(name) + "}; write {" +
             std::string(name) + ":04} for 0001";
  }
  pieces_.push_back(std::move(piece));
  return std::nullopt;
}

/// Takes the root off the first literal, and looks at what is left.
Complaint PathTemplate::split_root() {
  if (text_.empty()) return "it is empty; give a name such as out/{path}";
  if (auto& first = pieces_.front(); !first.field) {
    const auto length = first.literal.rfind('/') + 1;  // npos + 1 is 0
    root_ = first.literal.substr(0, length);
    first.literal.erase(0, length);
  }
  const auto& last = pieces_.back();
  if (!last.field && (last.literal.empty() || last.literal.ends_with('/')))
    return "it names a folder; end it with a file's name, such as " + text_ + "{path}";
  return std::nullopt;
}

bool PathTemplate::uses(Field field) const noexcept {
  return std::ranges::any_of(pieces_, [field](const Piece& piece) { return piece.field == field; });
}

std::string PathTemplate::extension() const {
  if (pieces_.empty() || pieces_.back().field) return {};
  // A name that a field begins may begin with a dot here.
  const auto text = (pieces_.size() > 1 ? "x" : "") + pieces_.back().literal;
  const auto at = extension_at(text);
  return at == text.size() ? std::string() : lower(std::string_view(text).substr(at + 1));
}

std::optional<std::string> PathTemplate::expand(const Origin& item,
                                                std::optional<std::string_view> extension) const {
  if (uses(Field::ext) && !extension) return std::nullopt;
  const auto parts = parts_of(item.path);
  std::string part;
  for (const auto& piece : pieces_) {
    if (!piece.field) {
      part += piece.literal;
      continue;
    }
    switch (*piece.field) {
      case Field::path:
        part += item.path;
        break;
      case Field::dir:
        part += parts.dir;
        break;
      case Field::stem:
        part += parts.stem;
        break;
      case Field::ext:
        part += *extension;
        if (extension->empty() && part.ends_with('.')) part.pop_back();
        break;
      case Field::index:
        part += padded(item.index + 1, piece.width);
        break;
      case Field::page:
        part += padded(item.page.value_or(1), piece.width);
        break;
    }
  }
  auto output = rooted(part);
  if (item.page && !uses(Field::page))
    output.insert(extension_at(output), "-" + std::to_string(*item.page));
  return output;
}

/// The item's part below the root, without empty parts: {dir} is empty for a file at the top.
std::string PathTemplate::rooted(const std::string& part) const {
  auto output = root_;
  std::string_view rest = part;
  while (!rest.empty()) {
    const auto slash = rest.find('/');
    const auto name = rest.substr(0, slash);
    rest.remove_prefix(slash == rest.npos ? rest.size() : slash + 1);
    if (name.empty() || name == ".") continue;
    if (name == "..")
      throw Error(ErrorKind::input, "the output " + root_ + part + " would leave " +
                                        (root_.empty() ? "the current folder" : root_));
    if (output.size() > root_.size()) output += '/';
    output += name;
  }
  return output;
}

}  // namespace millrace::inline v1
