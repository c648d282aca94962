// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace millrace::inline v1 {

enum class ErrorKind {
  usage,      ///< The command line is wrong.
  config,     ///< The pipeline's YAML is wrong.
  input,      ///< This item's data cannot be used; the others can.
  transient,  ///< May work when tried again.
  resource,   ///< Disk, memory or descriptors ran out.
  cancelled,  ///< The context ended; not a fault of the item.
  plugin,     ///< A plugin cannot be loaded or broke its contract.
  internal,   ///< A programming error inside Millrace.
};

/// The one type that Millrace throws. Each layer adds the one name it knows:
/// `scan_017.tif: deskew: max_angle: 90 is outside 0..45 degrees`.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  ErrorKind kind() const noexcept { return kind_; }

  /// The same error with `name: ` in front.
  Error in(std::string_view name) const { return {kind_, std::string(name) + ": " + what()}; }

 private:
  ErrorKind kind_;
};

}  // namespace millrace::inline v1
