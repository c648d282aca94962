// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>

#include "config/diagnostics.hpp"
#include "config/source_text.hpp"
#include "millrace/value.hpp"

namespace millrace::inline v1 {

/// Reads one YAML document into a tree with positions; an empty file is a null. None after a
/// complaint that leaves no tree to speak of; a smaller one (a key written twice) is told and the
/// rest of the tree returned.
///
/// Stricter than YAML, since each of these is more often a mistake than meant: one document, no
/// tags, no merge keys, plain text on one line, keys are plain words, at most 64 levels, and
/// aliases that expand to at most 10000 values.
std::optional<Value> read_yaml(const SourceText& source, Diagnostics& diagnostics);

}  // namespace millrace::inline v1
