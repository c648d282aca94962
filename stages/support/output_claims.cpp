// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/output_claims.hpp"

#include "millrace/error.hpp"
#include "stages/support/ascii.hpp"

namespace millrace::inline v1 {

OutputClaims::Claim OutputClaims::claim(const std::string& output, const std::string& item) {
  auto key = lower(std::string_view(output));
  {
    const std::scoped_lock lock(mutex_);
    const auto [place, is_new] = items_.try_emplace(key, item);
    if (!is_new)
      throw Error(ErrorKind::input,
                  output + " was already written in this run, from " + place->second);
  }
  return {*this, std::move(key)};
}

OutputClaims::Claim::~Claim() {
  if (!claims_) return;
  const std::scoped_lock lock(claims_->mutex_);
  claims_->items_.erase(key_);
}

void OutputClaims::clear() {
  const std::scoped_lock lock(mutex_);
  items_.clear();
}

}  // namespace millrace::inline v1
