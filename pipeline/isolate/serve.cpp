// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "isolate/serve.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <memory>
#include <new>
#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "concurrency/cpu_slots.hpp"
#include "isolate/memory_limit.hpp"
#include "isolate/payload.hpp"
#include "isolate/setup.hpp"
#include "isolate/shared_pixels.hpp"
#include "run/journal.hpp"

namespace millrace::inline v1 {
namespace {

/// Before anything else: what ends this process, and what does not.
void settle(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) std::_Exit(0);  // it has ended before that
  for (const int signal : worker_ignores) std::signal(signal, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::fcntl(worker_socket, F_SETFD, FD_CLOEXEC);
  std::ofstream("/proc/self/oom_score_adj") << 1000;  // rather this process than the run
}

/// A worker is one thread. The run holds the CPU slot that it works on.
std::vector<Slots::Slot> take_all_slots() {
  cv::setNumThreads(0);
  std::vector<Slots::Slot> slots;
  while (auto slot = cpu_slots().try_acquire()) slots.push_back(std::move(*slot));
  return slots;
}

/// Of what is being handled.
bool is_lack_of_memory() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const cv::Exception& error) {
    return error.code == cv::Error::StsNoMem;
  } catch (...) {
    return false;
  }
}

class Server {
 public:
  explicit Server(Descriptor socket) : link_(std::move(socket), Segment::Access::read) {}

  int run() {
    Message message;
    if (!next(Said::setup, message)) return 0;
    setup_ = get_setup(message.fields);
    try {
      if (setup_.memory) limit_memory(*setup_.memory);
      make_worker();
    } catch (...) {
      Writer fields;
      put_error(fields, error_in_flight());
      link_.send(Said::refused, std::move(fields));
      return 0;
    }
    link_.send(Said::ready);
    while (next(Said::work, message)) work(message.fields);
    return 0;
  }

 private:
  void make_worker() {
    stage_ = make_stage(setup_);
    Demand demand = setup_.demand;
    if (setup_.is_sized) demand.target_size = [this](cv::Size full) { return ask(full); };
    if (stage_->gives())
      for (const auto& complaint : stage_->accept(demand))
        throw Error(ErrorKind::config, complaint);
    worker_ = stage_->make_worker(root_);
  }

  void work(Reader& fields) {
    ItemContext context(root_, get_origin(fields));
    Payload payload = get_payload(fields, link_, nullptr);
    // One more share, so that nobody takes the input for his own.
    const auto* image = std::get_if<Image>(&payload);
    const cv::Mat input = image ? image->pixels : cv::Mat();
    std::optional<Error> error;
    try {
      worker_->work(context, std::move(payload),
                    [this](Payload made, auto page) { emit(std::move(made), page); });
    } catch (...) {
      error = error_in_flight();
      if (setup_.memory && is_lack_of_memory())
        error.emplace(ErrorKind::resource,
                      "used more than " + OptionType<ByteSize>::print({*setup_.memory}));
    }
    payload = Bytes();
    if (input.u && std::atomic_ref(input.u->refcount).load() > 1) link_.keep(*segment_of(input));
    tell_end(context, error);
  }

  void tell_end(const ItemContext& context, const std::optional<Error>& error) {
    Writer fields;
    fields.put<std::uint64_t>(context.warnings().size());
    for (const auto& warning : context.warnings()) fields.put(warning);
    fields.put(context.skipped().has_value());
    if (context.skipped()) fields.put(*context.skipped());
    if (error) put_error(fields, *error);
    link_.send(error ? Said::failed : Said::done, std::move(fields));
  }

  void emit(Payload payload, std::optional<std::uint32_t> page) {
    Writer fields;
    fields.put(page.has_value());
    fields.put(page.value_or(0));
    payload = put_payload(fields, link_, std::move(payload));
    if (const auto* image = std::get_if<Image>(&payload)) {
      const Loan segment = segment_of(image->pixels);
      if (!link_.number_there(*segment)) link_.lend(segment, image->pixels);
    }
    payload = Bytes();  // the run has it now; its turn may take long
    link_.send(Said::emit, std::move(fields));
    expect(Said::taken);
  }

  cv::Size ask(cv::Size full) {
    Writer question;
    question.put(full.width);
    question.put(full.height);
    link_.send(Said::ask, std::move(question));
    Message answer = expect(Said::size);
    const int width = answer.fields.get<int>();
    return {width, answer.fields.get<int>()};
  }

  /// False when the run has ended the connection.
  bool next(Said said, Message& message) {
    if (link_.receive(message, true) == Link::Arrival::end) return false;
    if (message.said != said) Reader::refuse();
    return true;
  }

  /// An answer, in the midst of an item.
  Message expect(Said said) {
    Message message;
    if (!next(said, message)) std::_Exit(0);  // nothing can be tidied up from here
    return message;
  }

  Link link_;
  Setup setup_;
  const Context root_;
  std::unique_ptr<Stage> stage_;
  std::unique_ptr<StageWorker> worker_;
};

}  // namespace

int serve(pid_t parent) noexcept {
  try {
    settle(parent);
    const auto slots = take_all_slots();
    install_shared_pixels();
    const SharePixels sharing(true);
    const SegmentPool::Use use(SegmentPool::instance());
    return Server(Descriptor(worker_socket)).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "millrace_worker: %s\n", error.what());
    return 1;
  }
}

}  // namespace millrace::inline v1
