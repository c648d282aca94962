// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "millrace/channel.hpp"

namespace millrace::inline v1 {

/// Waits for the first of several pushes and pops that can go on, and does that one alone; the
/// others are as if they had never been. Among several that can go on at once it picks at random.
/// A channel that is closed can go on: with the status `closed`. Where it has to wait it stands in
/// every channel's line, behind those who came before.
///
/// Ends, values and slots must outlive it; cases stay for the next wait. [one thread; the channels
/// any] Costs a turn of every channel's lock, and a second one when it has to wait.
///
///     Select select;
///     const auto sent = select.send(left, value);
///     const auto got = select.receive(right, slot);
///     const auto [status, index] = select.wait(context.child(1s));
///     if (status == ChannelStatus::ok && index == got) use(*slot);
class Select {
 public:
  /// Which case ended it, for `ok` and `closed`; with another status none did.
  struct Outcome {
    ChannelStatus status;
    std::size_t index = none;
  };
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  Select() = default;
  Select(const Select&) = delete;
  Select& operator=(const Select&) = delete;

  /// A case, whose index is given: `value` is moved from when it is done, and untouched otherwise.
  template <class T>
  std::size_t send(const Sender<T>& to, T& value) {
    return add({to.queue_.get(), &value, nullptr, {}});
  }

  /// `slot` is emptied when a wait begins, and filled when this case is done.
  template <class T>
  std::size_t receive(const Receiver<T>& from, std::optional<T>& slot) {
    const auto clear = [](void* own) { static_cast<std::optional<T>*>(own)->reset(); };
    return add({from.queue_.get(), &slot, clear, {}});
  }

  /// A context that is done already fails first; without a case it is all that is waited for.
  [[nodiscard]] Outcome wait(const Context& context);

  /// Never waits: `would_block` when at one instant no case could go on.
  [[nodiscard]] Outcome try_now();

 private:
  struct Case {
    ChannelCore* channel;  // none for the end of no channel: closed
    void* value;
    void (*clear)(void* slot);  // for a receive
    ChannelTurn turn;
  };
  class Locked;

  std::size_t add(const Case& made);
  void begin();
  Outcome attempt(ChannelTurn*& served);
  void stand_in_line(ChannelWaiter& self) noexcept;
  void leave_lines() noexcept;

  std::vector<Case> cases_;
  std::vector<std::size_t> order_;      // cases as they are tried
  std::vector<ChannelCore*> channels_;  // each once, by address
};

}  // namespace millrace::inline v1
