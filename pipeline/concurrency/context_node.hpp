// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <stop_token>

#include "millrace/context.hpp"

namespace millrace::inline v1 {

/// What the waiting primitives see of a context.
struct Context::Node {
  Node(std::shared_ptr<Node> parent, std::optional<Clock::time_point> deadline);

  std::stop_source& source() noexcept { return source_; }
  std::optional<Clock::time_point> deadline() const noexcept { return deadline_; }
  std::optional<Cause> cause() const noexcept;

 private:
  struct Cancel {
    Node* node;
    void operator()() const noexcept { node->source_.request_stop(); }
  };

  std::shared_ptr<Node> parent_;
  std::optional<Clock::time_point> deadline_;
  std::stop_source source_;
  std::optional<std::stop_callback<Cancel>> link_;  // last: gone before what it reaches
};

}  // namespace millrace::inline v1
