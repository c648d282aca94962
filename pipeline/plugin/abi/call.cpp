// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/abi/call.hpp"

#include <algorithm>
#include <array>

#include "config/diagnostics.hpp"
#include "run/journal.hpp"

namespace millrace::abi {
namespace {

thread_local Frame* innermost = nullptr;

constexpr std::size_t alignment = 64;  // a cache line, and the widest vector

constexpr std::array<const char*, 7> result_names{
    "MR_OK",     "MR_SKIP",      "MR_RETRYABLE", "MR_INVALID_INPUT",
    "MR_CONFIG", "MR_CANCELLED", "MR_FATAL"};

ErrorKind kind_of(mr_result result) {
  switch (result) {
    case MR_RETRYABLE:
      return ErrorKind::transient;
    case MR_INVALID_INPUT:
      return ErrorKind::input;
    case MR_CONFIG:
      return ErrorKind::config;
    case MR_CANCELLED:
      return ErrorKind::cancelled;
    default:
      return ErrorKind::plugin;
  }
}

}  // namespace

void* Scratch::take(std::size_t size) noexcept try {
  if (used_ == blocks_.size()) blocks_.push_back({nullptr, 0});
  Block& block = blocks_[used_];
  if (!block.memory || block.size < size) {
    if (size > PTRDIFF_MAX - alignment) return nullptr;
    block.memory.reset();
    block.size = std::max<std::size_t>((size + alignment - 1) / alignment, 1) * alignment;
    block.memory.reset(std::aligned_alloc(alignment, block.size));
  }
  if (block.memory) ++used_;
  return block.memory.get();
} catch (const std::bad_alloc&) {
  return nullptr;
}

Call::Call(const StageDescription& stage, const void* owner, ItemContext& context, const Emit& emit,
           Scratch& scratch)
    : stage_(stage),
      owner_(owner),
      context_(context),
      emit_(emit),
      scratch_(scratch),
      item_(Payloads::instance().begin(*this)) {
  scratch_.rewind();
}

Call& Call::on_worker(mr_item* item) {
  const Frame* const frame = Frame::current();
  Call* const call = frame ? frame->call() : nullptr;
  if (call && call->item_ == item && !frame->is_part()) return *call;
  const std::string misuse =
      !item ? "uses an item that is null"
            : "calls a function of the host on another thread than its item's, or after its call";
  if (const Call* const live = Payloads::instance().find(item)) live->blame(misuse);
  throw Misuse{misuse};
}

const Call& Call::anywhere(const mr_item* item) {
  const Frame* const frame = Frame::current();
  const Call* call = frame ? frame->call() : nullptr;
  if (!call || call->item_ != item) call = Payloads::instance().find(item);
  if (call) return *call;
  throw Misuse{"uses an item outside of the call that it was given to"};
}

mr_payload* Call::add(Payload payload, bool own) {
  return Payloads::instance().add(std::make_shared<Content>(std::move(payload), own), owner_,
                                  item_);
}

void Call::emit(Payload payload, std::uint32_t page) {
  const std::string kind = name_of(kind_of(payload));
  if (!stage_.gives) throw Misuse{"emits " + kind + ", but gives nothing"};
  if (kind_of(payload) != *stage_.gives)
    throw Misuse{"emits " + kind + ", but gives " + name_of(*stage_.gives)};
  try {
    emit_(std::move(payload), page > 0 ? std::optional(page) : std::nullopt);
    ++emitted_;
  } catch (...) {
    if (!not_emitted_) not_emitted_ = error_in_flight();
    throw *not_emitted_;
  }
}

const char* Call::attribute(const std::string& key) {
  const Origin& origin = context_.origin();
  const auto known = attributes_.find(key);
  if (known != attributes_.end()) return known->second.c_str();
  std::string value;
  if (key == "path")
    value = origin.path;
  else if (key == "file")
    value = origin.file.string();
  else if (key == "label")
    value = origin.label();
  else if (key == "index")
    value = std::to_string(origin.index);
  else
    return nullptr;
  return attributes_.emplace(key, std::move(value)).first->second.c_str();
}

void Call::blame(const std::string& misuse) const {
  const std::lock_guard lock(mutex_);
  if (misuse_.empty()) misuse_ = misuse;
}

void Call::check() const {
  if (not_emitted_) throw Error(*not_emitted_);
  const std::lock_guard lock(mutex_);
  if (!misuse_.empty()) throw Error(ErrorKind::plugin, "the plugin " + misuse_);
}

Frame::Frame(Call* call, bool is_part) noexcept
    : call_(call), is_part_(is_part), outer_(innermost) {
  innermost = this;
}

Frame::~Frame() { innermost = outer_; }

Frame* Frame::current() noexcept { return innermost; }

void Frame::note_exception() noexcept {
  misuse("lets an exception out: " + std::string(error_in_flight().what()));
}

void Frame::conclude(mr_result result, const char* function, bool may_skip) const {
  if (!misuse_.empty()) throw Error(ErrorKind::plugin, std::string(function) + " " + misuse_);
  if (result == MR_OK || (result == MR_SKIP && may_skip)) return;
  if (result < 0 || result > MR_FATAL)
    throw Error(ErrorKind::plugin, std::string(function) + " returned " + std::to_string(result) +
                                       "; there are MR_OK (0) to MR_FATAL (6)");
  const std::string name = result_names.at(static_cast<std::size_t>(result));
  if (result == MR_SKIP)
    throw Error(ErrorKind::plugin, std::string(function) + " returned MR_SKIP, which is for items");
  throw Error(kind_of(result), !error_.empty() ? error_
                                               : std::string(function) + " returned " + name +
                                                     " and did not say why");
}

mr_result code_of(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::transient:
      return MR_RETRYABLE;
    case ErrorKind::input:
      return MR_INVALID_INPUT;
    case ErrorKind::config:
      return MR_CONFIG;
    case ErrorKind::cancelled:
      return MR_CANCELLED;
    default:
      return MR_FATAL;
  }
}

mr_result refused() noexcept {
  Frame* const frame = Frame::current();
  try {
    throw;
  } catch (const Misuse& misuse) {
    if (frame) {
      frame->misuse(misuse.what);
      frame->set_error(misuse.what);
    }
    return MR_FATAL;
  } catch (...) {
    const Error error = error_in_flight();
    if (frame) frame->set_error(error.what());
    return code_of(error.kind());
  }
}

}  // namespace millrace::abi
