// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "millrace/guarded.hpp"
#include "millrace/item.hpp"

namespace millrace::inline v1 {

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

  /// `inputs`: every item that the sources list.
  explicit RunOutputs(const std::vector<Origin>& inputs);

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
