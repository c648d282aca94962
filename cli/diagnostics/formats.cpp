// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/diagnostics/formats.hpp"

#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/diagnostics/columns.hpp"

namespace millrace::cli {
namespace {

using Json = nlohmann::ordered_json;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value && *value != '\0';
}

const char* word_of(Diagnostic::Severity severity) {
  return severity == Diagnostic::Severity::error ? "error" : "warning";
}

Json json_of(const Diagnostic& diagnostic) {
  Json json{{"severity", word_of(diagnostic.severity)},
            {"code", diagnostic.code},
            {"file", diagnostic.file},
            {"line", diagnostic.where.line},
            {"column", diagnostic.where.column},
            {"length", diagnostic.length},
            {"path", diagnostic.path},
            {"message", diagnostic.message},
            {"hint", diagnostic.hint}};
  if (const auto& fix = diagnostic.fix)
    json["fix"] = {{"line", fix->where.line},
                   {"column", fix->where.column},
                   {"length", fix->length},
                   {"text", fix->text}};
  return json;
}

/// What stands in a workflow command: of a property, and of the message.
std::string escaped(std::string_view text, bool property) {
  std::string result;
  for (const char c : text)
    if (c == '%')
      result += "%25";
    else if (c == '\r')
      result += "%0D";
    else if (c == '\n')
      result += "%0A";
    else if (property && c == ':')
      result += "%3A";
    else if (property && c == ',')
      result += "%2C";
    else
      result += c;
  return result;
}

}  // namespace

bool wants_colour(int descriptor) {
  if (is_set("NO_COLOR")) return false;
  const char* forced = std::getenv("CLICOLOR_FORCE");
  if (forced && *forced != '\0' && std::string_view(forced) != "0") return true;
  const char* terminal = std::getenv("TERM");
  return ::isatty(descriptor) != 0 && terminal && std::string_view(terminal) != "dumb";
}

std::string json_of(const std::vector<CheckedFile>& files) {
  Json list = Json::array(), all = Json::array();
  for (const auto& file : files) {
    list.push_back({{"file", file.name},
                    {"pipelines", file.pipelines},
                    {"errors", file.count(Diagnostic::Severity::error)},
                    {"warnings", file.count(Diagnostic::Severity::warning)}});
    for (const auto& diagnostic : file.diagnostics) all.push_back(json_of(diagnostic));
  }
  const Json json{{"files", std::move(list)}, {"diagnostics", std::move(all)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string github_of(const std::vector<CheckedFile>& files) {
  std::string text;
  for (const auto& file : files) {
    const Columns columns(file.text);
    for (const auto& diagnostic : file.diagnostics) {
      text += std::string("::") + word_of(diagnostic.severity) +
              " file=" + escaped(diagnostic.file, true);
      if (diagnostic.where.line > 0) {
        const auto [begin, end] = columns.of(diagnostic.where, diagnostic.length);
        text += ",line=" + std::to_string(diagnostic.where.line) + ",col=" + std::to_string(begin) +
                ",endColumn=" + std::to_string(end);
      }
      text += ",title=" + escaped(diagnostic.code, true) + "::";
      text += escaped(diagnostic.message, false);
      if (!diagnostic.hint.empty()) text += escaped("\nhint: " + diagnostic.hint, false);
      text += "\n";
    }
  }
  return text;
}

}  // namespace millrace::cli
