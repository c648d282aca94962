// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/codes.hpp"

#include <algorithm>
#include <array>

namespace millrace::inline v1 {
namespace {

// In the order of Code.
constexpr auto texts = std::to_array<CodeText>({
    {Code::not_utf8, "not-utf8", "The file is not UTF-8",
     "A pipeline file is text in UTF-8. Editors call this \"save with encoding\".",
     "- files: { path: caf\xe9 }", "- files: { path: café }"},
    {Code::invisible_character, "invisible-character", "A character that cannot be seen",
     "Control characters come from copying or from a program's fault, and hide what a file says.",
     "- resize: { width: 800\x07 }", "- resize: { width: 800 }"},
    {Code::tab_indentation, "tab-indentation", "A line is indented with something else than spaces",
     "In YAML the indentation tells what belongs to what, and only spaces may indent.",
     "- resize:\n\twidth: 800", "- resize:\n    width: 800"},
    {Code::indentation, "indentation", "The indentation fits to nothing above",
     "What belongs together begins in the same column; what belongs below something is indented "
     "further than it.",
     "- resize:\n    width: 800\n   height: 600", "- resize:\n    width: 800\n    height: 600"},
    {Code::unclosed, "unclosed", "A bracket, a brace or a quote is not closed",
     "What '{', '[', a quote or '${' begins must end with its counterpart.",
     "- resize: { width: 800", "- resize: { width: 800 }"},
    {Code::needs_quotes, "needs-quotes", "A text that YAML reads as something else",
     "A text with ': ' or ' #' in it, within braces one with [ ] { } or ',', and one that begins "
     "with a sign such as * & @ % or '{' stands in quotes.",
     "- binarize\n- write: { path: {stem}.png }", "- binarize\n- write: { path: \"{stem}.png\" }"},
    {Code::missing_blank, "missing-blank", "No blank behind a colon",
     "Only ': ' parts a key from its value; 'key:value' is one text.",
     "- resize:\n    width:800\n    height: 600", "- resize:\n    width: 800\n    height: 600"},
    {Code::unknown_escape, "unknown-escape", "A backslash that means nothing",
     "In double quotes a backslash begins an escape such as \\n. Single quotes take it as it is; "
     "in paths write '/'.",
     "- files: { path: \"C:\\scans\" }", "- files: { path: 'my\\scans' }"},
    {Code::unknown_anchor, "unknown-anchor", "An alias of which there is no anchor",
     "'*name' stands for a value that '&name' marked above. A text that begins with '*' needs "
     "quotes.",
     "- files: { path: in, match: *.png }", "- files: { path: in, match: \"*.png\" }"},
    {Code::unsupported_yaml, "unsupported-yaml", "A part of YAML that a pipeline does not use",
     "Tags (!!int), merged maps (<<), keys that are lists or maps, and several documents in a file "
     "have no meaning in a pipeline.",
     "- resize: { width: !!int 800 }", "- resize: { width: 800 }"},
    {Code::yaml_syntax, "yaml-syntax", "This cannot be read as YAML",
     "A sign stands where none of its kind can stand. If it belongs to a text, quote the text.",
     "- resize: { width: 800 }}", "- resize: { width: 800 }"},
    {Code::limit_exceeded, "limit-exceeded", "More than a pipeline may have",
     "A file may have 1 MiB, 64 levels of nesting and 4096 stages; its aliases may expand to 10000 "
     "values, a text with its variables to 64 KiB. More is a fault of what made the file.",
     "- files: { path: in, match: "
     "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]"
     "]]"
     "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]] }",
     "- files: { path: in, match: [\"*.png\"] }"},
    {Code::empty_pipeline, "empty-pipeline", "There is no stage",
     "A pipeline has at least a source, where items come from, and a sink, where they end.",
     "version: 1\nstages: []",
     "version: 1\nstages:\n  - files: { path: in }\n  - write: { path: \"out/{path}\" }"},
    {Code::unknown_version, "unknown-version", "Not a version of the file format that is known",
     "'version' is that of the file format, not of Millrace; there is only 1.",
     "version: 2\nstages:\n  - files: { path: in }\n  - write: { path: \"out/{path}\" }",
     "version: 1\nstages:\n  - files: { path: in }\n  - write: { path: \"out/{path}\" }"},
    {Code::duplicate_key, "duplicate-key", "A key is written twice in one map",
     "Which of the two should hold cannot be told. Two stages are two items of the list.",
     "- resize: { width: 800, width: 600 }", "- resize: { width: 800 }"},
    {Code::missing_key, "missing-key", "A key that must be there is not",
     "A pipeline has the keys 'version' and 'stages'; 'retry' has 'attempts'.",
     "stages:\n  - files: { path: in }\n  - write: { path: \"out/{path}\" }",
     "version: 1\nstages:\n  - files: { path: in }\n  - write: { path: \"out/{path}\" }"},
    {Code::unknown_key, "unknown-key", "A key that is not known here",
     "It may be misspelt, or belong elsewhere. The message tells the nearest one that is known.",
     "- deskew:\n  worker: 2", "- deskew:\n  workers: 2"},
    {Code::unknown_option, "unknown-option", "A stage has no such option",
     "'millrace stages NAME' shows the options of a stage. A sink takes those of the encoder too "
     "that is put in for it.",
     "- resize: { widht: 800 }", "- resize: { width: 800 }"},
    {Code::misplaced_key, "misplaced-key", "A key that is known, but not here",
     "A stage's own options stand below its name; what the engine does with it (id, from, workers, "
     "retry, ...) stands beside the name; settings of the whole run stand in 'run'.",
     "- resize: { width: 800, workers: 2 }", "- resize: { width: 800 }\n  workers: 2"},
    {Code::missing_option, "missing-option", "A stage needs an option that is not given",
     "The option has no default: what it should be, only you know.",
     "- grayscale\n- write: { quality: 80 }",
     "- grayscale\n- write: { path: \"{stem}.jpg\", quality: 80 }"},
    {Code::missing_value, "missing-value", "A key without a value",
     "Give it one, or remove the key to have the default. A text that begins with '#' needs "
     "quotes, or it is a comment.",
     "- resize: { width: }", "- resize: { width: 800 }"},
    {Code::wrong_type, "wrong-type", "A value of another kind than is wanted",
     "The message says what is wanted: a number, a text, a list ([a, b]), or a map ({ a: b }).",
     "- resize: { width: wide }", "- resize: { width: 800 }"},
    {Code::quoted_value, "quoted-value", "A quoted value is a text",
     "Numbers, times, sizes and true or false stand without quotes.",
     "- resize: { width: \"800\" }", "- resize: { width: 800 }"},
    {Code::not_true_or_false, "not-true-or-false", "A yes or no that is not true or false",
     "What yes, on and 1 mean differs between readers of YAML; here only true and false are taken.",
     "- resize: { width: 800, only_shrink: yes }", "- resize: { width: 800, only_shrink: true }"},
    {Code::leading_zero, "leading-zero", "A number that begins with 0",
     "012 is ten to some readers of YAML and twelve to others. Write it without the zero.",
     "- resize: { width: 0800 }", "- resize: { width: 800 }"},
    {Code::missing_unit, "missing-unit", "A number that needs a unit",
     "Times have a unit (500ms, 30s, 2m, 1h), and so have rates (20/s, 90/min) and amounts of "
     "memory (512MiB, 2GiB, 50%).",
     "- deskew:\n  timeout: 30", "- deskew:\n  timeout: 30s"},
    {Code::unknown_unit, "unknown-unit", "A unit that is not known here",
     "Times: ns us ms s m h. Bytes: B kB KiB MB MiB GB GiB TiB. Rates: /s /min /h. Pixels and "
     "plain "
     "numbers have none.",
     "- resize: { width: 800px }", "- resize: { width: 800 }"},
    {Code::unknown_choice, "unknown-choice", "Not one of the words that an option takes",
     "The message lists them; 'millrace stages NAME' says what each does.",
     "- resize: { width: 800, fit: crop }", "- resize: { width: 800, fit: cover }"},
    {Code::out_of_range, "out-of-range", "A number outside of what is allowed",
     "The message says what is allowed, both ends included.", "- deskew: { max_angle: 90 }",
     "- deskew: { max_angle: 10 }"},
    {Code::invalid_value, "invalid-value", "A value that a stage refuses",
     "The value is of the right kind, but the stage cannot work with it, or not together with its "
     "other options. The message is the stage's own.",
     "- binarize\n- write: { path: \"{name}.png\" }",
     "- binarize\n- write: { path: \"{stem}.png\" }"},
    {Code::invalid_name, "invalid-name", "Not a name",
     "Ids and variables have letters, digits, '_' and '-', and begin with a letter or '_'.",
     "- resize: { width: 800 }\n  id: 2nd size", "- resize: { width: 800 }\n  id: second-size"},
    {Code::foreign_path, "foreign-path", "A path that only a shell or Windows knows",
     "Millrace opens files itself: nobody replaces '~' and $HOME, but ${env:HOME} is. Folders are "
     "parted by '/', and there are no drives. A file that is really named so is written ./~.",
     "- files: { path: ~/scans }", "- files: { path: \"${env:HOME:-.}/scans\" }"},
    {Code::unknown_stage, "unknown-stage", "There is no such stage",
     "'millrace stages' lists them, 'millrace plugins' tells which plugins were found.",
     "- resise: { width: 800 }", "- resize: { width: 800 }"},
    {Code::unusable_plugin, "unusable-plugin", "A stage's plugin cannot be used",
     "The message tells why. 'millrace plugins check FILE' tries a plugin; after an update of "
     "Millrace a plugin may have to be built anew.",
     "", ""},
    {Code::one_stage, "one-stage", "An item of 'stages' names no stage, or several",
     "Each item of the list is one stage: '- name: { options }', with the engine's keys beside the "
     "name.",
     "- orient:\n  grayscale:", "- orient\n- grayscale"},
    {Code::unknown_variable, "unknown-variable", "There is no such variable",
     "${name} uses a variable of 'vars', ${env:NAME} one of the environment; $${ is a plain ${.",
     "- files: { path: \"${inn}\" }", "- files: { path: in }"},
    {Code::unset_variable, "unset-variable", "A variable without a value",
     "Give it one in 'vars' or with --set NAME=VALUE, or say what to use instead: ${NAME:-text}. A "
     "variable may use those above it.",
     "version: 1\nvars: { in: }\nstages:\n  - files: { path: \"${in}\" }\n"
     "  - write: { path: \"out/{path}\" }",
     "version: 1\nvars: { in: scans }\nstages:\n  - files: { path: \"${in}\" }\n"
     "  - write: { path: \"out/{path}\" }"},
    {Code::unused_variable, "unused-variable", "A variable that nothing uses (a warning)",
     "Its name is perhaps misspelt where it should be used, as ${NAME}.",
     "version: 1\nvars: { in: scans }\nstages:\n  - files: { path: in }\n"
     "  - write: { path: \"out/{path}\" }",
     "version: 1\nvars: { in: scans }\nstages:\n  - files: { path: \"${in}\" }\n"
     "  - write: { path: \"out/{path}\" }"},
    {Code::unknown_id, "unknown-id", "'from' names a stage that is not there",
     "'from' takes the id of a stage; without one, a stage is called by its name, and the second "
     "of that name NAME-2.",
     "- deskew:\n    max_angle: 5\n  id: level\n- resize: { width: 300 }\n  from: levl",
     "- deskew:\n    max_angle: 5\n  id: level\n- resize: { width: 300 }\n  from: level"},
    {Code::duplicate_id, "duplicate-id", "Two stages have the same id",
     "'from' could mean either. Give each an id of its own.",
     "- orient:\n  id: a\n- grayscale:\n  id: a", "- orient:\n  id: a\n- grayscale:\n  id: b"},
    {Code::ambiguous_id, "ambiguous-id", "'from' takes the first of several stages (a warning)",
     "Several stages of one name have no id; say which is meant by giving it one.",
     "- resize: { width: 800 }\n- resize: { width: 80 }\n- write: { path: \"{stem}.png\" }\n"
     "- grayscale:\n  from: resize",
     "- resize: { width: 800 }\n  id: large\n- resize: { width: 80 }\n"
     "- write: { path: \"{stem}.png\" }\n- grayscale:\n  from: large"},
    {Code::no_input, "no-input", "A stage has nothing to read from",
     "A stage reads from the item before it. The first one, and one behind a sink, must be a "
     "source or say where its items come from with 'from'.",
     "version: 1\nstages:\n  - grayscale\n  - write: { path: \"out/{path}\" }",
     "version: 1\nstages:\n  - files: { path: in }\n  - grayscale\n"
     "  - write: { path: \"out/{path}\" }"},
    {Code::source_input, "source-input", "A source takes no input",
     "Items begin at a source; it cannot read from another stage.",
     "- orient\n- write: { path: \"a/{path}\" }\n- files: { path: more }\n  from: orient",
     "- orient\n- write: { path: \"a/{path}\" }\n- files: { path: more }"},
    {Code::sink_input, "sink-input", "Nothing can be taken from a sink",
     "A sink ends a chain. Take from the stage in front of it.",
     "- orient\n- write: { path: \"a/{path}\" }\n- grayscale:\n  from: write",
     "- orient\n- write: { path: \"a/{path}\" }\n- grayscale:\n  from: orient"},
    {Code::from_conflict, "from-conflict", "Inputs that do not go together",
     "A stage takes from each stage once. Inputs that failed (\"*.failed\") are files as their "
     "source gives them, and are taken by a stage of their own.",
     "- orient:\n- grayscale:\n  from: [orient, orient]",
     "- orient:\n- grayscale:\n  from: orient"},
    {Code::cycle, "cycle", "Stages that take from one another in a circle",
     "Items go one way, from a source to a sink. Take from a stage that does not depend on this "
     "one.",
     "- orient:\n  from: gray\n- grayscale:\n  id: gray", "- orient:\n- grayscale:\n  id: gray"},
    {Code::unused_output, "unused-output", "Nothing takes what a stage gives",
     "A chain ends with a sink, such as write; another branch takes from a stage with 'from'.",
     "version: 1\nstages:\n  - files: { path: in }\n  - grayscale",
     "version: 1\nstages:\n  - files: { path: in }\n  - grayscale\n"
     "  - write: { path: \"out/{path}\" }"},
    {Code::kind_mismatch, "kind-mismatch", "A stage cannot use what the stage before it gives",
     "Stages pass on bytes (a file's content), images or text. Files are decoded and results "
     "encoded where that is needed; nothing makes text of a picture but a stage that reads it.",
     "- grayscale\n- render", "- grayscale"},
    {Code::output_conflict, "output-conflict", "Two items would be written to one file",
     "Every item needs a path of its own. Use {dir}, {stem} or {page}, and another folder or name "
     "for each sink.",
     "- grayscale\n- write: { path: \"a/{stem}.png\" }\n- grayscale:\n  from: files\n"
     "- write: { path: \"a/{stem}.png\" }",
     "- grayscale\n- write: { path: \"a/{stem}.png\" }\n- grayscale:\n  from: files\n"
     "- write: { path: \"b/{stem}.png\" }"},
    {Code::setting_conflict, "setting-conflict", "A setting that this stage cannot have",
     "A source has no queue in front of it, a sink cannot be isolated, and a stage that works on "
     "one item at a time, or keeps their order, has one worker.",
     "version: 1\nstages:\n  - files: { path: in }\n    queue: 4\n"
     "  - write: { path: \"out/{path}\" }",
     "version: 1\nstages:\n  - files: { path: in }\n  - write: { path: \"out/{path}\" }\n"
     "    queue: 4"},
    {Code::empty_test, "empty-test", "A test that expects nothing",
     "It would pass whatever the pipeline did. Say what must come of its input.",
     "version: 1\nstages:\n  - files: { path: in }\n  - orient\n"
     "  - write: { path: \"out/{stem}.png\" }\ntests:\n"
     "  - { name: upright, input: a.jpg }",
     "version: 1\nstages:\n  - files: { path: in }\n  - orient\n"
     "  - write: { path: \"out/{stem}.png\" }\ntests:\n"
     "  - { name: upright, input: a.jpg, expect: { count: 1 } }"},
    {Code::duplicate_test, "duplicate-test", "Two tests have the same name",
     "A name says which test failed. Give each one of its own.",
     "version: 1\nstages:\n  - files: { path: in }\n  - orient\n"
     "  - write: { path: \"out/{stem}.png\" }\ntests:\n"
     "  - { name: a, input: a.jpg, expect: { count: 1 } }\n  - { name: a, input: b.jpg, expect: { "
     "count: 1 } }",
     "version: 1\nstages:\n  - files: { path: in }\n  - orient\n"
     "  - write: { path: \"out/{stem}.png\" }\ntests:\n"
     "  - { name: a, input: a.jpg, expect: { count: 1 } }\n  - { name: b, input: b.jpg, expect: { "
     "count: 1 } }"},
    {Code::empty_part, "empty-part", "No way leads from the first stage of a test to its last",
     "'from' names the first stage of the part that is tried, 'to' one behind it.",
     "version: 1\nstages:\n  - files: { path: in }\n  - orient\n"
     "  - write: { path: \"out/{stem}.png\" }\ntests:\n"
     "  - { name: a, input: a.jpg, from: write, to: orient, expect: { count: 1 } }",
     "version: 1\nstages:\n  - files: { path: in }\n  - orient\n"
     "  - write: { path: \"out/{stem}.png\" }\ntests:\n"
     "  - { name: a, input: a.jpg, from: orient, to: write, expect: { count: 1 } }"},
    {Code::ambiguous_input, "ambiguous-input", "It is not said which source a test's input is for",
     "The part that is tried has several sources. Write the input as a map from their ids.",
     "version: 1\nstages:\n  - files: { path: in }\n    id: left\n  - files: { path: in }\n    id: "
     "right\n"
     "  - write: { path: \"out/{path}\" }\n    from: [left, right]\ntests:\n"
     "  - { name: a, input: a.jpg, expect: { count: 1 } }",
     "version: 1\nstages:\n  - files: { path: in }\n    id: left\n  - files: { path: in }\n    id: "
     "right\n"
     "  - write: { path: \"out/{path}\" }\n    from: [left, right]\ntests:\n"
     "  - { name: a, input: { left: a.jpg }, expect: { count: 1 } }"},
    {Code::over_limit, "over-limit", "More than this machine allows (a warning)",
     "The pipeline asks for more memory or open files than this process may use.",
     "version: 1\nrun: { memory: 4000TiB }\nstages:\n  - files: { path: in }\n"
     "  - write: { path: \"out/{path}\" }",
     "version: 1\nrun: { memory: 50% }\nstages:\n  - files: { path: in }\n"
     "  - write: { path: \"out/{path}\" }"},
    {Code::unreadable_file, "unreadable-file", "A file or folder that cannot be checked",
     "It is not there, may not be read, or is a folder without a pipeline.", "", ""},
    {Code::fine_after_all, "fine-after-all", "A block of Markdown should have a mistake",
     "```yaml fails begins a block that shows a mistake, so that check expects one; ```yaml ignore "
     "begins one that is not checked.",
     "", ""},
});

constexpr bool in_order() {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (static_cast<std::size_t>(texts[i].code) != i) return false;
  return texts.size() == static_cast<std::size_t>(Code::fine_after_all) + 1;
}
static_assert(in_order());

}  // namespace

std::span<const CodeText> code_texts() { return texts; }

std::string_view name_of(Code code) { return texts[static_cast<std::size_t>(code)].name; }

const CodeText* find_code(std::string_view name) {
  const auto at = std::ranges::find(texts, name, &CodeText::name);
  return at != texts.end() ? &*at : nullptr;
}

std::string whole_example(std::string_view example) {
  if (!example.starts_with("- ")) return std::string(example) + "\n";
  std::string text = "version: 1\nstages:\n";
  if (!example.starts_with("- files")) text += "  - files: { path: in }\n";
  std::string_view last;
  for (std::size_t at = 0; at <= example.size();) {
    const auto line = example.substr(at, example.find('\n', at) - at);
    if (line.starts_with("- ")) last = line;
    // A tab is what such an example is about.
    text += (line.starts_with('\t') ? "" : "  ") + std::string(line) + "\n";
    at += line.size() + 1;
  }
  return last.starts_with("- write") ? text : text + "  - write: { path: \"out/{path}\" }\n";
}

}  // namespace millrace::inline v1
