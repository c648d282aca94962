// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "millrace/guarded.hpp"
#include "millrace/item.hpp"

namespace millrace::inline v1 {

/// How many names there are, and the first and the last few of them.
struct NameEnds {
  static constexpr std::size_t first_kept = 3, last_kept = 2;

  void add(const std::string& name);

  std::size_t count = 0;
  std::vector<std::string> first;
  std::deque<std::string> last;  ///< Of those that are not among `first`.
};

/// What a sink will write, as far as that is known before the run.
struct OutputForecast {
  std::vector<std::string> complaints;  ///< Each stops the run.
  NameEnds files;      ///< One for each item; what its content decides stands as the field itself.
  std::string varies;  ///< What the content decides: "{ext}", "{page}"; empty: nothing.
  std::size_t existing = 0;  ///< Of the files, those that are there already.
  std::size_t replaced = 0;  ///< Of the existing; those neither replaced nor skipped stay beside a
  std::size_t skipped = 0;   ///< new one with another name.
};

/// The files that one run reads and writes, shared by its sinks: no output may be an input, and no
/// two outputs one file, whichever sinks they come from. Two spellings of a path are one, and so
/// are paths whose names differ only in the case of ASCII letters: on many disks they are one file.
/// [any thread, at once]
class RunOutputs {
 public:
  /// Gives the output back, unless the item keeps it.
  class Claim {
   public:
    Claim(RunOutputs& outputs, std::string key) noexcept
        : outputs_(&outputs), key_(std::move(key)) {}
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;
    ~Claim();
    void keep() noexcept { outputs_ = nullptr; }

   private:
    RunOutputs* outputs_;
    std::string key_;
  };

  /// To be told of every item that the sources list, before anything is asked. [one thread]
  void add_input(const Origin& input);

  /// The label of the input that the file is, by device and inode; null where it is none.
  const std::string* input_at(const std::string& output) const;

  /// Notes that `sink` will write the output. Returns the label of another sink's item for which
  /// it was noted before.
  std::optional<std::string> plan(const std::string& output, const std::string& item,
                                  const void* sink);

  /// Throws Error (input) where another item, or this one before, has written the output.
  [[nodiscard]] Claim claim(const std::string& output, const std::string& item);

 private:
  struct Planned {
    std::string item;
    const void* sink;
  };
  struct Known {
    std::map<std::string, std::string> folders;  // without links and detours, by spelling
    std::map<std::string, Planned> planned;      // by key
    std::map<std::string, std::string> written;  // the item, by key
  };
  std::string folder_of(const std::string& spelling);
  std::string key_of(const std::string& output);

  std::map<std::pair<unsigned long, unsigned long>, std::string> inputs_;  // by device and inode
  Guarded<Known> known_;
};

}  // namespace millrace::inline v1
