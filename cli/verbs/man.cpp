// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>

#include "cli/exit_status.hpp"
#include "cli/manual.hpp"
#include "cli/verb.hpp"

namespace millrace::cli {
namespace {

struct Man final : Verb {
  int run() override {
    std::cout << manual_page();
    return Exit::all_done;
  }
};

const RegisterVerb<Man> registered{"man", Verbs::Group::program,
                                   "Print the manual page, as man(1) reads it",
                                   "millrace man | man -l -"};

}  // namespace
}  // namespace millrace::cli
