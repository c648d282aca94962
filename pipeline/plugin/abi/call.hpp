// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "millrace/stage.hpp"
#include "plugin/abi/descriptor.hpp"
#include "plugin/abi/payloads.hpp"

namespace millrace::abi {

/// Blocks of memory that a worker's calls use one after the other. [one thread]
class Scratch {
 public:
  /// A further call begins: it may use every block again.
  void rewind() noexcept { used_ = 0; }
  /// Null where there is no memory.
  void* take(std::size_t size) noexcept;

 private:
  struct Free {
    void operator()(void* block) const noexcept { std::free(block); }
  };
  struct Block {
    std::unique_ptr<void, Free> memory;
    std::size_t size;
  };
  std::vector<Block> blocks_;
  std::size_t used_ = 0;
};

/// A call into a plugin about an item: what mr_item stands for. Its handles end with it.
class Call {
 public:
  Call(const StageDescription& stage, const void* owner, ItemContext& context, const Emit& emit,
       Scratch& scratch);
  ~Call() { Payloads::instance().end(item_); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  mr_item* item() const noexcept { return item_; }
  /// The call, on its own thread only; throws Misuse elsewhere, of which the item learns.
  static Call& on_worker(mr_item* item);
  /// The call, on any thread while it lasts.
  static const Call& anywhere(const mr_item* item);

  ItemContext& context() const noexcept { return context_; }
  Scratch& scratch() const noexcept { return scratch_; }
  mr_payload* add(Payload payload, bool own = true);
  void emit(Payload payload, std::uint32_t page);
  const char* attribute(const std::string& key);

  /// Of what another thread did wrong; the first one counts.
  void blame(const std::string& misuse) const;
  /// Throws what went wrong apart from what the plugin itself says.
  void check() const;
  std::size_t emitted() const noexcept { return emitted_; }

 private:
  const StageDescription& stage_;
  const void* const owner_;
  ItemContext& context_;
  const Emit& emit_;
  Scratch& scratch_;
  mr_item* const item_;
  std::map<std::string, std::string> attributes_;
  std::size_t emitted_ = 0;
  std::optional<Error> not_emitted_;  // what emit() told a plugin, which may not have listened
  mutable std::mutex mutex_;
  mutable std::string misuse_;
};

/// The plugin's code on this thread, from its call to its return; the innermost one counts, since a
/// stage that emits may be called from there. Without a Call where it is not about an item.
class Frame {
 public:
  explicit Frame(Call* call = nullptr, bool is_part = false) noexcept;
  ~Frame();
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  /// Null on a thread that the host did not call the plugin on.
  static Frame* current() noexcept;

  /// Calls the plugin; nothing that it throws gets past here, and no child that it forked: that
  /// would be the same run a second time.
  template <class Function>
  mr_result run(Function&& function) noexcept {
    const pid_t process = ::getpid();
    mr_result result = MR_FATAL;
    try {
      result = function();
    } catch (...) {
      note_exception();
    }
    if (::getpid() != process) ::_exit(EXIT_FAILURE);
    return result;
  }
  /// Throws Error for misuse of the host, and for any other result than MR_OK; MR_SKIP is left to
  /// the caller where it may be returned.
  void conclude(mr_result result, const char* function, bool may_skip = false) const;

  Call* call() const noexcept { return call_; }
  bool is_part() const noexcept { return is_part_; }
  const std::string& error() const noexcept { return error_; }
  void set_error(std::string text) { error_ = std::move(text); }
  const std::string& misused() const noexcept { return misuse_; }  ///< Empty: nothing was wrong.
  void misuse(const std::string& what) {
    if (misuse_.empty()) misuse_ = what;
  }

 private:
  void note_exception() noexcept;

  Call* const call_;
  const bool is_part_;
  Frame* const outer_;
  std::string error_, misuse_;
};

/// How an error is told to a plugin.
mr_result code_of(ErrorKind kind) noexcept;

/// Inside a catch block of a host function: keeps what is being handled for the plugin's caller,
/// and gives the code for it.
mr_result refused() noexcept;

/// The body of a host function: nothing that it throws reaches the plugin.
template <class Function>
mr_result guard(Function&& function) noexcept {
  try {
    function();
    return MR_OK;
  } catch (...) {
    return refused();
  }
}

/// The same of one that returns something else, and `otherwise` where it cannot.
template <class Result, class Function>
Result guard(Result otherwise, Function&& function) noexcept {
  try {
    return function();
  } catch (...) {
    refused();
    return otherwise;
  }
}

}  // namespace millrace::abi
