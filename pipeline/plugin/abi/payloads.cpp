// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/abi/payloads.hpp"

#include <utility>

namespace millrace::abi {
namespace {

template <class Handle>
std::uintptr_t number_of(const Handle* handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}
mr_payload* handle_of(std::uintptr_t number) { return reinterpret_cast<mr_payload*>(number); }

}  // namespace

// Never destroyed: a plugin's own thread may outlive main().
Payloads& Payloads::instance() {
  static auto& payloads = *new Payloads;
  return payloads;
}

mr_payload* Payloads::add(std::shared_ptr<Content> content, const void* owner,
                          const mr_item* call) {
  const std::lock_guard lock(mutex_);
  handles_.emplace(++last_, Handle{std::move(content), owner});
  if (const auto at = calls_.find(number_of(call)); at != calls_.end())
    at->second.handles.push_back(last_);
  return handle_of(last_);
}

const Payloads::Handle& Payloads::at(const mr_payload* handle) const {
  const auto found = handles_.find(number_of(handle));
  if (found == handles_.end())
    throw Misuse{handle ? "uses a payload handle that has ended: it was released, handed on, or "
                          "belonged to a call that has returned"
                        : "uses a payload handle that is null"};
  return found->second;
}

std::shared_ptr<Content> Payloads::find(const mr_payload* handle) const {
  const std::lock_guard lock(mutex_);
  return at(handle).content;
}

mr_payload* Payloads::retain(const mr_payload* handle) {
  const std::lock_guard lock(mutex_);
  const Handle& from = at(handle);
  Handle another{from.content, from.owner};
  handles_.emplace(++last_, std::move(another));
  return handle_of(last_);
}

std::shared_ptr<Content> Payloads::take(const mr_payload* handle) {
  const std::lock_guard lock(mutex_);
  auto content = at(handle).content;
  handles_.erase(number_of(handle));
  return content;
}

mr_item* Payloads::begin(const Call& call) {
  const std::lock_guard lock(mutex_);
  calls_.emplace(++last_, Live{&call, {}});
  return reinterpret_cast<mr_item*>(last_);
}

void Payloads::end(const mr_item* call) noexcept {
  std::vector<Handle> ended;  // destroyed without the lock: a picture takes its time
  const std::lock_guard lock(mutex_);
  const auto made = calls_.extract(number_of(call));
  if (!made) return;
  for (const auto number : made.mapped().handles)
    if (auto handle = handles_.extract(number)) ended.push_back(std::move(handle.mapped()));
}

const Call* Payloads::find(const mr_item* call) const {
  const std::lock_guard lock(mutex_);
  const auto at = calls_.find(number_of(call));
  return at != calls_.end() ? at->second.call : nullptr;
}

std::size_t Payloads::end_all(const void* owner) noexcept {
  const std::lock_guard lock(mutex_);
  const auto ended =
      std::erase_if(handles_, [&](const auto& entry) { return entry.second.owner == owner; });
  abandoned_ += ended;
  return ended;
}

std::size_t Payloads::abandoned() const {
  const std::lock_guard lock(mutex_);
  return abandoned_;
}

std::size_t Payloads::count() const {
  const std::lock_guard lock(mutex_);
  return handles_.size();
}

}  // namespace millrace::abi
