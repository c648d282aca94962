// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/token.hpp"

namespace millrace::inline v1 {

bool Item::note(Outcome outcome) noexcept {
  const auto bit = static_cast<unsigned>(outcome);
  return (outcomes_.fetch_or(bit) & bit) == 0;
}

Token Token::fork(std::optional<std::uint32_t> page) const {
  Token token(item_);
  token.page_ = page ? page : page_;
  return token;
}

Origin Token::origin() const {
  Origin origin = item_->origin();
  if (page_) origin.page = page_;
  return origin;
}

}  // namespace millrace::inline v1
