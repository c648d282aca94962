// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/progress.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace millrace::inline v1 {
namespace {

std::string seconds_of(Context::Clock::duration time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

/// "1 works on scan_3.tif (75 s), 1 waits for a CPU; queue 8 of 8"
std::string line_of(const StageState& stage) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const auto count = [&](std::size_t workers, const char* one, const char* many) {
    if (workers > 0) add(std::to_string(workers) + (workers == 1 ? one : many));
  };
  for (const auto& work : stage.working)
    add("works on " + work.item + " (" + seconds_of(work.time) +
        (work.share ? ", " + std::to_string(std::lround(*work.share * 100)) + "%" : "") + ")");
  count(stage.waiting_output, " waits for room behind it", " wait for room behind it");
  count(stage.waiting_cpu, " waits for a CPU", " wait for a CPU");
  count(stage.pausing, " pauses", " pause");
  if (text.empty() && stage.workers > 0) add("waits for input");
  if (stage.queue_depth > 0 && stage.workers > 0)
    text += "; " + std::to_string(stage.queue_depth) + " in the queue";
  return stage.id + ": " + text;
}

}  // namespace

std::string describe(const std::vector<StageState>& stages) {
  std::string text;
  for (const auto& stage : stages)
    if (stage.workers > 0 || !stage.working.empty()) text += line_of(stage) + "\n";
  return text;
}

std::vector<StageState> Progress::stages() const {
  const std::lock_guard lock(mutex_);
  return look_ ? look_() : std::vector<StageState>();
}

void Progress::attach(std::function<std::vector<StageState>()> look) {
  const std::lock_guard lock(mutex_);
  look_ = std::move(look);
}

std::optional<std::string> StallWatch::look(const std::vector<StageState>& stages,
                                            Context::Clock::time_point now) {
  std::vector<std::size_t> counts;
  bool pausing = false;  // as the file asks for
  for (const auto& stage : stages) {
    pausing = pausing || stage.pausing > 0;
    counts.push_back(stage.done + stage.failed);
    counts.push_back(stage.queue_depth);
  }
  if (counts != counts_ || stages.empty() || pausing) {
    counts_ = std::move(counts);
    since_ = moved_ = now;
    return std::nullopt;
  }
  if (now - since_ < limit_) return std::nullopt;
  since_ = now;
  return "nothing has moved for " + seconds_of(now - moved_) + ":\n" + describe(stages);
}

}  // namespace millrace::inline v1
