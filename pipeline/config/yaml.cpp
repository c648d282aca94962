// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/yaml.hpp"

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "config/document.hpp"
#include "config/keys.hpp"
#include "config/salvage.hpp"
#include "config/yaml_events.hpp"
#include "millrace/nearest.hpp"

namespace millrace::inline v1 {
namespace {

// Of items and keys with mistakes in their syntax, after which no more is looked for.
constexpr int most_salvaged = 20;

/// What yaml-cpp refuses, in our words, at the place where the mistake was made: often that is not
/// where the parser noticed.
class Explanation {
 public:
  Explanation(const SourceText& source, Diagnostics& diagnostics,
              const TreeBuilder::Progress& progress)
      : source_(source), diagnostics_(diagnostics), progress_(progress) {}

  void tell_continuations() {
    for (const Position at : progress_.continuations) tell_continuation(at);
  }

  void tell_outside() {
    if (!progress_.outside || tell_key_above(progress_.outside->line)) return;
    const auto at = *progress_.outside;
    const auto rest = source_.line(at.line).substr(static_cast<std::size_t>(at.column) - 1);
    diagnostics_.error(Code::indentation, at, static_cast<int>(rest.size()),
                       "this line stands outside of what the file began with",
                       "indent it like the lines that it belongs to");
  }

  void tell(const YAML::Exception& refusal) {
    const bool placed = refusal.mark.pos > 0;
    offset_ = std::min(placed ? static_cast<std::size_t>(refusal.mark.pos) : progress_.offset,
                       source_.text().size());
    const auto& what = refusal.msg;
    if (is(what, {YAML::ErrorMsg::END_OF_MAP_FLOW, YAML::ErrorMsg::END_OF_SEQ_FLOW,
                  YAML::ErrorMsg::FLOW_END, YAML::ErrorMsg::BLOCK_ENTRY}) &&
        !progress_.open_brackets.empty())
      return tell_bracket();
    tell_continuations();
    if (went_on()) return;
    if (is(what, {YAML::ErrorMsg::END_OF_MAP, YAML::ErrorMsg::END_OF_SEQ})) return tell_block();
    if (is(what, {YAML::ErrorMsg::MAP_VALUE, YAML::ErrorMsg::MAP_KEY})) return tell_colon();
    if (what == YAML::ErrorMsg::UNKNOWN_ANCHOR) return tell_anchor();
    tell_other(what);
  }

 private:
  static bool is(const std::string& what, std::initializer_list<const char*> messages) {
    return std::ranges::any_of(messages, [&](const char* message) { return what == message; });
  }

  void tell_continuation(Position at) {
    if (tell_key_above(at.line)) return;
    const auto rest = source_.line(at.line).substr(static_cast<std::size_t>(at.column) - 1);
    const bool is_item = rest.starts_with('-');
    const auto stage = is_item ? std::string() : stage_alone_above(at.line);
    diagnostics_.error(Code::indentation, at, static_cast<int>(rest.size()),
                       "this line goes on with the text above it",
                       stage.empty()
                           ? "indent it like the lines that it belongs to, or quote a "
                             "text that goes over several lines"
                           : "a stage with keys beside it needs its colon: write '" + stage + ":'");
  }

  /// The line above that has more than a comment; 0: there is none.
  int content_above(int line) const {
    for (--line; line > 0; --line) {
      const auto text = source_.line(line);
      const auto begin = text.find_first_not_of(" \t\r");
      if (begin != text.npos && text[begin] != '#') break;
    }
    return line;
  }

  bool tell_key_above(int line) {
    const auto key = key_without_colon(content_above(line));
    const auto text = source_.line(line);
    const bool is_entry = text.find(": ") != text.npos || text.ends_with(':');
    // Otherwise both lines may be one text.
    if (!key || (!is_entry && std::ranges::count(top_keys(), key->name) == 0)) return false;
    tell_no_colon(key->name, key->end, diagnostics_);
    return true;
  }

  struct BareKey {
    std::string name;
    Position end;  // behind the name
  };
  /// "version" of a line "version 1", "workers" of "    workers"; not of a text that went on
  /// itself.
  std::optional<BareKey> key_without_colon(int line) const {
    const auto is_at = [line](Position at) { return at.line == line; };
    if (line < 1 || std::ranges::any_of(progress_.continuations, is_at)) return std::nullopt;
    const auto text = source_.line(line);
    const bool is_item = text.substr(std::min(text.find_first_not_of(' '), text.size()))  //
                             .starts_with("- ");
    const auto begin = std::min(text.find_first_not_of(is_item ? " -" : " "), text.size());
    const auto end =
        std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", begin), text.size());
    const auto rest = text.substr(end);
    const bool is_alone = rest.find_first_not_of(" \r") == rest.npos;
    if (end == begin || (is_item && is_alone) || (!is_alone && rest[0] != ' ') ||
        rest.find(": ") != rest.npos || rest.ends_with(':'))
      return std::nullopt;
    return BareKey{std::string(text.substr(begin, end - begin)), {line, static_cast<int>(end) + 1}};
  }

  /// `- orient`, where that is all that the line before holds.
  std::string stage_alone_above(int line) const {
    if (line < 2) return {};
    auto text = source_.line(line - 1);
    const auto begin = text.find_first_not_of(' ');
    text.remove_prefix(std::min(begin, text.size()));
    const auto end = text.find_last_not_of(" \r");
    text = text.substr(0, end == text.npos ? 0 : end + 1);
    const bool is_name = text.starts_with("- ") && text.size() > 2 &&
                         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", 2) == text.npos;
    return is_name ? std::string(text) : std::string();
  }

  Position where() const { return source_.position(offset_); }
  std::string_view rest_of_line() const {
    const auto place = where();
    const auto line = source_.line(place.line);
    return line.substr(std::min(static_cast<std::size_t>(place.column) - 1, line.size()));
  }
  bool begins_line() const {
    const auto place = where();
    const auto before =
        source_.line(place.line).substr(0, static_cast<std::size_t>(place.column) - 1);
    return before.find_first_not_of(' ') == before.npos;
  }
  int rest_length() const { return static_cast<int>(rest_of_line().size()); }

  /// A text that ran over this line was complained about already, and is why.
  bool went_on() const {
    return std::ranges::any_of(progress_.continuations,
                               [&](Position at) { return at.line == where().line; });
  }

  void tell_long_quote() {
    diagnostics_.error(
        Code::unclosed, source_.position(*progress_.long_quote), 1,
        "the quote that begins here ends only in line " + std::to_string(where().line),
        "close it where it should end");
  }

  void tell_bracket() {
    const auto& text = source_.text();
    if (progress_.long_quote && *progress_.long_quote > progress_.open_brackets.back())
      return tell_long_quote();
    if (offset_ > 0 && offset_ < text.size() && text[offset_] == '{' && text[offset_ - 1] == '$')
      return diagnostics_.error(Code::needs_quotes, source_.position(offset_ - 1), 2,
                                "a variable within braces or brackets must be quoted",
                                "write it as \"${NAME}\"");
    const std::size_t open = progress_.open_brackets.back();
    const std::string bracket(1, text[open]);
    const bool at_end = text.find_first_not_of(" \n", offset_) == text.npos;
    if (offset_ > open && !at_end && source_.position(open).line == where().line)
      return diagnostics_.error(
          Code::needs_quotes, where(), 1,
          "a ',' or '" + std::string(bracket == "{" ? "}" : "]") + "' must come before this",
          "write a ',' between two values, and quote a text that holds one of [ ] { } ,");
    diagnostics_.error(Code::unclosed, source_.position(open), 1,
                       quote(bracket) + " is not closed" +
                           (at_end ? "" : " before line " + std::to_string(where().line)),
                       comment_behind(open)
                           ? "'#' begins a comment; quote a text that begins with it"
                           : "end it with " + quote(bracket == "{" ? "}" : "]") +
                                 ", and write a ',' between the values");
  }

  bool comment_behind(std::size_t offset) const {
    const auto place = source_.position(offset);
    return source_.line(place.line).find(" #", static_cast<std::size_t>(place.column)) !=
           std::string_view::npos;
  }

  void tell_block() {
    if (progress_.long_quote && !begins_line()) return tell_long_quote();
    if (begins_line())
      return diagnostics_.error(Code::indentation, where(), rest_length(),
                                "the indentation of this line fits to none of the lines above",
                                "indent it like the lines that it belongs to");
    diagnostics_.error(Code::needs_quotes, where(), rest_length(),
                       "this stands behind a value that has ended",
                       "remove it, or quote the whole text");
  }

  void tell_colon() {
    const auto begins = source_.position(progress_.offset).line;
    if (begins < where().line && !missing_blank())
      return tell_continuation({where().line, indentation(where().line) + 1});
    if (const auto missing = missing_blank())
      return diagnostics_.error(Code::missing_blank, *missing, 1,
                                "there is no blank behind this ':'",
                                Advice("write 'key: value'", ": "));
    diagnostics_.error(Code::needs_quotes, where(), 1, "a ':' cannot stand here",
                       "quote a text that holds ': ', and begin every key on a line of its own");
  }

  /// `key:value` in the line above, which made one text of both lines.
  std::optional<Position> missing_blank() const {
    for (int line = where().line - 1; line > 0; --line) {
      const auto text = source_.line(line);
      const auto start = text.find_first_not_of(" -");
      if (start == text.npos) continue;
      const auto colon = std::find_if_not(
          text.begin() + static_cast<std::ptrdiff_t>(start), text.end(),
          [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
      if (colon == text.end() || *colon != ':' || colon + 1 == text.end() || colon[1] == ' ')
        return std::nullopt;
      return Position{line, static_cast<int>(colon - text.begin()) + 1};
    }
    return std::nullopt;
  }

  int indentation(int line) const {
    return static_cast<int>(source_.line(line).find_first_not_of(' '));
  }

  void tell_anchor() {
    const auto text = rest_of_line();
    const auto name = std::string(text.substr(0, text.find_first_of(" ,]}")));
    const auto meant = did_you_mean(name.empty() ? name : name.substr(1), progress_.anchors);
    Advice advice(meant.empty() ? "quote a text that begins with '*'" : meant);
    if (meant.empty() && name.find('"') == name.npos && !name.ends_with(':'))
      advice.fix = Fix{{}, 0, "\"" + name + "\""};
    diagnostics_.error(Code::unknown_anchor, where(), static_cast<int>(name.size()),
                       "no value above is named " + quote(name.empty() ? name : name.substr(1)),
                       std::move(advice));
  }

  /// Of the backslash; the mark is behind the escape.
  Position escape() const {
    const auto slash = source_.text().rfind('\\', offset_);
    return slash == std::string::npos ? where() : source_.position(slash);
  }

  /// `- write { path: a }` is read as a key up to the colon.
  void tell_not_opened(const std::string& sign) {
    const auto line = source_.text().rfind('\n', offset_) + 1;  // npos + 1 is 0
    const auto before = source_.text().substr(line, offset_ - line);
    if (const auto tight = before.find(sign == "}" ? ":{" : ":["); tight != before.npos)
      return diagnostics_.error(Code::missing_blank, source_.position(line + tight), 1,
                                "there is no blank behind this ':'",
                                Advice("write 'key: value'", ": "));
    const auto open = before.find(sign == "}" ? " {" : " [");
    const bool is_begun = open != before.npos && open > 0 && before[open - 1] != ':' &&
                          before[open - 1] != '-' && before[open - 1] != ',';
    if (is_begun && sign == "}")
      diagnostics_.error(Code::missing_blank, source_.position(line + open), 1,
                         "there is no ':' in front of this '{'", "write 'name: { ... }'");
    else
      diagnostics_.error(Code::yaml_syntax, where(), 1, quote(sign) + " closes what was not opened",
                         "remove it");
  }

  void tell_other(const std::string& what) {
    const auto text = rest_of_line();
    const std::string sign(text.substr(0, 1));
    if (what == YAML::ErrorMsg::UNKNOWN_TOKEN)
      diagnostics_.error(Code::needs_quotes, where(), 1, "a text cannot begin with " + quote(sign),
                         "quote the text");
    else if (what == YAML::ErrorMsg::FLOW_END)
      tell_not_opened(sign);
    else if (what == YAML::ErrorMsg::BLOCK_ENTRY)
      diagnostics_.error(Code::yaml_syntax, where(), 1, "an item of a list cannot begin here",
                         "begin it on a line of its own, or quote a text that begins with '- '");
    else if (what.starts_with(YAML::ErrorMsg::INVALID_ESCAPE) ||
             what.starts_with(YAML::ErrorMsg::INVALID_UNICODE) ||
             what == YAML::ErrorMsg::INVALID_HEX)
      diagnostics_.error(Code::unknown_escape, escape(), 1,
                         "this escape in a double quoted text is not known",
                         "write '\\\\' for a backslash and '/' in a path, or use single quotes");
    else if (sign == "*" || sign == "&")
      diagnostics_.error(Code::needs_quotes, where(), rest_length(),
                         quote(sign) + " must be followed by a name",
                         "quote a text that begins with " + quote(sign));
    else
      diagnostics_.error(Code::yaml_syntax, where(), rest_length(), "this cannot be read as YAML",
                         "quote the text");
  }

  const SourceText& source_;
  Diagnostics& diagnostics_;
  const TreeBuilder::Progress& progress_;
  std::size_t offset_ = 0;
};

/// None after a complaint that leaves no tree.
std::optional<Value> parse(const SourceText& source, Diagnostics& diagnostics) {
  std::istringstream stream(source.text());
  TreeBuilder builder(source, diagnostics);
  Explanation explanation(source, diagnostics, builder.progress());
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) continue;
  } catch (const ReadingEnded&) {
    explanation.tell_continuations();
    explanation.tell_outside();
    return std::nullopt;
  } catch (const YAML::Exception& refusal) {
    explanation.tell(refusal);
    return std::nullopt;
  }
  explanation.tell_continuations();
  auto root = builder.take();
  if (!root) {
    root.emplace();
    root->where = {1, 1};
  }
  return root;
}

/// Whether the rest of a file may be sound after the last complaint.
bool is_local(const Diagnostics& diagnostics) {
  const auto& code = diagnostics.last().code;
  return code != name_of(Code::limit_exceeded) && code != name_of(Code::unsupported_yaml);
}

/// What stands for an item or a key that was taken out was complained about.
void break_marked(Value& root, const Salvage& salvage) {
  const auto is_mark = [&](Position where) {
    return std::ranges::count(salvage.marks(), where.line) > 0;
  };
  for (auto& entry : root.entries) {
    if (is_mark(entry.where)) entry.value.broken = true;
    for (auto& item : entry.value.items)
      if (is_mark(item.where)) item.broken = true;
  }
}

}  // namespace

std::optional<Value> read_yaml(const SourceText& source, Diagnostics& diagnostics) {
  Salvage salvage(source);
  const auto lines = source.check(diagnostics);
  if (!lines) return std::nullopt;
  for (const int line : *lines)
    if (!salvage.is_out(line) && !salvage.take_out(line)) return std::nullopt;
  for (int tries = 0; tries <= most_salvaged; ++tries) {
    auto root = salvage.marks().empty() ? parse(source, diagnostics)
                                        : parse(SourceText(salvage.text()), diagnostics);
    if (root) {
      break_marked(*root, salvage);
      return root;
    }
    if (!is_local(diagnostics) || !salvage.take_out(diagnostics.last().where.line)) break;
  }
  return std::nullopt;
}

}  // namespace millrace::inline v1
