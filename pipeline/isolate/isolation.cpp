// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "isolate/isolation.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "isolate/child_process.hpp"
#include "isolate/payload.hpp"
#include "isolate/shared_pixels.hpp"

namespace millrace::inline v1 {
namespace {

using namespace std::chrono_literals;
using Clock = Context::Clock;

constexpr auto longest_start = 60s;  // to load what a stage needs
constexpr auto longest_end = 5s;     // to tidy up behind its last item
constexpr auto longest_fall = 2s;    // from the end of its connection to its own

std::string text_of(Duration time) { return OptionType<Duration>::print(time); }

[[noreturn]] void refuse(const char* what) {
  throw Error(ErrorKind::resource, std::string(what) + ": " + std::strerror(errno));
}

/// A process that is there, and the way to it.
struct Child {
  Child(const std::string& title, Descriptor ours, const Descriptor& theirs)
      : link(std::move(ours), Segment::Access::write), process(title, theirs.get()) {}

  Link link;
  ChildProcess process;
};

std::unique_ptr<Child> start_child(const std::string& title) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    refuse("cannot make a socket");
  Descriptor ours(ends[0]), theirs(ends[1]);
  return std::make_unique<Child>(title, std::move(ours), theirs);
}

/// It does not keep to what is agreed, or is no more.
struct Fault : Error {
  explicit Fault(const std::string& what)
      : Error(ErrorKind::plugin, "the stage's process " + what) {}
};

}  // namespace

class Isolation::Worker final : public StageWorker {
 public:
  explicit Worker(Isolation& stage) : stage_(stage) {}

  ~Worker() override {
    if (!child_) return;
    child_->link.close();  // which asks it to end
    if (!stage_.context_.done()) child_->process.wait_for(longest_end);
  }

  void work(ItemContext& context, Payload payload, const Emit& emit) override {
    try {
      if (!child_) start(context);
      work_there(context, std::move(payload), emit);
    } catch (const Malformed&) {
      lose(context.origin(), Fault("sent what is not understood and was killed"));
    } catch (const Fault& fault) {
      lose(context.origin(), fault);
    } catch (...) {
      if (!answered_) child_.reset();  // it may be anywhere
      throw;
    }
  }

 private:
  void start(ItemContext& context);
  void work_there(ItemContext& context, Payload payload, const Emit& emit);
  void take(Reader& fields, const Payload& given, const Emit& emit);
  void end_item(Message& message, ItemContext& context);
  void answer(Reader& fields);
  void say(Said said, Writer fields = {});
  Message hear(const ItemContext* item);
  bool wait(const ItemContext* item);
  [[noreturn]] void be_late(const ItemContext* item) const;
  [[noreturn]] void tell_end();
  [[noreturn]] void lose(const Origin& origin, const Fault& fault);

  Isolation& stage_;
  std::unique_ptr<Child> child_;
  Clock::time_point since_;  // of its start
  bool is_started_ = false;
  bool answered_ = true;  // it has said how its item ended, and waits for the next one
};

/// That takes as long as it takes to load what the stage needs, and is no item's time.
void Isolation::Worker::start(ItemContext& context) {
  answered_ = is_started_ = false;
  since_ = Clock::now();
  std::optional<Error> refusal;
  try {
    child_ = start_child(stage_.planned_.id);
    Writer fields;
    put_setup(fields, stage_.setup_);
    say(Said::setup, std::move(fields));
    Message message = hear(nullptr);
    if (message.said == Said::ready) {
      is_started_ = true;
      return context.extend(Clock::now() - since_);
    }
    if (message.said != Said::refused) Reader::refuse();
    refusal = get_error(message.fields);
  } catch (const Malformed&) {
    throw;
  } catch (const Fault&) {
    throw;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    refusal = error;
  }
  stage_.stops_.fail(*refusal);
  throw Error(ErrorKind::cancelled, "cancelled");
}

void Isolation::Worker::work_there(ItemContext& context, Payload payload, const Emit& emit) {
  answered_ = false;
  Writer fields;
  put_origin(fields, context.origin());
  const Payload given = put_payload(fields, child_->link, std::move(payload));
  say(Said::work, std::move(fields));
  for (;;) {
    Message message = hear(&context);
    if (message.said != Said::emit) return end_item(message, context);
    take(message.fields, given, emit);
    say(Said::taken);
  }
}

void Isolation::Worker::take(Reader& fields, const Payload& given, const Emit& emit) {
  const auto* image = std::get_if<Image>(&given);
  std::optional<std::uint32_t> page;
  const bool has_page = fields.get<bool>();
  const auto number = fields.get<std::uint32_t>();
  if (has_page) page = number;
  Payload made = get_payload(fields, child_->link, image ? segment_of(image->pixels) : nullptr);
  if (kind_of(made) != stage_.planned_.stage->gives()) Reader::refuse();
  emit(std::move(made), page);
}

void Isolation::Worker::end_item(Message& message, ItemContext& context) {
  Reader& fields = message.fields;
  if (message.said != Said::done && message.said != Said::failed) Reader::refuse();
  for (auto count = fields.get_count(sizeof(std::uint64_t)); count > 0; --count)
    context.warn(fields.get_text());
  if (fields.get<bool>()) context.skip(fields.get_text());
  if (message.said == Said::failed) {
    const Error error = get_error(fields);
    answered_ = true;
    throw Error(error);
  }
  answered_ = true;
}

void Isolation::Worker::answer(Reader& fields) {
  const int width = fields.get<int>();
  const cv::Size full(width, fields.get<int>());
  const auto& rule = stage_.planned_.downstream.target_size;
  if (!rule || full.empty()) Reader::refuse();
  const cv::Size size = rule(full);
  Writer answer;
  answer.put(size.width);
  answer.put(size.height);
  say(Said::size, std::move(answer));
}

void Isolation::Worker::say(Said said, Writer fields) {
  if (!child_->link.send(said, std::move(fields))) tell_end();
}

/// The next message that is not about sizes. `item` is null before there is one.
Message Isolation::Worker::hear(const ItemContext* item) {
  Message message;
  for (bool has_ended = false;;) {
    const auto arrival = child_->link.receive(message, false);
    if (arrival == Link::Arrival::message) {
      if (message.said != Said::ask) return message;
      answer(message.fields);
    } else {
      // It may have said something just before its end.
      if (arrival == Link::Arrival::end || has_ended) tell_end();
      has_ended = !wait(item);
    }
  }
}

/// False when the process has ended.
bool Isolation::Worker::wait(const ItemContext* item) {
  std::array<pollfd, 3> watched{{{child_->link.descriptor(), POLLIN, 0},
                                 {stage_.cancelled_.get(), POLLIN, 0},
                                 {child_->process.descriptor(), POLLIN, 0}}};
  const auto until = item ? item->deadline() : std::optional(since_ + longest_start);
  int timeout = -1;
  if (until) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - Clock::now()).count();
    timeout = static_cast<int>(std::clamp<std::int64_t>(left, 0, std::numeric_limits<int>::max()));
  }
  if (::poll(watched.data(), watched.size(), timeout) < 0 && errno != EINTR) refuse("poll");
  if (watched[1].revents != 0) throw Error(ErrorKind::cancelled, "cancelled");
  if (watched[0].revents != 0) return true;
  if (until && Clock::now() >= *until) be_late(item);
  return watched[2].revents == 0;
}

void Isolation::Worker::be_late(const ItemContext* item) const {
  if (!item) throw Fault("did not start within " + text_of(longest_start) + " and was killed");
  const auto& timeout = stage_.planned_.timeout;
  if (!timeout) item->check();
  throw Error(ErrorKind::resource, "the stage's process did not answer within " +
                                       text_of(timeout.value_or(Duration())) +
                                       " (timeout) and was killed");
}

/// Its end of the connection is closed.
void Isolation::Worker::tell_end() {
  const auto status = child_->process.wait_for(longest_fall);
  throw Fault((status ? ending_text(*status) : "closed its connection and was killed") +
              (is_started_ ? "" : " at its start"));
}

void Isolation::Worker::lose(const Origin& origin, const Fault& fault) {
  child_.reset();
  stage_.count_crash(origin, fault);
  throw Error(fault);
}

Isolation::Isolation(const PlannedStage& planned, const Context& work, Stops stops)
    : planned_(planned),
      setup_(setup_of(planned)),
      stops_(std::move(stops)),
      use_(SegmentPool::instance()),
      context_(work.child()),
      cancelled_(::eventfd(0, EFD_CLOEXEC)) {
  if (!cancelled_) refuse("cannot make a descriptor");
  install_shared_pixels();
  watch_.start(planned.id, [this] {
    context_.sleep_for(Clock::duration::max());
    ::eventfd_write(cancelled_.get(), 1);
  });
}

Isolation::~Isolation() { context_.cancel(); }

std::unique_ptr<StageWorker> Isolation::make_worker() { return std::make_unique<Worker>(*this); }

void Isolation::count_crash(const Origin& origin, const Error& error) {
  const std::size_t most = planned_.isolate->crashes;
  if (++crashes_ != most) return;
  stops_.give_up(planned_.id + ": " + std::to_string(most) +
                 (most == 1 ? " crash, at " : " crashes, the last at ") + origin.label() + ": " +
                 error.what());
}

}  // namespace millrace::inline v1
