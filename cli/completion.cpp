// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/completion.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "cli/load.hpp"
#include "cli/ready.hpp"
#include "cli/verb.hpp"
#include "config/codes.hpp"
#include "millrace/catalogue.hpp"

namespace millrace::cli {
namespace {

/// The shells know what to do with lines; what to put into them is known here alone.
constexpr std::string_view bash_script =
    R"(# bash completion for millrace: source <(millrace completion bash)
_millrace() {
  local line="${COMP_LINE:0:COMP_POINT}" current candidate
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current="${words[${#words[@]} - 1]}"
  # bash parts words at = and :, and wants only what is behind the last one.
  local behind="${current##*[=:]}"
  local front="${current%"$behind"}"
  COMPREPLY=()
  while IFS= read -r candidate; do
    case $candidate in
      :files) compopt -o filenames 2>/dev/null
        while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$behind") ;;
      :folders) compopt -o filenames 2>/dev/null
        while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -d -- "$behind") ;;
      *) candidate="${candidate%%$'\t'*}"
        COMPREPLY+=("${candidate#"$front"}") ;;
    esac
  done < <("${words[0]}" completion words -- "${words[@]:1}" 2>/dev/null)
}
complete -F _millrace millrace
)";

constexpr std::string_view zsh_script = R"(#compdef millrace
# zsh completion for millrace: a file _millrace in a folder of $fpath, or source <(millrace completion zsh)
_millrace() {
  local line
  local -a candidates
  for line in "${(@f)$("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :files) _files ;;
      :folders) _files -/ ;;
      ?*) candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  (( $#candidates )) && _describe millrace candidates
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _millrace "$@"
else
  compdef _millrace millrace
fi
)";

constexpr std::string_view fish_script =
    R"(# fish completion for millrace: millrace completion fish | source
function __millrace_words
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] completion words -- $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c millrace -f -a '(__millrace_words)'
)";

class Candidates {
 public:
  explicit Candidates(std::string typed) : typed_(std::move(typed)) {}

  void add(const std::string& word, const std::string& meaning) {
    if (!word.starts_with(typed_)) return;
    const auto line = word + "\t" + meaning;
    if (std::ranges::count(lines_, line) == 0) lines_.push_back(line);
  }
  void add_names(const char* of_shell) { lines_.emplace_back(of_shell); }
  const std::string& typed() const { return typed_; }
  std::vector<std::string> take() && { return std::move(lines_); }

 private:
  std::string typed_;
  std::vector<std::string> lines_;
};

/// `front`: what stands in front of the value in the same word, such as "--format=".
void add_values(const Argument& argument, Candidates& candidates, const std::string& front = {}) {
  for (const auto& choice : argument.choices()) candidates.add(front + choice, argument.summary());
  switch (argument.completion()) {
    case Argument::Completion::nothing:
      break;
    case Argument::Completion::folder:
      candidates.add_names(":folders");
      break;
    case Argument::Completion::stage:
      find_plugins();
      for (const auto* const entry : Catalogue::instance().all())
        candidates.add(front + entry->name, entry->summary);
      break;
    case Argument::Completion::pipeline:
      for (const auto& ready : ready_pipelines())
        candidates.add(front + ready.name, ready.summary());
      candidates.add_names(":files");
      break;
    case Argument::Completion::file:
      candidates.add_names(":files");
      break;
    case Argument::Completion::code:
      for (const auto& text : code_texts())
        candidates.add(front + std::string(text.name), std::string(text.title));
      break;
  }
}

/// The option that a word names, without what may stand behind its `=`.
const Argument* option_named(const Arguments& arguments, const std::string& word) {
  const auto name = word.substr(0, word.find('='));
  for (const auto& argument : arguments.all())
    if (!argument.is_positional() &&
        ("," + argument.names() + ",").find("," + name + ",") != std::string::npos)
      return &argument;
  return nullptr;
}

/// Where the words before the cursor have left off.
struct Place {
  const Argument* value_of = nullptr;  ///< An option whose value comes next.
  std::size_t positionals = 0;         ///< So many were given.
};

Place place_behind(const Arguments& arguments, const std::vector<std::string>& words) {
  Place place;
  for (const auto& word : words) {
    const bool is_option = word.starts_with('-') && word.size() > 1;
    if (place.value_of) {
      place.value_of = nullptr;
    } else if (is_option) {
      const auto* const option = option_named(arguments, word);
      const bool wants = option && option->kind() != Argument::Kind::flag;
      if (wants && word.find('=') == word.npos) place.value_of = option;
    } else {
      ++place.positionals;
    }
  }
  return place;
}

void add_options(const Arguments& arguments, Candidates& candidates) {
  for (const auto& argument : arguments.all())
    if (!argument.is_positional()) candidates.add(argument.longest_name(), argument.summary());
  candidates.add("--help", "Say what the verb takes, with an example");
  candidates.add("--no-plugins", "Leave out what plugins have");
}

void add_positional(const Arguments& arguments, std::size_t given, Candidates& candidates) {
  const Argument* next = nullptr;
  for (const auto& argument : arguments.all()) {
    if (!argument.is_positional()) continue;
    next = &argument;
    if (given == 0) break;
    --given;
    if (argument.kind() != Argument::Kind::list) next = nullptr;
  }
  if (next) add_values(*next, candidates);
}

void complete_verb(const Verbs::Entry& verb, std::vector<std::string> words,
                   Candidates& candidates) {
  const auto made = verb.make();
  Arguments arguments;
  made->arguments(arguments);
  const auto place = place_behind(arguments, words);
  const auto& typed = candidates.typed();
  if (place.value_of) return add_values(*place.value_of, candidates);
  if (const auto equals = typed.find('='); typed.starts_with("--") && equals != typed.npos) {
    const auto* const option = option_named(arguments, typed);
    if (option) add_values(*option, candidates, typed.substr(0, equals + 1));
    return;
  }
  if (typed.starts_with('-')) return add_options(arguments, candidates);
  add_positional(arguments, place.positionals, candidates);
}

/// The verbs that begin with the words before the cursor: their next word.
void add_verbs(const std::vector<std::string>& before, Candidates& candidates) {
  std::string front;
  for (const auto& word : before) front += word + " ";
  for (const auto* const verb : Verbs::instance().all()) {
    if (!verb->name.starts_with(front)) continue;
    const auto rest = verb->name.substr(front.size());
    const bool whole = rest.find(' ') == rest.npos;
    if (whole || !Verbs::instance().find({rest.substr(0, rest.find(' '))}))
      candidates.add(rest.substr(0, rest.find(' ')), verb->summary);
  }
}

}  // namespace

std::vector<std::string> completions(const std::vector<std::string>& words) {
  Candidates candidates(words.empty() ? std::string() : words.back());
  std::vector<std::string> before(words.begin(), words.end() - (words.empty() ? 0 : 1));
  if (!before.empty() && before.front() == "--no-plugins") {
    leave_out_plugins();
    before.erase(before.begin());
  }
  add_verbs(before, candidates);
  if (before.empty()) {
    candidates.add("--help", "List the verbs");
    candidates.add("--version", "Say which one this is");
  }
  if (const auto* const verb = Verbs::instance().find(before)) {
    before.erase(before.begin(), before.begin() + std::ranges::count(verb->name, ' ') + 1);
    complete_verb(*verb, std::move(before), candidates);
  }
  return std::move(candidates).take();
}

std::string completion_script(const std::string& shell) {
  if (shell == "bash") return std::string(bash_script);
  if (shell == "zsh") return std::string(zsh_script);
  return shell == "fish" ? std::string(fish_script) : std::string();
}

}  // namespace millrace::cli
