// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/abi/host.hpp"

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "concurrency/effective_cpus.hpp"
#include "millrace/parallel.hpp"
#include "millrace/version.hpp"
#include "plugin/abi/call.hpp"

namespace millrace::abi {
namespace {

void log(std::int32_t level, const char* text) {
  guard([&] {
    if (!std::getenv("MILLRACE_PLUGIN_LOG") || !text) return;
    const char* const name = level >= MR_LOG_WARNING ? "warning"
                             : level == MR_LOG_INFO  ? "info"
                                                     : "debug";
    std::clog << "plugin: " + std::string(name) + ": " + text + "\n" << std::flush;
  });
}

void set_error(const char* text) {
  guard([&] {
    if (Frame* const frame = Frame::current()) frame->set_error(text_or_empty(text));
  });
}

std::uint32_t count_cpus() { return static_cast<std::uint32_t>(effective_cpus()); }

const void* extension(const char* id, std::uint32_t revision) {
  static constexpr mr_extension_cpus cpus{sizeof(mr_extension_cpus), count_cpus};
  return id && revision == 1 && std::string_view(id) == MR_EXTENSION_CPUS ? &cpus : nullptr;
}

const char* item_attribute(mr_item* item, const char* key) {
  return guard<const char*>(nullptr, [&] { return Call::on_worker(item).attribute(&target(key)); });
}

std::uint32_t item_page(const mr_item* item) {
  return guard<std::uint32_t>(
      0, [&] { return Call::anywhere(item).context().origin().page.value_or(0); });
}

std::int32_t cancelled(const mr_item* item) {
  return guard<std::int32_t>(1, [&] { return Call::anywhere(item).context().done() ? 1 : 0; });
}

void progress(mr_item* item, double share) {
  guard([&] {
    const ItemContext& context = Call::anywhere(item).context();
    if (std::isfinite(share)) context.progress(std::clamp(share, 0.0, 1.0));
  });
}

void warn(mr_item* item, const char* text) {
  guard([&] { Call::on_worker(item).context().warn(&target(text)); });
}

/// The content of a handle that has ended, moved out where nobody else has it.
Payload payload_of(std::shared_ptr<Content> content) {
  return content.use_count() == 1 ? std::move(content->payload) : content->payload;
}

mr_result emit(mr_item* item, mr_payload* payload, std::uint32_t page) {
  return guard([&] {
    auto content = Payloads::instance().take(payload);
    Call::on_worker(item).emit(payload_of(std::move(content)), page);
  });
}

void* scratch(mr_item* item, std::size_t size) {
  return guard<void*>(nullptr, [&] { return Call::on_worker(item).scratch().take(size); });
}

/// A part that ended the loop with this.
struct Ended {
  mr_result result;
  std::string error;
};

mr_result for_parts(Call& call, std::size_t begin, std::size_t end, std::size_t grain, mr_part part,
                    void* user) {
  try {
    parallel_for(call.context(), begin, end, grain, [&](std::size_t first, std::size_t last) {
      Frame frame(&call, true);
      const mr_result result = frame.run([&] { return part(user, first, last); });
      if (!frame.misused().empty()) throw Misuse{frame.misused()};
      if (result != MR_OK) throw Ended{result, frame.error()};
    });
    return MR_OK;
  } catch (const Ended& ended) {
    if (Frame* const frame = Frame::current()) frame->set_error(ended.error);
    return ended.result;
  }
}

mr_result parallel(mr_item* item, std::size_t begin, std::size_t end, std::size_t grain,
                   mr_part part, void* user) {
  return guard<mr_result>(MR_FATAL, [&] {
    Call& call = Call::on_worker(item);
    target(part);
    try {
      return for_parts(call, begin, end, grain, part, user);
    } catch (const Error&) {
      return refused();
    }
  });
}

std::uint32_t payload_kind(const mr_payload* payload) {
  return guard<std::uint32_t>(
      0, [&] { return std::uint32_t{1} << Payloads::instance().find(payload)->payload.index(); });
}

mr_payload* retain(const mr_payload* payload) {
  return guard<mr_payload*>(nullptr, [&] { return Payloads::instance().retain(payload); });
}

void release(mr_payload* payload) {
  guard([&] {
    if (payload) Payloads::instance().take(payload);
  });
}

Origin origin_of(const char* path, const char* file) {
  Origin origin;
  origin.path = &target(path);
  if (origin.path.empty()) throw Misuse{"lists an item whose path is empty"};
  origin.file = text_or_empty(file);
  return origin;
}

mr_result list_item(mr_listing* listing, const char* path, const char* file) {
  return guard([&] {
    auto& to = target(reinterpret_cast<Listing*>(listing));
    to.context.check();
    to.found(origin_of(path, file));
  });
}

mr_result list_failed(mr_listing* listing, const char* path, const char* reason) {
  return guard([&] {
    auto& to = target(reinterpret_cast<Listing*>(listing));
    to.context.check();
    to.failed(origin_of(path, nullptr), Error(ErrorKind::input, &target(reason)));
  });
}

mr_host make_host() {
  mr_host host{};
  host.struct_size = sizeof host;
  host.abi_major = MR_ABI_MAJOR;
  host.abi_minor = newest_minor;
  host.version = version().data();
  host.log = log;
  host.set_error = set_error;
  host.extension = extension;
  add_options(host);
  add_items(host);
  add_images(host);
  add_texts(host);
  host.list_item = list_item;
  host.list_failed = list_failed;
  return host;
}

}  // namespace

void add_items(mr_host& host) {
  host.item_attribute = item_attribute;
  host.item_page = item_page;
  host.cancelled = cancelled;
  host.progress = progress;
  host.warn = warn;
  host.emit = emit;
  host.scratch = scratch;
  host.parallel_for = parallel;
  host.payload_kind = payload_kind;
  host.retain = retain;
  host.release = release;
}

const mr_host& host() {
  static const mr_host host = make_host();
  return host;
}

}  // namespace millrace::abi
