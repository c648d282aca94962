// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

/// Stages in C++17 over millrace_plugin.h: a class for each stage, handles that end by themselves,
/// errors as exceptions, none of which gets past the border. It needs no library.
///
///     #include <millrace_plugin.hpp>
///
///     struct Invert {
///       explicit Invert(const millrace_plugin::Options&) {}
///       void process(millrace_plugin::Item& item, millrace_plugin::Payload input) const {
///         auto image = item.edit_image(std::move(input));
///         ...
///         item.emit(std::move(image.payload));
///       }
///     };
///
///     MILLRACE_PLUGIN("invert", "1.0",
///                     millrace_plugin::transform<Invert>("invert", "Make it negative.", MR_IMAGE,
///                                                        MR_IMAGE))
///
/// A class has process(Item&, Payload); a source has list(Listing&) and open(Item&) in its place.
/// In mode MR_PARALLEL they are called by many threads at once, so they are const. A static
/// `std::string check(const Options&)` is optional: a complaint, or "".

#ifndef MILLRACE_PLUGIN_HPP
#define MILLRACE_PLUGIN_HPP

#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "millrace_plugin.h"

namespace millrace_plugin {

/// The host's functions, from the entry on.
inline const mr_host* host = nullptr;

/// What a stage throws, and what the host's refusals become.
class Error : public std::runtime_error {
 public:
  Error(mr_result result, const std::string& why) : std::runtime_error(why), result_(result) {}
  mr_result result() const noexcept { return result_; }

 private:
  mr_result result_;
};

/// Ends the item here, on purpose.
[[noreturn]] inline void skip(const std::string& why) { throw Error(MR_SKIP, why); }
[[noreturn]] inline void invalid_input(const std::string& why) {
  throw Error(MR_INVALID_INPUT, why);
}
[[noreturn]] inline void retryable(const std::string& why) { throw Error(MR_RETRYABLE, why); }

/// The host refused: it has said why already.
class Refused final : public Error {
 public:
  explicit Refused(mr_result result) : Error(result, "refused by the host") {}
};
inline void require(mr_result result) {
  if (result != MR_OK) throw Refused(result);
}

/// Runs a stage's code; what it throws becomes a result.
template <class Function>
mr_result guarded(Function&& function) noexcept {
  try {
    function();
    return MR_OK;
  } catch (const Refused& refused) {
    return refused.result();
  } catch (const Error& error) {
    host->set_error(error.what());
    return error.result();
  } catch (const std::bad_alloc&) {
    host->set_error("out of memory");
  } catch (const std::exception& error) {
    host->set_error(error.what());
  } catch (...) {
    host->set_error("an exception of an unknown type");
  }
  return MR_FATAL;
}

/// A stage's settings; as long as the stage. Reading one that its schema does not declare throws.
class Options {
 public:
  explicit Options(const mr_options* options) noexcept : options_(options) {}

  std::optional<std::int64_t> integer(const char* name) const {
    return get<std::int64_t>(host->option_integer, name);
  }
  std::optional<double> number(const char* name) const {
    return get<double>(host->option_number, name);
  }
  std::optional<bool> boolean(const char* name) const {
    const auto value = get<std::int32_t>(host->option_boolean, name);
    return value ? std::optional<bool>(*value != 0) : std::nullopt;
  }
  std::optional<std::string> text(const char* name) const {
    const auto value = get<const char*>(host->option_text, name);
    return value ? std::optional<std::string>(*value) : std::nullopt;
  }
  std::vector<std::string> list(const char* name) const {
    const char* const* values = nullptr;
    std::size_t count = 0;
    const mr_result result = host->option_list(options_, name, &values, &count);
    if (result != MR_OK && result != MR_SKIP) throw Refused(result);
    return std::vector<std::string>(values, values + count);
  }
  std::string json() const { return host->options_json(options_); }

 private:
  template <class T>
  std::optional<T> get(mr_result (*getter)(const mr_options*, const char*, T*),
                       const char* name) const {
    T value{};
    const mr_result result = getter(options_, name, &value);
    if (result == MR_SKIP) return std::nullopt;
    require(result);
    return value;
  }

  const mr_options* options_;
};

/// A handle. Moving passes it on; share() makes another of the same content.
class Payload {
 public:
  Payload() noexcept = default;
  explicit Payload(mr_payload* handle) noexcept : handle_(handle) {}
  Payload(Payload&& other) noexcept : handle_(other.give()) {}
  Payload& operator=(Payload&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Payload() {
    if (handle_) host->release(handle_);
  }

  mr_payload* get() const noexcept { return handle_; }
  mr_payload* give() noexcept { return std::exchange(handle_, nullptr); }
  std::uint32_t kind() const noexcept { return host->payload_kind(handle_); }
  Payload share() const {
    mr_payload* const another = host->retain(handle_);
    if (!another) throw Refused(MR_FATAL);
    return Payload(another);
  }

  mr_image image() const { return view<mr_image>(host->image_view); }
  mr_bytes bytes() const { return view<mr_bytes>(host->bytes_view); }
  mr_text text() const { return view<mr_text>(host->text_view); }
  mr_word word(std::size_t number) const {
    mr_word word{};
    word.struct_size = sizeof word;
    require(host->text_word(handle_, number, &word));
    return word;
  }
  void set_word(std::size_t number, const std::string& word) {
    require(host->text_set(handle_, number, word.c_str()));
  }
  void add_word(mr_word word) {
    word.struct_size = sizeof word;
    require(host->text_add(handle_, &word));
  }

 private:
  template <class T, class Handle>
  T view(mr_result (*fill)(Handle*, T*)) const {
    T view{};
    view.struct_size = sizeof view;
    require(fill(handle_, &view));
    return view;
  }

  mr_payload* handle_ = nullptr;
};

/// A picture that may be written to, and the handle to hand on.
struct WritableImage {
  Payload payload;
  mr_image view;
};
struct WritableBytes {
  Payload payload;
  void* data;
};

/// The item that a call is about.
class Item {
 public:
  explicit Item(mr_item* item) noexcept : item_(item) {}

  mr_item* get() const noexcept { return item_; }
  std::string attribute(const char* key) const {
    const char* const value = host->item_attribute(item_, key);
    return value ? value : "";
  }
  std::string path() const { return attribute("path"); }
  std::uint32_t page() const noexcept { return host->item_page(item_); }
  bool cancelled() const noexcept { return host->cancelled(item_) != 0; }
  void progress(double share) const noexcept { host->progress(item_, share); }
  void warn(const std::string& text) const { host->warn(item_, text.c_str()); }
  void emit(Payload payload, std::uint32_t page = 0) const {
    require(host->emit(item_, payload.give(), page));
  }
  void* scratch(std::size_t size) const {
    void* const memory = host->scratch(item_, size);
    if (!memory) throw std::bad_alloc();
    return memory;
  }

  /// `like`: its size, channels, depth and what its file is to say.
  WritableImage new_image(mr_image like) const {
    like.struct_size = sizeof like;
    mr_payload* payload = nullptr;
    require(host->image_new(item_, &like, &payload));
    return {Payload(payload), like};
  }
  WritableImage edit_image(Payload image) const {
    mr_image view{};
    view.struct_size = sizeof view;
    mr_payload* payload = nullptr;
    require(host->image_edit(item_, image.get(), &view, &payload));
    image.give();
    return {Payload(payload), view};
  }
  WritableBytes new_bytes(std::size_t size, const std::string& extension) const {
    void* data = nullptr;
    mr_payload* payload = nullptr;
    require(host->bytes_new(item_, size, extension.c_str(), &data, &payload));
    return {Payload(payload), data};
  }
  Payload new_text(mr_text about = {}) const {
    about.struct_size = sizeof about;
    mr_payload* payload = nullptr;
    require(host->text_new(item_, &about, &payload));
    return Payload(payload);
  }
  Payload edit_text(Payload text) const {
    mr_payload* payload = nullptr;
    require(host->text_edit(item_, text.get(), &payload));
    text.give();
    return Payload(payload);
  }

  /// Calls body(first, last) for parts, on this thread and others; see mr_host.parallel_for.
  template <class Body>
  void parallel_for(std::size_t begin, std::size_t end, std::size_t grain, Body&& body) const {
    using Function = std::remove_reference_t<Body>;
    const mr_part part = [](void* user, std::size_t first, std::size_t last) {
      return guarded([&] { (*static_cast<Function*>(user))(first, last); });
    };
    require(host->parallel_for(item_, begin, end, grain, part,
                               const_cast<void*>(static_cast<const void*>(&body))));
  }

 private:
  mr_item* item_;
};

/// Where a source's list() puts what it finds.
class Listing {
 public:
  explicit Listing(mr_listing* listing) noexcept : listing_(listing) {}
  void item(const std::string& path, const std::string& file = {}) const {
    require(host->list_item(listing_, path.c_str(), file.c_str()));
  }
  void failed(const std::string& path, const std::string& why) const {
    require(host->list_failed(listing_, path.c_str(), why.c_str()));
  }

 private:
  mr_listing* listing_;
};

namespace detail {

template <class S, class = void>
struct HasCheck : std::false_type {};
template <class S>
struct HasCheck<S, std::void_t<decltype(S::check(std::declval<const Options&>()))>>
    : std::true_type {};

template <class S>
mr_result check(void*, const mr_options* options) {
  return guarded([&] {
    const std::string complaint = S::check(Options(options));
    if (!complaint.empty()) throw Error(MR_CONFIG, complaint);
  });
}
template <class S>
mr_result create(void*, const mr_options* options, void** instance) {
  return guarded([&] { *instance = new S(Options(options)); });
}
template <class S>
void destroy(void* instance) {
  guarded([&] { delete static_cast<S*>(instance); });
}
template <class S>
mr_result process(void* instance, void*, mr_item* c_item, mr_payload* input) {
  return guarded([&] {
    Item item(c_item);
    static_cast<S*>(instance)->process(item, Payload(input));
  });
}
template <class S>
mr_result list(void* instance, mr_listing* c_listing) {
  return guarded([&] {
    Listing listing(c_listing);
    static_cast<S*>(instance)->list(listing);
  });
}
template <class S>
mr_result open(void* instance, void*, mr_item* c_item) {
  return guarded([&] {
    Item item(c_item);
    static_cast<S*>(instance)->open(item);
  });
}

template <class S>
mr_stage described(const char* name, const char* summary) {
  mr_stage stage{};
  stage.struct_size = sizeof stage;
  stage.name = name;
  stage.summary = summary;
  stage.create = create<S>;
  stage.destroy = destroy<S>;
  if constexpr (HasCheck<S>::value) stage.check = check<S>;
  return stage;
}

}  // namespace detail

/// Describes a stage that works on items; a sink gives 0. Change what it returns for another mode,
/// load, role or flags, or for options.
template <class S>
mr_stage transform(const char* name, const char* summary, std::uint32_t takes, std::uint32_t gives,
                   const char* options = nullptr) {
  mr_stage stage = detail::described<S>(name, summary);
  stage.takes = takes;
  stage.gives = gives;
  stage.load = gives == 0 ? MR_LOAD_IO : MR_LOAD_CPU;
  stage.options = options;
  stage.process = detail::process<S>;
  return stage;
}

/// Describes a source.
template <class S>
mr_stage source(const char* name, const char* summary, std::uint32_t gives,
                const char* options = nullptr) {
  mr_stage stage = detail::described<S>(name, summary);
  stage.gives = gives;
  stage.load = MR_LOAD_IO;
  stage.options = options;
  stage.list = detail::list<S>;
  stage.open = detail::open<S>;
  return stage;
}

/// What the entry returns: the description of these stages, made by the first call.
template <class... Stages>
const mr_plugin* entry(const mr_host* from, const char* name, const char* version,
                       Stages... described) noexcept {
  static const mr_stage stages[] = {described...};
  static const mr_stage* pointers[sizeof...(described)];
  for (std::size_t i = 0; i < sizeof...(described); ++i) pointers[i] = &stages[i];
  static mr_plugin plugin{};
  plugin.struct_size = sizeof plugin;
  plugin.abi_major = MR_ABI_MAJOR;
  plugin.abi_minor = MR_ABI_MINOR;
  plugin.name = name;
  plugin.version = version;
  plugin.stage_count = sizeof...(described);
  plugin.stages = pointers;
  host = from;
  return &plugin;
}

}  // namespace millrace_plugin

/// The exported entry of a plugin with these stages.
#define MILLRACE_PLUGIN(name, version, ...)                          \
  const mr_plugin* millrace_plugin_v1(const mr_host* from) {         \
    return millrace_plugin::entry(from, name, version, __VA_ARGS__); \
  }

#endif
