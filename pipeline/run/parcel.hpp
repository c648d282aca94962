// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <utility>

#include "millrace/item.hpp"
#include "run/token.hpp"

namespace millrace::inline v1 {

/// The bytes of memory that a payload takes; those of a shared one are counted for each owner.
std::size_t size_of(const Payload& payload) noexcept;

/// What a channel between stages carries. Its payload's bytes count for its item.
struct Parcel {
  Parcel(Token right, Payload what) : token(std::move(right)), payload(std::move(what)) {
    token.hold(size_of(payload));
  }
  // cv::Mat's move does not throw, but OpenCV 4 does not say so.
  Parcel(Parcel&& other) noexcept
      : token(std::move(other.token)), payload(std::move(other.payload)) {}
  Parcel& operator=(Parcel&&) = delete;

  Token token;
  Payload payload;
};

}  // namespace millrace::inline v1
