// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "millrace/stage.hpp"

namespace millrace::inline v1 {

/// What stands in a plan where inputs that failed are taken again. It does nothing: the runner has
/// their own source open them, so that they are what the source gives.
class FailedInputs final : public Stage {
 public:
  explicit FailedInputs(PayloadKind kind) : kind_(kind) {}

  Load load() const override { return Load::io; }
  std::vector<PayloadKind> takes() const override { return {kind_}; }  // it is no source
  std::optional<PayloadKind> gives() const override { return kind_; }
  Demand demand(const Demand& downstream) const override { return downstream; }
  std::unique_ptr<StageWorker> make_worker(const Context&) const override {
    throw Error(ErrorKind::internal, "inputs that failed are opened by their source");
  }

 private:
  PayloadKind kind_;
};

}  // namespace millrace::inline v1
