// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/pool_worker.hpp"

#include <utility>

#include "concurrency/cpu_slots.hpp"

namespace millrace::inline v1 {

PoolWorker::PoolWorker(StagePool& pool, Receiver<Parcel> input, std::vector<Sender<Parcel>> outputs)
    : pool_(pool),
      run_(pool.run()),
      input_(std::move(input)),
      outputs_(std::move(outputs)),
      needs_cpu_(pool.planned().stage->load() == Load::cpu) {}

void PoolWorker::serve() noexcept {
  try {
    while (auto parcel = input_.pop(run_.work)) handle(std::move(*parcel));
  } catch (...) {  // not the stage's: that is caught where its item is known
    run_.fail(error_in_flight().in(pool_.planned().id));
  }
  slot_.reset();
  worker_.reset();
  outputs_.clear();
  pool_.add(done_, failed_, busy_);
}

void PoolWorker::handle(Parcel parcel) {
  Token token = std::move(parcel.token);
  if (token.context().done()) return;  // a token that is dropped counts as cancelled
  if (!take_slot(token.context()) || !ready()) return slot_.reset();
  ItemContext context(token.context(), token.origin());
  const auto error = work(context, token, std::move(parcel.payload));
  slot_.reset();
  for (const auto& warning : context.warnings())
    write(Journal::Chapter::warnings, context, token, {ErrorKind::input, warning});
  if (error)
    fail(context, std::move(token), *error);
  else
    conclude(context, std::move(token));
}

bool PoolWorker::take_slot(const Context& context) {
  if (!needs_cpu_) return true;
  slot_ = cpu_slots().acquire(context, pool_.rank());
  return slot_.has_value();
}

bool PoolWorker::ready() {
  if (worker_) return true;
  try {
    worker_ = pool_.planned().stage->make_worker(run_.work);
    return true;
  } catch (...) {
    const Error error = error_in_flight();
    if (!run_.work.done()) run_.fail(error.in(pool_.planned().id));
    return false;
  }
}

std::optional<Error> PoolWorker::work(ItemContext& context, const Token& token, Payload payload) {
  emitted_ = 0;
  waited_ = {};
  std::optional<Error> error;
  const auto since = Clock::now();
  try {
    worker_->work(context, std::move(payload),
                  [this, &token](Payload made, std::optional<std::uint32_t> page) {
                    emit(token, std::move(made), page);
                  });
  } catch (...) {
    error = error_in_flight();
  }
  busy_ += Clock::now() - since - waited_;
  return error;
}

void PoolWorker::emit(const Token& token, Payload payload, std::optional<std::uint32_t> page) {
  if (outputs_.empty()) throw Error(ErrorKind::internal, "emits, but nothing reads from it");
  ++emitted_;
  std::vector<std::pair<std::size_t, Parcel>> full;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const bool last = i + 1 == outputs_.size();
    Parcel parcel(token.fork(page), last ? std::move(payload) : payload);
    const auto status = outputs_[i].try_push(std::move(parcel));
    if (status != ChannelStatus::ok) full.emplace_back(i, std::move(parcel));
  }
  if (!full.empty()) wait_for_room(token.context(), std::move(full));
}

void PoolWorker::wait_for_room(const Context& context,
                               std::vector<std::pair<std::size_t, Parcel>> parcels) {
  const auto since = Clock::now();
  slot_.reset();  // whoever waits does not keep a CPU from those who would make the room
  for (auto& [output, parcel] : parcels) {
    const auto status = outputs_[output].push(context, std::move(parcel));
    if (status == ChannelStatus::ok) continue;
    context.check();
    throw Error(ErrorKind::internal, "what reads from it has ended");
  }
  const bool back = take_slot(context);
  waited_ += Clock::now() - since;
  if (!back) context.check();
}

void PoolWorker::conclude(const ItemContext& context, Token token) {
  ++done_;
  if (context.skipped()) {
    write(Journal::Chapter::skips, context, token, {ErrorKind::input, *context.skipped()});
    token.note(Outcome::skipped);
  } else if (emitted_ == 0) {
    token.note(Outcome::done);
  }
  token.release();
}

void PoolWorker::fail(const ItemContext& context, Token token, const Error& error) {
  if (error.kind() == ErrorKind::cancelled && context.cause() == Cause::cancelled) return;
  ++failed_;
  write(Journal::Chapter::failures, context, token, error);
  if (run_.policy.stops_at(pool_.index(), token.note(Outcome::failed))) {
    run_.stopped_by_on_error = true;
    run_.stop();  // before the item's place in the window lets another one in
  }
  token.release();
}

void PoolWorker::write(Journal::Chapter chapter, const ItemContext& context, const Token& token,
                       const Error& error) {
  run_.journal.write(chapter, context.origin(), token.source(), pool_.index(), error);
}

}  // namespace millrace::inline v1
