// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/completion.hpp"

#include <iostream>
#include <string>
#include <vector>

#include "cli/exit_status.hpp"
#include "cli/verb.hpp"

namespace millrace::cli {
namespace {

struct Completion final : Verb {
  std::string shell;

  void arguments(Arguments& a) override {
    a.positional("SHELL", shell, "The shell").choices({"bash", "zsh", "fish"}).required();
  }
  int run() override {
    std::cout << completion_script(shell);
    return Exit::all_done;
  }
};

/// What the scripts ask.
struct CompletionWords final : Verb {
  std::vector<std::string> words;

  void arguments(Arguments& a) override {
    a.positional("WORD", words, "Behind --: what was typed behind millrace, up to the cursor");
  }
  int run() override {
    for (const auto& line : completions(words)) std::cout << line << "\n";
    return Exit::all_done;
  }
};

const RegisterVerb<Completion> registered{"completion", Verbs::Group::program,
                                          "Print what makes a shell complete the words of millrace",
                                          "source <(millrace completion bash)"};
const RegisterVerb<CompletionWords> registered_words{"completion words", Verbs::Group::hidden,
                                                     "List what may come next, as the scripts ask",
                                                     "millrace completion words -- stages re"};

}  // namespace
}  // namespace millrace::cli
