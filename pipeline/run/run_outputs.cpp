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

void NameEnds::add(const std::string& name) {
  ++count;
  if (first.size() < first_kept) return first.push_back(name);
  last.push_back(name);
  if (last.size() > last_kept) last.pop_front();
}

void RunOutputs::add_input(const Origin& input) {
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
  const auto key = key_of(output);
  return known_.with([&](Known& known) -> std::optional<std::string> {
    const auto [place, is_new] = known.planned.try_emplace(key, Planned{item, sink});
    if (is_new || place->second.sink == sink) return std::nullopt;
    return place->second.item;
  });
}

RunOutputs::Claim RunOutputs::claim(const std::string& output, const std::string& item) {
  auto key = key_of(output);
  known_.with([&](Known& known) {
    const auto [place, is_new] = known.written.try_emplace(key, item);
    if (!is_new)
      throw Error(ErrorKind::input,
                  output + " was already written in this run, from " + place->second);
  });
  return {*this, std::move(key)};
}

RunOutputs::Claim::~Claim() {
  if (outputs_) outputs_->known_.with([this](Known& known) { known.written.erase(key_); });
}

/// The disk is asked without the lock; whoever is first says for all what the spelling means.
std::string RunOutputs::folder_of(const std::string& spelling) {
  auto known = known_.read([&](const Known& all) {
    const auto at = all.folders.find(spelling);
    return at == all.folders.end() ? std::nullopt : std::optional(at->second);
  });
  if (known) return *std::move(known);
  const fs::path folder(spelling.empty() ? "." : spelling);
  std::error_code failed;
  auto real = fs::weakly_canonical(fs::absolute(folder, failed), failed);
  if (failed) real = folder.lexically_normal();
  return known_.with(
      [&](Known& all) { return all.folders.try_emplace(spelling, real.string()).first->second; });
}

std::string RunOutputs::key_of(const std::string& output) {
  const fs::path path(output);
  std::string key = folder_of(path.parent_path().string()) + "/" + path.filename().string();
  std::ranges::transform(key, key.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return key;
}

}  // namespace millrace::inline v1
