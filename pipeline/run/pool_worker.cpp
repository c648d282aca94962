// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/pool_worker.hpp"

#include <algorithm>
#include <utility>

#include "isolate/shared_pixels.hpp"
#include "millrace/backoff.hpp"
#include "millrace/select.hpp"

namespace millrace::inline v1 {

/// An item while a worker works on it, once or several times.
struct PoolWorker::Task {
  Task(Token right, WorkerState& worker)
      : token(std::move(right)),
        origin(token.origin()),
        state(worker),
        context(token.context(), origin) {
    watch();
  }

  void renew(const std::optional<Duration>& timeout) {
    if (!timeout) return;
    context = ItemContext(token.context().child(*timeout), origin);
    watch();
  }

  void watch() {
    context.watch([this](double share) { state.progress(share); });
  }

  Token token;
  const Origin origin;
  WorkerState& state;
  ItemContext context;  // of the present attempt
  std::size_t emitted = 0;
};

namespace {

bool feeds_another_process(const Plan& plan, const PlannedStage& planned) {
  return std::ranges::any_of(
      planned.outputs, [&](std::size_t output) { return plan.stages[output].isolate.has_value(); });
}

}  // namespace

PoolWorker::PoolWorker(StagePool& pool, WorkerState& state, std::shared_ptr<CpuShare> cpu,
                       std::vector<Outlet> outlets, std::vector<Outlet> failures)
    : pool_(pool),
      run_(pool.run()),
      planned_(pool.planned()),
      state_(state),
      cpu_(std::move(cpu)),
      needs_cpu_(planned_.stage->load() == Load::cpu),
      shares_pixels_(feeds_another_process(pool.run().plan, planned_)),
      outlets_(std::move(outlets)),
      failures_(std::move(failures)) {}

PoolWorker::~PoolWorker() { state_.become(Activity::elsewhere); }

void PoolWorker::handle(Parcel parcel) noexcept {
  try {
    process(std::move(parcel));
  } catch (...) {  // not the stage's: that is caught where its item is known
    run_.fail(error_in_flight().in(planned_.id));
  }
}

void PoolWorker::process(Parcel parcel) {
  if (parcel.token.context().done()) return;  // a token that is dropped counts as cancelled
  Task task(std::move(parcel.token), state_);
  state_.begin(task.origin.label());
  const auto before = state_.worked();
  const auto error = try_all(task, std::move(parcel.payload));
  task.token.spend(pool_.index(), state_.worked() - before);
  warn(task);
  if (error)
    fail(task, *error);
  else
    conclude(task);
}

/// Of a stage that warns of every row of every picture, the first ones tell enough.
void PoolWorker::warn(const Task& task) {
  constexpr std::size_t most = 20;
  const auto& warnings = task.context.warnings();
  for (std::size_t i = 0; i < std::min(most, warnings.size()); ++i)
    write(Journal::Chapter::warnings, task, {ErrorKind::input, warnings[i]});
  if (warnings.size() > most)
    write(Journal::Chapter::warnings, task,
          {ErrorKind::input, "and " + std::to_string(warnings.size() - most) + " more warnings"});
}

std::optional<Error> PoolWorker::try_all(Task& task, Payload payload) {
  const Context& context = task.token.context();
  std::optional<Backoff> backoff;  // made when it is needed: it costs more than an item may
  const Error ended(ErrorKind::cancelled, "cancelled");
  const auto& [attempts, first_wait, longest_wait] = settings(task.token).retry;
  std::optional<Error> first;
  for (std::size_t attempt = 1;; ++attempt) {
    if (!begin(task)) return ended;
    task.renew(settings(task.token).timeout);
    const bool is_last = attempt >= attempts;
    auto error = try_once(task, is_last ? std::move(payload) : Payload(payload));
    if (!error && first)
      task.context.warn("worked at attempt " + std::to_string(attempt) +
                        "; before: " + first->what());
    if (!error) return error;
    // What was handed on cannot be taken back, and must not be made twice.
    const bool is_passing = error->kind() == ErrorKind::transient && task.emitted == 0;
    if (is_last || !is_passing) {
      if (attempt > 1)
        error.emplace(error->kind(),
                      std::string(error->what()) + " (attempt " + std::to_string(attempt) + ")");
      return error;
    }
    if (!first) first = error;
    if (!backoff) backoff.emplace(first_wait, longest_wait);
    if (!pause(context, backoff->next())) return ended;
    pool_.count_retry();
  }
}

std::optional<Error> PoolWorker::try_once(Task& task, Payload payload) {
  const Interlude working(state_, Activity::working);
  StageWorker* const worker = stage_worker(task.token.source());
  if (!worker) return Error(ErrorKind::cancelled, "cancelled");
  const SharePixels sharing(shares_pixels_);
  try {
    worker->work(task.context, std::move(payload),
                 [this, &task](Payload made, std::optional<std::uint32_t> page) {
                   emit(task, std::move(made), page);
                 });
    return std::nullopt;
  } catch (...) {
    const Error error = error_in_flight();
    // A cancel of the run may find a deadline passed that was to be extended.
    const auto& timeout = settings(task.token).timeout;
    const bool is_late = error.kind() == ErrorKind::cancelled && timeout &&
                         task.context.cause() == Cause::deadline && !is_over(task.token.context());
    if (!is_late) return error;
    return Error(ErrorKind::resource,
                 "took longer than its timeout of " + OptionType<Duration>::print(*timeout));
  }
}

/// A cancel reaches the contexts below the run's one after the other: a pool downstream may have
/// ended, and closed its queue, before an item's own context tells why.
bool PoolWorker::is_over(const Context& context) const {
  return context.done() || run_.work.done();
}

bool PoolWorker::begin(const Task& task) {
  const Context& context = task.token.context();
  if (auto* limiter = run_.limiter_of(settings(task.token))) {
    const Interlude pausing(state_, Activity::pausing);
    cpu_->let_go();
    if (!limiter->wait(context)) return false;
  }
  return take_cpu(context);
}

bool PoolWorker::take_cpu(const Context& context) {
  if (!needs_cpu_ || cpu_->is_held()) return true;
  const Interlude waiting(state_, Activity::waiting_cpu);
  return cpu_->hold(context, pool_.rank());
}

bool PoolWorker::pause(const Context& context, Clock::duration time) {
  const Interlude pausing(state_, Activity::pausing);
  cpu_->let_go();
  return context.sleep_for(time);
}

/// Where inputs are opened again, what the file says of their source holds.
const PlannedStage& PoolWorker::settings(const Token& token) const {
  return planned_.takes_failures ? run_.plan.stages[token.source()] : planned_;
}

/// Null, with the run told, when it cannot be made.
StageWorker* PoolWorker::stage_worker(std::size_t source) {
  auto& worker = stage_workers_[planned_.takes_failures ? source : 0];
  if (worker) return worker.get();
  try {
    worker = run_.make_worker(planned_.takes_failures ? run_.plan.stages[source] : planned_);
  } catch (...) {
    const Error error = error_in_flight();
    if (!run_.work.done()) run_.fail(error.in(planned_.id));
  }
  return worker.get();
}

void PoolWorker::emit(Task& task, Payload payload, std::optional<std::uint32_t> page) {
  if (outlets_.empty()) throw Error(ErrorKind::internal, "emits, but nothing reads from it");
  ++task.emitted;
  Full full;
  for (std::size_t i = 0; i < outlets_.size(); ++i) {
    const Outlet& outlet = outlets_[i];
    const bool is_last = i + 1 == outlets_.size();
    Parcel parcel(task.token.fork(page, outlet.sinks()), is_last ? std::move(payload) : payload);
    if (outlet.fused())
      hand_on(task, *outlet.fused(), std::move(parcel));
    else if (!outlet.try_put(parcel))
      full.emplace_back(&outlet, std::move(parcel));
  }
  if (!full.empty()) {
    const auto since = Clock::now();
    wait_for_room(task.token.context(), std::move(full));
    task.context.extend(Clock::now() - since);
  }
}

/// A fused stage is alone behind this one. Its time is not this stage's.
void PoolWorker::hand_on(Task& task, PoolWorker& fused, Parcel parcel) {
  const auto since = Clock::now();
  {
    const Interlude elsewhere(state_, Activity::elsewhere);
    fused.handle(std::move(parcel));
  }
  task.context.extend(Clock::now() - since);
  if (!take_cpu(task.token.context())) task.token.context().check();
}

/// Whichever consumer has room first gets its parcel first: one that is slow does not keep the
/// others from theirs.
void PoolWorker::wait_for_room(const Context& context, Full parcels) {
  {
    const Interlude waiting(state_, Activity::waiting_output);
    cpu_->let_go();  // whoever waits does not keep a CPU from those who would make the room
    while (!parcels.empty()) {
      Select select;
      for (auto& [outlet, parcel] : parcels) select.send(outlet->queue(), parcel);
      const auto [status, index] = select.wait(context);
      if (status != ChannelStatus::ok && is_over(context))
        throw Error(ErrorKind::cancelled, "cancelled");
      if (status == ChannelStatus::closed)
        throw Error(ErrorKind::internal, "what reads from it has ended");
      parcels.erase(std::next(parcels.begin(), static_cast<std::ptrdiff_t>(index)));
    }
  }
  if (!take_cpu(context)) context.check();
}

void PoolWorker::conclude(Task& task) {
  pool_.count_done();
  if (const auto& reason = task.context.skipped()) {
    write(Journal::Chapter::skips, task, {ErrorKind::input, *reason});
    task.token.note(Ending::skipped);
  } else if (task.emitted == 0) {
    task.token.note(Ending::done);
  }
  task.token.release();
}

void PoolWorker::fail(Task& task, const Error& error) {
  if (error.kind() == ErrorKind::cancelled && is_over(task.token.context())) return;
  pool_.count_failed();
  write(Journal::Chapter::failures, task, error);
  if (run_.policy.stops_at(pool_.index(), task.token.note(Ending::failed))) {
    run_.stopped_by_on_error = true;
    run_.stop();  // before the item's place in the window lets another one in
  } else {
    set_aside(task.token);
  }
  task.token.release();
}

/// Gives the whole input to those who take what failed, once. What its source could not open would
/// fail again.
void PoolWorker::set_aside(Token& token) {
  if (planned_.inputs.empty()) return;
  Full full;
  for (std::size_t i = 0; i < failures_.size(); ++i) {
    if (!token.set_aside(planned_.failures[i])) continue;
    Parcel parcel(token.fork_whole(failures_[i].sinks()), Payload());
    if (!failures_[i].try_put(parcel)) full.emplace_back(&failures_[i], std::move(parcel));
  }
  if (full.empty()) return;
  try {
    wait_for_room(token.context(), std::move(full));
  } catch (const Error&) {
    if (!is_over(token.context())) throw;  // otherwise they are dropped, and count as cancelled
  }
}

void PoolWorker::write(Journal::Chapter chapter, const Task& task, const Error& error) {
  run_.journal.write(chapter, task.origin, task.token.source(), pool_.index(), error);
}

}  // namespace millrace::inline v1
