// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/stage.hpp"

namespace millrace::inline v1 {

std::unique_ptr<StageWorker> Source::make_worker(const Context&) const {
  struct Worker final : StageWorker {
    explicit Worker(const Source& source) : source_(source) {}
    void work(ItemContext& context, Payload, const Emit& emit) override {
      Payload payload = source_.open(context);
      if (!context.skipped()) emit(std::move(payload), std::nullopt);
    }
    const Source& source_;
  };
  return std::make_unique<Worker>(*this);
}

}  // namespace millrace::inline v1
