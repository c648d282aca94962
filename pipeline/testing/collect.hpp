// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "millrace/guarded.hpp"
#include "millrace/stage.hpp"
#include "testing/sandbox.hpp"
#include "testing/test_case.hpp"

namespace millrace::inline v1 {

/// What has come out of a part of a pipeline.
struct Output {
  std::size_t sink = 0;  ///< In the order of the file.
  std::string stage;     ///< The id of the sink, or of the last stage.
  Origin origin;
  Payload payload;
};

/// All of it, and the place where sinks write instead. [any thread, at once]
class Outputs {
 public:
  void add(Output output);
  /// In the order of sinks, inputs and pages.
  std::vector<Output> take();

  const Sandbox sandbox;

 private:
  Guarded<std::vector<Output>> all_;
};

/// A test's inputs by source, listed as `files` lists them.
using Inputs = std::map<std::string, std::vector<Origin>>;

/// Throws Error (input) for one that is not there or matches nothing. `folder`: where they are
/// relative to.
Inputs list_inputs(const TestCase& test, const std::filesystem::path& folder);

/// A source of these files.
std::unique_ptr<Stage> make_given_inputs(std::vector<Origin> inputs);

struct Collecting {
  std::unique_ptr<Stage> sink;  ///< The sink in whose place it stands; none: it takes all kinds.
  bool writes = false;          ///< That does its work as well.
  std::size_t place = 0;
  std::string id;
  std::shared_ptr<Outputs> outputs;  ///< None: what comes is dropped.
};
std::unique_ptr<Stage> make_collector(Collecting collecting);

}  // namespace millrace::inline v1
