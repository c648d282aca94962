// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/source_text.hpp"
#include "millrace/value.hpp"

namespace millrace::inline v1 {

/// Thrown through yaml-cpp to end the reading; the complaint is with the diagnostics.
struct ReadingEnded {};

/// Builds the tree from yaml-cpp's events. What yaml-cpp does not say (where a scalar ends, whether
/// its quote is closed) is looked up in the source.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const SourceText& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  std::optional<Value> take() { return std::move(root_); }

  /// For the explanation of what yaml-cpp refuses.
  struct Progress {
    std::vector<std::size_t> open_brackets;  ///< Offsets of `[` and `{` not yet closed.
    std::optional<std::size_t> long_quote;   ///< Offset of the last quote over several lines.
    std::vector<Position> continuations;     ///< Where plain texts went on in a line below.
    std::optional<Position> outside;         ///< What follows behind the end of all that began.
    std::vector<std::string> anchors;
    std::size_t offset = 0;  ///< Of the last event.
  };
  const Progress& progress() const { return progress_; }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { end(); }
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override;

 private:
  /// A list or map under construction.
  struct Frame {
    Value value;
    YAML::anchor_t anchor = 0;
    bool flow = false;
    bool bracket = false;             // it began with one
    std::optional<Value::Entry> key;  // of a map, once read
    bool drop = false;                // its value is read and thrown away
    std::unordered_map<std::string, Position> keys;
  };

  std::size_t at(const YAML::Mark& mark, const std::string& tag);
  void begin(Value::Kind kind, const YAML::Mark& mark, const std::string& tag,
             YAML::anchor_t anchor, YAML::EmitterStyle::value style);
  void end();
  void finish(Value value, YAML::anchor_t anchor);
  void take_key(Value key);
  void place_null(Value& null, std::size_t offset) const;
  void measure_quoted(Value& value, std::size_t offset);
  void measure_plain(Value& value, std::size_t offset);

  const SourceText& source_;
  Diagnostics& diagnostics_;
  Progress progress_;
  std::vector<Frame> frames_;
  std::map<YAML::anchor_t, Value> anchored_;
  std::size_t expanded_ = 0;  // values copied for aliases
  bool begun_ = false;
  std::optional<Value> root_;
};

}  // namespace millrace::inline v1
