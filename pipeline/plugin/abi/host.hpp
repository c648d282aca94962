// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#include "millrace/context.hpp"
#include "millrace/error.hpp"
#include "millrace/item.hpp"
#include "millrace_plugin.h"
#include "plugin/abi/payloads.hpp"
#include "plugin/abi/values.hpp"

namespace millrace::abi {

/// The functions that a C plugin calls. [any thread, at once]
const mr_host& host();

/// What mr_listing is.
struct Listing {
  const Context& context;
  const std::function<void(Origin)>& found;
  const std::function<void(Origin, Error)>& failed;
};

inline const mr_options* to_c(const OptionValues& options) noexcept {
  return reinterpret_cast<const mr_options*>(&options);
}
inline mr_listing* to_c(Listing& listing) noexcept {
  return reinterpret_cast<mr_listing*>(&listing);
}

// The parts of the table.
void add_items(mr_host& host);
void add_options(mr_host& host);
void add_images(mr_host& host);
void add_texts(mr_host& host);

/// Of a plugin's struct, given the size that this version has: there must be that much, and not so
/// much that nobody can have set it.
inline void check_size(std::uint32_t size, std::size_t wanted) {
  constexpr std::size_t largest = 4096;  // later versions grow by fields, not by pages
  if (size < wanted || size > largest)
    throw Misuse{"passes a struct of " + std::to_string(size) + " bytes where " +
                 std::to_string(wanted) + " are wanted; set struct_size to sizeof"};
}

/// Gives a plugin a struct as far as its own version of it goes.
template <class T>
void give(T full, T* to) {
  if (!to) throw Misuse{"passes a null pointer to a function of the host"};
  const std::uint32_t size = to->struct_size;
  check_size(size, sizeof full);  // of version 1.0, which is this one
  full.struct_size = size;
  std::memcpy(to, &full, std::min<std::size_t>(size, sizeof full));
  std::memset(reinterpret_cast<char*>(to) + sizeof full, 0, size - sizeof full);
}

/// Takes one from it, likewise.
template <class T>
T taken(const T* from) {
  if (!from) throw Misuse{"passes a null pointer to a function of the host"};
  check_size(from->struct_size, sizeof(T));
  return *from;
}

/// The place that a function is to fill; throws Misuse where it is null.
template <class T>
T& target(T* to) {
  if (!to) throw Misuse{"passes a null pointer to a function of the host"};
  return *to;
}

inline std::string text_or_empty(const char* text) { return text ? text : ""; }

}  // namespace millrace::abi
