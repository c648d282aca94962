// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "isolate/link.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

namespace millrace::inline v1 {
namespace {

constexpr std::uint32_t magic = 0x4d494c4c;
constexpr std::size_t most_inline = std::size_t{32} << 10;  // of what is no picture
constexpr std::size_t most_bytes = std::size_t{96} << 10;   // less than a socket's buffer
constexpr std::size_t most_files = 8;

union Control {
  cmsghdr header;  // for its alignment
  std::array<char, CMSG_SPACE(sizeof(int) * most_files)> bytes;
};

std::vector<Descriptor> files_of(msghdr& message) {
  std::vector<Descriptor> files;
  for (cmsghdr* at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at)) {
    if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t i = 0; i < (at->cmsg_len - CMSG_LEN(0)) / sizeof(int); ++i) {
      int file = -1;
      std::memcpy(&file, CMSG_DATA(at) + i * sizeof file, sizeof file);
      files.emplace_back(file);
    }
  }
  return files;
}

void attach(msghdr& message, Control& control, const std::vector<int>& files) {
  if (files.empty()) return;
  message.msg_control = &control;
  message.msg_controllen = CMSG_SPACE(sizeof(int) * files.size());
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int) * files.size());
  std::memcpy(CMSG_DATA(header), files.data(), sizeof(int) * files.size());
}

void put_ids(Writer& head, const std::vector<std::uint64_t>& ids) {
  head.put<std::uint64_t>(ids.size());
  for (const auto id : ids) head.put(id);
}

template <class Function>
void each_id(Reader& head, const Function& function) {
  for (auto count = head.get_count(sizeof(std::uint64_t)); count > 0; --count)
    function(head.get<std::uint64_t>());
}

[[noreturn]] void refuse(const char* what) {
  throw Error(ErrorKind::resource, std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

/// What was lent to this side and is not needed any more; told with the next message. Those who
/// still have something when the link is gone tell nobody.
struct Link::Returns {
  std::mutex mutex;
  Ids ids;
};

Link::Link(Descriptor socket, Segment::Access access)
    : socket_(std::move(socket)),
      access_(access),
      buffer_(most_bytes),
      returns_(std::make_shared<Returns>()) {}

Link::~Link() = default;

bool Link::send(Said said, Writer fields) {
  auto loans = fields.loans();
  const bool is_apart = fields.bytes().size() > most_inline;
  if (is_apart) {
    loans.push_back(SegmentPool::instance().lend(fields.bytes().size()));
    std::ranges::copy(fields.bytes(), loans.back()->data());
  }
  Writer head;
  std::vector<int> files;
  head.put(magic);
  head.put(said);
  put_news(head, loans, files);
  head.put<std::uint64_t>(is_apart ? loans.back()->id() : 0);
  head.put<std::uint64_t>(fields.bytes().size());
  if (!is_apart) head.put_bytes(fields.bytes());

  iovec content{const_cast<std::byte*>(head.bytes().data()), head.bytes().size()};
  Control control{};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  attach(message, control, files);
  while (::sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
    if (errno == EPIPE || errno == ECONNRESET) return false;
    if (errno != EINTR) refuse("sendmsg");
  }
  sent_ = std::move(loans);
  return true;
}

void Link::put_news(Writer& head, const std::vector<Loan>& loans, std::vector<int>& files) {
  Ids forgotten;
  std::erase_if(told_, [&](const auto& segment) {
    if (segment.second.expired()) forgotten.push_back(segment.first);
    return segment.second.expired();
  });
  Ids returned;
  {
    const std::lock_guard lock(returns_->mutex);
    returned.swap(returns_->ids);
  }
  put_ids(head, forgotten);
  put_ids(head, returned);
  put_ids(head, std::exchange(dropped_, {}));
  Ids made;
  for (const auto& loan : loans) {
    if (!told_.try_emplace(loan->id(), loan->weak_from_this()).second) continue;
    made.insert(made.end(), {loan->id(), loan->size()});
    files.push_back(loan->descriptor());
  }
  put_ids(head, made);
}

Link::Arrival Link::receive(Message& message, bool wait) {
  iovec content{buffer_.data(), buffer_.size()};
  Control control{};
  msghdr about{};
  about.msg_iov = &content;
  about.msg_iovlen = 1;
  about.msg_control = &control;
  about.msg_controllen = sizeof control;
  ssize_t size = -1;
  while ((size = ::recvmsg(socket_.get(), &about, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT))) <
         0) {
    if (errno == EAGAIN) return Arrival::nothing;
    if (errno == ECONNRESET) return Arrival::end;
    if (errno != EINTR) refuse("recvmsg");
  }
  auto files = files_of(about);
  if (size == 0) return Arrival::end;
  if ((about.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) Reader::refuse();
  Reader head({buffer_.begin(), buffer_.begin() + size});
  if (head.get<std::uint32_t>() != magic) Reader::refuse();
  message.said = head.get_enum<Said>(said_count);
  take_news(head, std::move(files));
  const auto apart = head.get<std::uint64_t>();
  const auto length = head.get<std::uint64_t>();
  if (apart == 0) {
    const auto bytes = head.take(length);
    message.fields = Reader({bytes.begin(), bytes.end()});
  } else {
    const auto found = theirs_.find(apart);
    if (found == theirs_.end() || length > found->second->size()) Reader::refuse();
    const std::byte* const data = found->second->data();
    message.fields = Reader({data, data + length});
  }
  return Arrival::message;
}

void Link::take_news(Reader& head, std::vector<Descriptor> files) {
  each_id(head, [&](std::uint64_t id) { theirs_.erase(id); });
  each_id(head, [&](std::uint64_t id) { take_back(id); });
  each_id(head, [&](std::uint64_t id) { told_.erase(id); });
  Ids made;
  each_id(head, [&](std::uint64_t value) { made.push_back(value); });
  if (made.size() != 2 * files.size()) Reader::refuse();
  for (std::size_t i = 0; i < files.size(); ++i)
    theirs_[made[2 * i]] = Segment::map(std::move(files[i]), made[2 * i + 1], access_);
}

void Link::take_back(std::uint64_t id) {
  const auto lent = lent_.find(id);
  if (lent == lent_.end()) return;
  const Loan segment = told_.contains(id) ? told_[id].lock() : nullptr;
  if (segment && lent_.count(id) == 1) segment->allow(Segment::Access::write);
  lent_.erase(lent);
}

Loan Link::get_loan(Reader& fields) {
  const auto id = fields.get<std::uint64_t>();
  const auto found = theirs_.find(id);
  if (found == theirs_.end()) Reader::refuse();
  return {found->second.get(), [segment = found->second, returns = returns_, id](Segment*) {
            const std::lock_guard lock(returns->mutex);
            returns->ids.push_back(id);
          }};
}

void Link::lend(const Loan& segment, const cv::Mat& pixels) {
  segment->allow(Segment::Access::read);
  lent_.emplace(segment->id(), pixels);
}

std::optional<std::uint64_t> Link::number_there(const Segment& segment) const {
  for (const auto& [number, known] : theirs_)
    if (known.get() == &segment) return number;
  return std::nullopt;
}

void Link::keep(Segment& segment) {
  segment.detach();
  if (const auto number = number_there(segment)) {
    dropped_.push_back(*number);
    theirs_.erase(*number);
  }
}

}  // namespace millrace::inline v1
