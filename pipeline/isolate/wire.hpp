// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "isolate/segment.hpp"

namespace millrace::inline v1 {

/// What one side of a Link says, field after field in this machine's own order of bytes: both sides
/// are the same build.
class Writer {
 public:
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void put(T value) {
    put_bytes(std::as_bytes(std::span(&value, 1)));
  }
  void put(std::string_view text) {
    put<std::uint64_t>(text.size());
    put_bytes(std::as_bytes(std::span(text)));
  }
  /// The reader gets the same memory.
  void put(Loan loan) {
    put(loan->id());
    loans_.push_back(std::move(loan));
  }

  void put_bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  const std::vector<std::byte>& bytes() const noexcept { return bytes_; }
  const std::vector<Loan>& loans() const noexcept { return loans_; }

 private:
  std::vector<std::byte> bytes_;
  std::vector<Loan> loans_;
};

/// Takes the fields in the same order. Nothing in them is believed: throws Malformed where there
/// are not enough bytes.
class Reader {
 public:
  Reader() = default;
  explicit Reader(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  requires(std::is_arithmetic_v<T>) T get() {
    if constexpr (std::is_same_v<T, bool>) return take(1)[0] != std::byte{};
    T value{};
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  /// One of the first `count` values.
  template <class E>
  E get_enum(std::size_t count) {
    const auto value = get<std::underlying_type_t<E>>();
    if (std::cmp_less(value, 0) || std::cmp_greater_equal(value, count)) refuse();
    return static_cast<E>(value);
  }
  std::string get_text() {
    const auto bytes = take(get<std::uint64_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  /// How many of what takes `least` bytes or more each come next.
  std::size_t get_count(std::size_t least) {
    const auto count = get<std::uint64_t>();
    if (count > left() / least) refuse();
    return count;
  }

  std::span<const std::byte> take(std::uint64_t count) {
    if (count > left()) refuse();
    at_ += count;
    return std::span(bytes_).subspan(at_ - count, count);
  }
  std::size_t left() const noexcept { return bytes_.size() - at_; }
  [[noreturn]] static void refuse() { throw Malformed(); }

 private:
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace millrace::inline v1
