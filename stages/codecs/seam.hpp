// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <csetjmp>
#include <string>
#include <type_traits>

#include "stages/codecs/codec.hpp"

namespace millrace::codecs {

/// The one seam for C libraries that leave by longjmp. What is called inside must own nothing that
/// a destructor frees, and must not throw: its frames are jumped over.
class Escape {
 public:
  /// False when `calls` was left by leave().
  template <class F>
  [[gnu::noinline]] bool run(F calls) {
    static_assert(std::is_trivially_destructible_v<F>);
    if (setjmp(buffer_) != 0) return false;
    calls();
    return true;
  }
  [[noreturn]] void leave() noexcept { std::longjmp(buffer_, 1); }

 private:
  std::jmp_buf buffer_;
};

/// What a library remarks on while it works: told to the user as one warning, however many remarks.
class Remarks {
 public:
  void add(const char* text) noexcept;
  void tell(ItemContext& context);

 private:
  std::string first_;
  int count_ = 0;
};

/// The data end or break while rows are still to come: an Error, or a warning where that is asked
/// for. `what` is the message, e.g. "truncated: ends after row 812 of 3024".
void tell_unfinished(const std::string& what, const DecodeRequest& request, ItemContext& context);

/// "truncated: ends after row 812 of 3024".
std::string truncated_after(int row, int rows);

}  // namespace millrace::codecs
