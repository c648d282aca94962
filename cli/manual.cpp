// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/manual.hpp"

#include <string_view>
#include <utility>

#include "cli/console.hpp"
#include "cli/help.hpp"
#include "cli/verb.hpp"
#include "millrace/version.hpp"

namespace millrace::cli {
namespace {

/// Text that roff takes as it is: no line of it is a request, and a dash is one that can be copied.
std::string escaped(std::string_view text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    line_begins = c == '\n';
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

std::string section(std::string_view title) { return ".SH " + std::string(title) + "\n"; }

std::string prose(std::string_view text) { return escaped(wrapped(text, 0, 76)); }

std::string paragraph(std::string_view text) { return ".PP\n" + prose(text); }

std::string tagged(std::string_view tag, std::string_view text) {
  return ".TP\n.B " + escaped(tag) + "\n" + prose(text);
}

std::string example(std::string_view lines) {
  return ".PP\n.nf\n.RS\n" + escaped(lines) + "\n.RE\n.fi\n";
}

std::string verb_text(const Verbs::Entry& verb) {
  const auto made = verb.make();
  Arguments arguments;
  made->arguments(arguments);
  std::string text = ".SS " + escaped(verb.name) + "\n" + escaped(verb.summary) + ".\n";
  text += paragraph(usage_of(verb, arguments));
  for (const auto& argument : arguments.all())
    text += tagged(shown(argument), summary_of(argument) + ".");
  return text + example(verb.example);
}

std::string pipeline_text() {
  return section("PIPELINE FILES") +
         prose(
             "A pipeline is a YAML file with the keys version, name, vars, run and stages. Each "
             "stage takes what the one before it gives, or what its key from names.") +
         example(
             "version: 1\nvars: { in: photos, out: small }\nstages:\n"
             "  - files: { path: \"${in}\", match: \"*.jpg\" }\n  - orient\n"
             "  - resize: { width: 1600, only_shrink: true }\n"
             "  - write: { path: \"${out}/{dir}/{stem}.jpg\" }") +
         paragraph(
             "millrace stages lists the stages, millrace stages NAME shows one with its options, "
             "and millrace check tells every mistake of a file.");
}

std::string status_text() {
  const std::pair<const char*, const char*> statuses[] = {
      {"0", "Every input is done."},
      {"1", "Some inputs failed, or what was asked for is not so."},
      {"2", "The command line or a file is wrong."},
      {"3", "Stopped by on_error, or by the crashes of an isolated stage."},
      {"4", "Forced to stop."},
      {"130, 143", "Ended after Ctrl-C, after SIGTERM."}};
  std::string text = section("EXIT STATUS");
  for (const auto& [status, meaning] : statuses) text += tagged(status, meaning);
  return text;
}

std::string environment_text() {
  const std::pair<const char*, const char*> variables[] = {
      {"MILLRACE_PLUGIN_PATH", "Folders to look for plugins in first, parted by colons."},
      {"TESSDATA_PREFIX", "The folder with the languages that ocr reads."},
      {"XDG_CACHE_HOME", "Where it is kept which plugins can be opened; ~/.cache if not set."},
      {"NO_COLOR", "If set, nothing is coloured."}};
  std::string text = section("ENVIRONMENT");
  for (const auto& [name, meaning] : variables) text += tagged(name, meaning);
  return text;
}

}  // namespace

std::string manual_page() {
  std::string text =
      ".TH MILLRACE 1 \"\" \"Millrace " + std::string(version()) + "\" \"User Commands\"\n" +
      section("NAME") +
      "millrace \\- run image and document pipelines that a YAML file describes\n" +
      section("SYNOPSIS") + ".B millrace\n.I VERB\n[arguments]\n" + section("DESCRIPTION") +
      prose(
          "Millrace converts folders of pictures, reads the text of folders of scans, "
          "and does any mixture of the two. A file that fails is told by name and "
          "reason, the others go on, and nothing partial is left behind.") +
      section("VERBS") +
      escaped(
          "Each takes --help, and --no-plugins, which leaves out what plugins "
          "have.\n");
  for (const auto* const verb : Verbs::instance().all()) text += verb_text(*verb);
  return text + pipeline_text() + status_text() + environment_text();
}

}  // namespace millrace::cli
