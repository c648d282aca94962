// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/yaml_events.hpp"

#include <algorithm>

namespace millrace::inline v1 {
namespace {

constexpr std::size_t max_depth = 64;
constexpr std::size_t max_expanded = 10000;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

/// Behind `&name` and `!tag` to the value that they belong to.
std::size_t skip_properties(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    while (at < text.size() && !is_space(text[at])) ++at;
    at = skip_space(text, at);
  }
  return at;
}

/// The offset of the quote that closes the one at `at`; text.size() when there is none.
std::size_t closing_quote(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\')
      ++i;
    else if (text[i] == quote && quote == '\'' && i + 1 < text.size() && text[i + 1] == quote)
      ++i;
    else if (text[i] == quote)
      return i;
  }
  return text.size();
}

std::size_t count_values(const Value& value) {
  std::size_t count = 1;
  for (const auto& item : value.items) count += count_values(item);
  for (const auto& entry : value.entries) count += count_values(entry.value);
  return count;
}

}  // namespace

std::size_t TreeBuilder::at(const YAML::Mark& mark, const std::string& tag) {
  const auto& text = source_.text();
  const std::size_t start = std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text.size());
  progress_.offset = start;
  const std::size_t content = skip_properties(text, start);
  if (!tag.empty() && tag != "?" &&
      (tag != "!" || text.substr(start, content - start).find('!') != std::string::npos)) {
    const auto name = text.substr(start, text.find_first_of(" \n", start) - start);
    diagnostics_.error(
        Code::unsupported_yaml, source_.position(start), static_cast<int>(name.size()),
        "tags such as " + quote(name) + " have no meaning in a pipeline", "remove it");
    throw ReadingEnded();
  }
  return content;
}

void TreeBuilder::OnDocumentStart(const YAML::Mark& mark) {
  if (!begun_) {
    begun_ = true;
    return;
  }
  const std::size_t offset =
      std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), source_.text().size());
  const auto where = source_.position(offset);
  const auto text = source_.line(where.line).substr(static_cast<std::size_t>(where.column) - 1);
  if (text.starts_with("---"))
    diagnostics_.error(Code::unsupported_yaml, where, 3,
                       "a second document begins here; a file holds one pipeline",
                       "put it into a file of its own");
  else
    progress_.outside = where;
  throw ReadingEnded();
}

void TreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  Value null;
  place_null(null, at(mark, {}));
  finish(std::move(null), anchor);
}

void TreeBuilder::place_null(Value& null, std::size_t offset) const {
  const std::string_view text = source_.text();
  const auto rest = text.substr(offset);
  for (const std::string_view word : {"null", "Null", "NULL", "~"})
    if (rest.starts_with(word)) {
      null.where = source_.position(offset);
      null.length = static_cast<int>(word.size());
      return;
    }
  if (!frames_.empty() && frames_.back().key) {
    null.where = frames_.back().key->where;
    null.length = frames_.back().key->length;
    return;
  }
  null.where = source_.position(offset);
  // yaml-cpp's mark is that of what follows; the sign of an empty item is its dash.
  if (frames_.empty() || frames_.back().flow) return;
  auto before =
      source_.line(null.where.line).substr(0, static_cast<std::size_t>(null.where.column) - 1);
  for (int line = null.where.line; line > 0; before = source_.line(--line)) {
    if (before.starts_with('#')) continue;
    before = before.substr(0, before.find(" #"));
    const auto last = before.find_last_not_of(" \t");
    if (last == before.npos) continue;
    if (before[last] == '-') null.where = {line, static_cast<int>(last) + 1};
    return;
  }
}

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const std::size_t offset = at(mark, {});
  Value alias;
  alias.where = source_.position(offset);
  const auto& text = source_.text();
  alias.length =
      static_cast<int>(std::min(text.find_first_of(" \n,]}", offset), text.size()) - offset);
  const auto target = anchored_.find(anchor);
  if (target == anchored_.end()) {
    diagnostics_.error(Code::unknown_anchor, alias, "this alias stands inside of what it names",
                       "write the value out");
    throw ReadingEnded();
  }
  expanded_ += count_values(target->second);
  if (expanded_ > max_expanded) {
    diagnostics_.error(
        Code::limit_exceeded, alias,
        "the aliases up to here expand to more than " + std::to_string(max_expanded) + " values",
        "write the values out");
    throw ReadingEnded();
  }
  finish(target->second, 0);
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& text) {
  const std::size_t offset = at(mark, tag);
  Value value = Value::scalar(text, source_.position(offset));
  value.quoted = tag == "!";
  if (value.quoted)
    measure_quoted(value, offset);
  else
    measure_plain(value, offset);
  finish(std::move(value), anchor);
}

void TreeBuilder::measure_quoted(Value& value, std::size_t offset) {
  const auto& text = source_.text();
  if (offset >= text.size() || (text[offset] != '"' && text[offset] != '\'')) return;  // | and >
  const std::size_t close = closing_quote(text, offset);
  if (close == text.size()) {
    diagnostics_.error(Code::unclosed, value, "the quote that begins here is never closed",
                       std::string("end it with ") + text[offset]);
    throw ReadingEnded();
  }
  const std::size_t line_end = std::min(text.find('\n', offset), text.size());
  if (close > line_end) progress_.long_quote = offset;
  value.length = static_cast<int>(std::min(close + 1, line_end) - offset);
}

void TreeBuilder::measure_plain(Value& value, std::size_t offset) {
  const auto& text = source_.text();
  value.length = static_cast<int>(value.text.size());
  if (text.compare(offset, value.text.size(), value.text) == 0) return;
  const std::size_t line_end = std::min(text.find('\n', offset), text.size());
  value.length = static_cast<int>(line_end - offset);
  value.broken = true;
  progress_.continuations.push_back(source_.position(skip_space(text, line_end)));
}

void TreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                  YAML::anchor_t anchor, YAML::EmitterStyle::value style) {
  begin(Value::Kind::list, mark, tag, anchor, style);
}

void TreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value style) {
  begin(Value::Kind::map, mark, tag, anchor, style);
}

void TreeBuilder::OnAnchor(const YAML::Mark&, const std::string& name) {
  progress_.anchors.push_back(name);
}

void TreeBuilder::begin(Value::Kind kind, const YAML::Mark& mark, const std::string& tag,
                        YAML::anchor_t anchor, YAML::EmitterStyle::value style) {
  const std::size_t offset = at(mark, tag);
  Frame frame;
  frame.value.kind = kind;
  frame.value.where = source_.position(offset);
  frame.anchor = anchor;
  frame.flow = style == YAML::EmitterStyle::Flow;
  if (frames_.size() >= max_depth) {
    diagnostics_.error(Code::limit_exceeded, frame.value,
                       "this is nested deeper than " + std::to_string(max_depth) + " levels");
    throw ReadingEnded();
  }
  // `[a: b]` has a map without braces.
  frame.bracket = frame.flow && (source_.text()[offset] == '{' || source_.text()[offset] == '[');
  if (frame.bracket) progress_.open_brackets.push_back(offset);
  frames_.push_back(std::move(frame));
}

void TreeBuilder::end() {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  if (frame.bracket) progress_.open_brackets.pop_back();
  finish(std::move(frame.value), frame.anchor);
}

void TreeBuilder::finish(Value value, YAML::anchor_t anchor) {
  if (anchor != 0) anchored_[anchor] = value;
  if (frames_.empty()) {
    root_ = std::move(value);
    return;
  }
  Frame& frame = frames_.back();
  if (frame.value.kind == Value::Kind::list) {
    frame.value.items.push_back(std::move(value));
  } else if (!frame.key) {
    take_key(std::move(value));
  } else {
    frame.key->value = std::move(value);
    if (!frame.drop) frame.value.entries.push_back(std::move(*frame.key));
    frame.key.reset();
  }
}

void TreeBuilder::take_key(Value key) {
  Frame& frame = frames_.back();
  frame.key = Value::Entry{key.text, key.where, key.length, {}};
  frame.drop = true;
  if (key.kind == Value::Kind::null) {
    diagnostics_.error(Code::missing_key, key, "there is no key before this ':'",
                       "write it, or quote the text");
  } else if (key.kind != Value::Kind::scalar) {
    diagnostics_.error(Code::unsupported_yaml, key, "a key is a plain word, not a list or a map",
                       "quote a text that begins with '[' or '{'");
  } else if (key.text == "<<" && !key.quoted) {
    diagnostics_.error(Code::unsupported_yaml, key, "'<<' (merging maps) is not supported",
                       "write the keys out");
  } else if (!key.broken) {
    const auto [first, is_new] = frame.keys.emplace(key.text, key.where);
    frame.drop = !is_new;
    if (!is_new)
      diagnostics_.error(Code::duplicate_key, key,
                         "the key " + quote(key.text) + " is written twice",
                         "the first is in line " + std::to_string(first->second.line));
  }
}

}  // namespace millrace::inline v1
