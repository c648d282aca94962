// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <optional>
#include <vector>

#include "isolate/wire.hpp"
#include "process/descriptor.hpp"

namespace millrace::inline v1 {

/// What is said between a run and a stage's process, and by whom. They take turns.
enum class Said : std::uint32_t {
  setup,    ///< The run: which stage this is, and how it is set.
  ready,    ///< The stage: its worker is made.
  refused,  ///< The stage: it cannot be made, and why.
  work,     ///< The run: an item.
  emit,     ///< The stage: something that it made of the item; waits for `taken`.
  taken,    ///< The run: it has been handed on.
  ask,     ///< The stage: to which size will a picture of this size be resampled? Waits for `size`.
  size,    ///< The run: to this.
  done,    ///< The stage: the item has ended well.
  failed,  ///< The stage: it has not, and why.
};
inline constexpr std::size_t said_count = 10;

struct Message {
  Said said = Said::setup;
  Reader fields;
};

/// One end of a connection to another process of this machine. Small things are sent; large ones
/// lie in segments, each of which the other side maps once. [one thread]
class Link {
 public:
  /// `access`: to the segments that the other side makes. A stage may not write into its input,
  /// which other branches see; what it gives belongs to whoever takes it.
  Link(Descriptor socket, Segment::Access access);
  ~Link();

  int descriptor() const noexcept { return socket_.get(); }
  void close() noexcept { socket_.close(); }

  /// Keeps what the fields hold until the next send(). False when the other side is gone. Throws
  /// Error (resource).
  bool send(Said said, Writer fields = {});

  enum class Arrival { message, nothing, end };
  /// Waits for a message, or only looks. Throws Malformed for what is none.
  Arrival receive(Message& message, bool wait);

  /// The segment that a field names. The other side may use it again when the result is gone, where
  /// it has lent it.
  Loan get_loan(Reader& fields);
  /// Lends what the other side is told of next: not to be written or used again until it is
  /// returned.
  void lend(const Loan& segment, const cv::Mat& pixels);
  /// By which number the other side, if it has made the segment, knows it.
  std::optional<std::uint64_t> number_there(const Segment& segment) const;
  /// Keeps the content of a segment of the other side for good, which may use it again.
  void keep(Segment& segment);

 private:
  struct Returns;
  using Ids = std::vector<std::uint64_t>;

  void put_news(Writer& head, const std::vector<Loan>& loans, std::vector<int>& files);
  void take_news(Reader& head, std::vector<Descriptor> files);
  void take_back(std::uint64_t id);

  Descriptor socket_;
  const Segment::Access access_;
  std::vector<std::byte> buffer_;
  std::vector<Loan> sent_;
  std::map<std::uint64_t, std::weak_ptr<Segment>> told_;  // ours, which the other side has mapped
  std::map<std::uint64_t, std::shared_ptr<Segment>> theirs_;  // by their number
  std::multimap<std::uint64_t, cv::Mat> lent_;
  Ids dropped_;  // theirs, which are to be told anew
  const std::shared_ptr<Returns> returns_;
};

}  // namespace millrace::inline v1
