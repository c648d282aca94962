// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cctype>
#include <nlohmann/json.hpp>

#include "cli/diagnostics/columns.hpp"
#include "cli/diagnostics/formats.hpp"
#include "config/codes.hpp"
#include "millrace/version.hpp"

namespace millrace::cli {
namespace {

using Json = nlohmann::ordered_json;

/// RFC 3986: what is no unreserved character is written as its bytes; a path's `/` stays.
std::string uri_of(std::string_view file) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 &&
        (std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos))
      uri += c;
    else
      uri += std::string("%") + digits[byte >> 4] + digits[byte & 15];
  }
  return uri;
}

Json text_of(std::string_view text) { return {{"text", text}}; }

/// In code units of UTF-16 a column would need another count; `columnKind` says which this is.
Json region_of(const Columns& columns, Position where, int length) {
  const auto [begin, end] = columns.of(where, length);
  return {{"startLine", where.line},
          {"startColumn", begin},
          {"endLine", where.line},
          {"endColumn", end}};
}

Json rules() {
  Json rules = Json::array();
  for (const auto& code : code_texts()) {
    std::string help(code.text);
    if (!code.wrong.empty())
      help += "\n\nWrong:\n" + std::string(code.wrong) + "\n\nRight:\n" + std::string(code.right);
    rules.push_back({{"id", code.name},
                     {"shortDescription", text_of(code.title)},
                     {"fullDescription", text_of(code.text)},
                     {"help", text_of(help)}});
  }
  return rules;
}

Json result_of(const Diagnostic& diagnostic, const Columns& columns) {
  const Json artifact{{"uri", uri_of(diagnostic.file)}};
  Json location{{"physicalLocation", {{"artifactLocation", artifact}}}};
  if (diagnostic.where.line > 0)
    location["physicalLocation"]["region"] =
        region_of(columns, diagnostic.where, diagnostic.length);
  if (!diagnostic.path.empty())
    location["logicalLocations"] = Json::array({{{"fullyQualifiedName", diagnostic.path}}});
  const auto hint = diagnostic.hint.empty() ? "" : "; " + diagnostic.hint;
  Json result{{"ruleId", diagnostic.code}};
  if (const auto* code = find_code(diagnostic.code))
    result["ruleIndex"] = code - code_texts().data();
  result["level"] = diagnostic.severity == Diagnostic::Severity::error ? "error" : "warning";
  result["message"] = text_of(diagnostic.message + hint);
  result["locations"] = Json::array({location});
  if (const auto& fix = diagnostic.fix) {
    const Json replacement{{"deletedRegion", region_of(columns, fix->where, fix->length)},
                           {"insertedContent", text_of(fix->text)}};
    const Json change{{"artifactLocation", artifact}, {"replacements", Json::array({replacement})}};
    result["fixes"] = Json::array(
        {{{"description", text_of(diagnostic.hint.empty() ? diagnostic.message : diagnostic.hint)},
          {"artifactChanges", Json::array({change})}}});
  }
  return result;
}

}  // namespace

std::string sarif_of(const std::vector<CheckedFile>& files) {
  Json results = Json::array();
  for (const auto& file : files) {
    const Columns columns(file.text);
    for (const auto& diagnostic : file.diagnostics)
      results.push_back(result_of(diagnostic, columns));
  }
  const Json driver{{"name", "millrace"}, {"version", version()}, {"rules", rules()}};
  const Json run{{"tool", {{"driver", driver}}},
                 {"columnKind", "unicodeCodePoints"},
                 {"results", std::move(results)}};
  const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({run})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace millrace::cli
