// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/run_state.hpp"

namespace millrace::inline v1 {

void RunState::fail(const Error& error) {
  {
    const std::lock_guard lock(mutex_);
    if (!message_) {
      kind_ = error.kind();
      message_ = error.what();
    }
  }
  stop();
}

void RunState::rethrow() {
  const std::lock_guard lock(mutex_);
  if (message_) throw Error(kind_, *message_);
}

void RunState::give_up(const std::string& reason) {
  {
    const std::lock_guard lock(mutex_);
    if (gave_up_.empty()) gave_up_ = reason;
  }
  stop();
}

void RunState::fill(Report& report) {
  tally.fill(report);
  journal.fill(report);
  report.stopped_by_on_error = stopped_by_on_error;
  const std::lock_guard lock(mutex_);
  report.gave_up = gave_up_;
}

void RunState::isolate(const PlannedStage& stage) {
  isolations_.try_emplace(&stage, stage, work,
                          Isolation::Stops{[this, &stage](const Error& error) {
                                             if (!work.done()) fail(error.in(stage.id));
                                           },
                                           [this](const std::string& reason) { give_up(reason); }});
}

std::unique_ptr<StageWorker> RunState::make_worker(const PlannedStage& stage) {
  const auto isolated = isolations_.find(&stage);
  return isolated == isolations_.end() ? stage.stage->make_worker(work)
                                       : isolated->second.make_worker();
}

}  // namespace millrace::inline v1
