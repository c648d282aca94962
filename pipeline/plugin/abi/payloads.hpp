// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "millrace/item.hpp"
#include "millrace_plugin.h"

namespace millrace::abi {

class Call;

/// What one or several handles stand for.
struct Content {
  explicit Content(Payload what, bool is_own = false) : payload(std::move(what)), own(is_own) {}

  /// A word and where it stands.
  struct Place {
    Text::Word* word;
    std::uint32_t block, paragraph, line;
  };

  Payload payload;
  const bool own;  ///< The plugin made it, and may change it.

  std::mutex mutex;  ///< Guards what is below, and a text that is changed.
  std::vector<Place> words;
  bool indexed = false;  ///< Those of the text as it is.
  std::string plain;     ///< Empty: not written yet.
};

/// A handle that a plugin uses and must not, or a function in a place where it must not be called.
struct Misuse {
  std::string what;
};

/// Every payload that a plugin has a handle of, and every call about an item. What the plugin has
/// is a number that is never used again, so one that has ended is told from one that has not. [any
/// thread, at once]
class Payloads {
 public:
  static Payloads& instance();

  /// A handle that ends with `call` at the latest, or with `owner` where there is no call.
  mr_payload* add(std::shared_ptr<Content> content, const void* owner, const mr_item* call);
  /// Throws Misuse where it has ended.
  std::shared_ptr<Content> find(const mr_payload* handle) const;
  /// Another one of the same content and owner, which no call ends.
  mr_payload* retain(const mr_payload* handle);
  /// Ends it; gives what it stood for.
  std::shared_ptr<Content> take(const mr_payload* handle);

  mr_item* begin(const Call& call);
  /// Ends the handles that this call still has.
  void end(const mr_item* call) noexcept;
  /// Null where it has ended.
  const Call* find(const mr_item* call) const;

  /// Ends all handles of an owner; how many there were.
  std::size_t end_all(const void* owner) noexcept;
  /// Handles that have not ended, of all plugins.
  std::size_t count() const;
  /// Handles that were left to end_all() so far.
  std::size_t abandoned() const;

 private:
  struct Handle {
    std::shared_ptr<Content> content;
    const void* owner;
  };
  struct Live {
    const Call* call;
    std::vector<std::uintptr_t> handles;
  };
  const Handle& at(const mr_payload* handle) const;

  mutable std::mutex mutex_;
  std::unordered_map<std::uintptr_t, Handle> handles_;
  std::unordered_map<std::uintptr_t, Live> calls_;
  std::uintptr_t last_ = 0;
  std::size_t abandoned_ = 0;
};

}  // namespace millrace::abi
