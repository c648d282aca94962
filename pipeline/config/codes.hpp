// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace millrace::inline v1 {

/// The kinds of mistakes that a pipeline file can have. What each means to a user stands in
/// codes.cpp, in this order.
enum class Code {
  not_utf8,
  invisible_character,
  tab_indentation,
  indentation,
  unclosed,
  needs_quotes,
  missing_blank,
  unknown_escape,
  unknown_anchor,
  unsupported_yaml,
  yaml_syntax,
  limit_exceeded,
  empty_pipeline,
  unknown_version,
  duplicate_key,
  missing_key,
  unknown_key,
  unknown_option,
  misplaced_key,
  missing_option,
  missing_value,
  wrong_type,
  quoted_value,
  not_true_or_false,
  leading_zero,
  missing_unit,
  unknown_unit,
  unknown_choice,
  out_of_range,
  invalid_value,
  invalid_name,
  foreign_path,
  unknown_stage,
  unusable_plugin,
  one_stage,
  unknown_variable,
  unset_variable,
  unused_variable,
  unknown_id,
  duplicate_id,
  ambiguous_id,
  no_input,
  source_input,
  sink_input,
  from_conflict,
  cycle,
  unused_output,
  kind_mismatch,
  output_conflict,
  setting_conflict,
  empty_test,
  duplicate_test,
  empty_part,
  ambiguous_input,
  over_limit,
  unreadable_file,
  fine_after_all,
};

/// What `millrace explain` says of a code.
struct CodeText {
  Code code;
  std::string_view name;   ///< "unknown-stage"
  std::string_view title;  ///< One line, without a full stop.
  std::string_view text;   ///< Why it is a mistake and what to do.
  /// Examples: the items of `stages`, or a whole file where there is a line `stages:`; empty where
  /// none can be shown.
  std::string_view wrong, right;
};

std::span<const CodeText> code_texts();
std::string_view name_of(Code code);
/// Null where there is none.
const CodeText* find_code(std::string_view name);

/// An example as a whole file.
std::string whole_example(std::string_view example);

}  // namespace millrace::inline v1
