// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "millrace/pipeline.hpp"

namespace millrace::cli {

// The stages and what flows between them. What Millrace has put in is marked (`+` in text, a dashed
// frame in a picture), and so are the ways of what fails (`:`, dotted).

/// For a terminal: a stage in each row, below those that it reads from.
std::string graph_text(const Plan& plan);
/// For Graphviz: `dot -Tsvg`.
std::string graph_dot(const Plan& plan);
/// A Mermaid flowchart, as Markdown shows it in a block of that name.
std::string graph_mermaid(const Plan& plan);

}  // namespace millrace::cli
