// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/seam.hpp"

namespace millrace::codecs {

void Remarks::add(const char* text) noexcept {
  try {
    if (count_++ == 0) first_ = text;
  } catch (...) {  // no memory for a remark: the work itself will say so
  }
}

void Remarks::tell(ItemContext& context) {
  if (count_ == 0) return;
  std::string text = std::move(first_);
  if (count_ > 1) text += " (and " + std::to_string(count_ - 1) + " more)";
  context.warn(std::move(text));
  count_ = 0;
}

void tell_unfinished(const std::string& what, const DecodeRequest& request, ItemContext& context) {
  if (request.truncated == Truncated::fail) throw Error(ErrorKind::input, what);
  context.warn(what + "; the rest is blank");
}

std::string truncated_after(int row, int rows) {
  return "truncated: ends after row " + std::to_string(row) + " of " + std::to_string(rows);
}

}  // namespace millrace::codecs
