// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "millrace/error.hpp"
#include "process/descriptor.hpp"

namespace millrace::inline v1 {

/// What another process has said is not so, or not to be understood.
struct Malformed : Error {
  Malformed() : Error(ErrorKind::plugin, "another process has sent what is not understood") {}
};

/// Memory that two processes see at once: a file without a name, mapped here, which cannot become
/// shorter. Lives until the last of the two lets go of it.
class Segment : public std::enable_shared_from_this<Segment> {
 public:
  enum class Access { read, write };

  /// A new one, with all its pages present. Throws Error (resource).
  static std::shared_ptr<Segment> make(std::size_t size);
  /// One that another process made. Throws Malformed where the file is not what is said.
  static std::shared_ptr<Segment> map(Descriptor file, std::size_t size, Access access);

  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  std::uint64_t id() const noexcept { return id_; }  ///< Of no other in this process, ever.
  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  int descriptor() const noexcept { return file_.get(); }
  bool is_shared() const noexcept { return static_cast<bool>(file_); }

  /// What this process may do with it from here on; a write without leave ends the process.
  void allow(Access access) const noexcept;
  /// Gives the same addresses memory of this process alone, with the same content. [no other
  /// thread]
  void detach();

 private:
  Segment(Descriptor file, std::size_t size, Access access);

  Descriptor file_;
  const std::size_t size_;
  const std::uint64_t id_;
  std::byte* data_ = nullptr;
};

/// The use of a segment; when its last copy is gone the segment can be used for something else.
using Loan = std::shared_ptr<Segment>;

/// The segments that this process makes, kept for the next use: touching new memory costs more than
/// the work on it may. [any thread, at once]
class SegmentPool {
 public:
  /// Asked before a segment is made, with the bytes of all then; may throw.
  using Budget = std::function<void(std::uint64_t bytes)>;

  /// While one lives, free segments are kept.
  class Use {
   public:
    explicit Use(SegmentPool& pool) : pool_(pool) { pool_.begin(); }
    ~Use() { pool_.end(); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    SegmentPool& pool_;
  };

  /// Of the process; never destroyed, since pictures may outlive everything.
  static SegmentPool& instance();

  /// Throws Error (resource), and what the budget throws.
  Loan lend(std::size_t size);
  void set_budget(Budget budget);

 private:
  void begin();
  void end();
  std::shared_ptr<Segment> take(std::size_t size);
  void give_back(std::shared_ptr<Segment> segment) noexcept;

  std::mutex mutex_;
  std::vector<std::shared_ptr<Segment>> free_;  // the longest unused first
  std::uint64_t free_bytes_ = 0, bytes_ = 0;
  std::size_t users_ = 0;
  Budget budget_;
};

}  // namespace millrace::inline v1
