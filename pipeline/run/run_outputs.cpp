// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/run_outputs.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "millrace/error.hpp"

namespace millrace::inline v1 {
namespace {

namespace fs = std::filesystem;

std::optional<std::pair<unsigned long, unsigned long>> file_id(const fs::path& file) {
  struct stat status {};
  if (file.empty() || ::stat(file.c_str(), &status) != 0) return std::nullopt;
  return std::pair{status.st_dev, status.st_ino};
}

}  // namespace

RunOutputs::RunOutputs(const std::vector<Origin>& inputs) {
  for (const auto& input : inputs)
    if (const auto id = file_id(input.file)) inputs_.emplace(*id, input.label());
}

const std::string* RunOutputs::input_at(const std::string& output) const {
  if (inputs_.empty()) return nullptr;
  const auto id = file_id(output);
  const auto found = id ? inputs_.find(*id) : inputs_.end();
  return found == inputs_.end() ? nullptr : &found->second;
}

std::optional<std::string> RunOutputs::plan(const std::string& output, const std::string& item,
                                            const void* sink) {
  const std::scoped_lock lock(mutex_);
  const auto [place, is_new] = planned_.try_emplace(key_of(output), Planned{item, sink});
  if (is_new || place->second.sink == sink) return std::nullopt;
  return place->second.item;
}

RunOutputs::Claim RunOutputs::claim(const std::string& output, const std::string& item) {
  std::string key;
  {
    const std::scoped_lock lock(mutex_);
    key = key_of(output);
    const auto [place, is_new] = written_.try_emplace(key, item);
    if (!is_new)
      throw Error(ErrorKind::input,
                  output + " was already written in this run, from " + place->second);
  }
  return {*this, std::move(key)};
}

RunOutputs::Claim::~Claim() {
  if (!outputs_) return;
  const std::scoped_lock lock(outputs_->mutex_);
  outputs_->written_.erase(key_);
}

std::string RunOutputs::key_of(const std::string& output) {
  const fs::path path(output);
  const auto [folder, is_new] = folders_.try_emplace(path.parent_path());
  if (is_new) {
    std::error_code failed;
    const auto spelling = path.has_parent_path() ? path.parent_path() : fs::path(".");
    folder->second = fs::weakly_canonical(fs::absolute(spelling, failed), failed);
    if (failed) folder->second = spelling.lexically_normal();
  }
  std::string key = folder->second + "/" + path.filename().string();
  std::ranges::transform(key, key.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return key;
}

}  // namespace millrace::inline v1
