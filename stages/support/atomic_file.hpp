// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "process/descriptor.hpp"

namespace millrace::inline v1 {

/// A file that is either there whole, under its name, or not at all. It is written without a name
/// where the file system can do that (O_TMPFILE: nothing is left even by kill -9), otherwise as
/// `.NAME.millrace-XXXXXX.tmp` beside its target. Throws Error that names the target and why.
/// [one thread]
class AtomicFile {
 public:
  enum class Start { unnamed_if_possible, named };
  enum class Existing { keep, replace };

  /// Makes the target's folders where they are missing.
  explicit AtomicFile(std::filesystem::path target, Start start = Start::unnamed_if_possible);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();  ///< What is not published is gone.

  void write(std::span<const std::byte> data);

  /// On the disk, not just in the system's memory, before it is published.
  void sync();

  /// Gives the file its name; false where that is taken and to be kept (then another may be
  /// tried). `name` is in the target's folder.
  [[nodiscard]] bool publish(const std::string& name, Existing existing);

  /// True for the names that temporary files have.
  static bool is_temporary_name(std::string_view name) noexcept;

 private:
  friend void remove_temporaries() noexcept;

  void open_folder();
  void make_named();
  bool link_to(const std::string& name) const;
  bool rename_keeping(const std::string& name);
  void rename_to(const std::string& name);
  void choose_temporary_name();
  void forget_temporary() noexcept;
  void stop_if_closed() const;
  void remove_temporary() const noexcept;
  [[noreturn]] void fail(int error) const;

  std::filesystem::path target_;
  Descriptor folder_;
  Descriptor file_;
  std::string temporary_;  // in the folder; empty: none
};

/// Unlinks every temporary file of this process and lets no further one come to be: the last act
/// before an exit that waits for nothing. [any thread; not from a signal handler]
void remove_temporaries() noexcept;

}  // namespace millrace::inline v1
