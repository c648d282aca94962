// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>
#include <vector>

namespace millrace::cli {

/// A pipeline that needs no file: those of configs/, as they were when this was built.
struct ReadyPipeline {
  std::string name;     ///< "thumbnails"
  std::string content;  ///< With its comments.
  /// Of one that a verb has made: a run's message with the verb's flags in place of options.
  std::function<std::string(std::string)> in_flags = {};

  std::string summary() const;  ///< Its first line of comment, without a full stop.
};

/// By name.
const std::vector<ReadyPipeline>& ready_pipelines();
/// What cmake/EmbedConfigs.cmake made of configs/.
std::vector<ReadyPipeline> shipped_pipelines();

/// From now on ready_pipeline() finds this one too: what a verb has made itself. [one thread]
void make_ready(ReadyPipeline pipeline);

/// What a run of this pipeline says, in the words of the verb that has made it; unchanged where
/// none has. [any thread]
std::string worded(const std::string& pipeline, std::string message);

/// Where a pipeline is asked for: a name without a slash or an ending that is no file. Null: it
/// means a file. Throws Error (usage), with the nearest name, where it is neither.
const ReadyPipeline* ready_pipeline(const std::string& name);

}  // namespace millrace::cli
