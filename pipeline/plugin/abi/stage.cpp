// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/abi/stage.hpp"

#include <mutex>
#include <utility>

#include "plugin/abi/call.hpp"
#include "plugin/abi/host.hpp"
#include "plugin/abi/values.hpp"

namespace millrace::abi {
namespace {

/// Calls one of a plugin's functions that make something. What the plugin takes for made is
/// destroyed again where the host refuses it.
template <class Create, class Destroy>
void create(const char* function, Create create, Destroy destroy) {
  Frame frame;
  const mr_result result = frame.run(create);
  try {
    frame.conclude(result, function);
  } catch (...) {
    if (result == MR_OK) destroy();
    throw;
  }
}

/// What a plugin's create() makes. Its owner of handles, which end with it.
class Instance {
 public:
  Instance(const StageDescription& stage, const OptionValues& options) : stage_(stage) {
    if (!stage.c.create) return;
    create(
        "create", [&] { return stage.c.create(stage.c.user, to_c(options), &c_); },
        [this] { destroy(); });
  }
  ~Instance() {
    destroy();
    Payloads::instance().end_all(this);
  }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  void* c() const noexcept { return c_; }

  /// Held during each call of a serial stage: failed inputs are opened by another pool's worker.
  std::unique_lock<std::mutex> turn() {
    const bool is_serial =
        stage_.c.mode == MR_SERIAL_UNORDERED || stage_.c.mode == MR_SERIAL_ORDERED;
    return is_serial ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
  }

 private:
  void destroy() noexcept {
    if (!stage_.c.destroy) return;
    Frame frame;
    frame.run([&] {
      stage_.c.destroy(c_);
      return MR_OK;
    });
  }

  const StageDescription& stage_;
  void* c_ = nullptr;
  std::mutex mutex_;
};

/// What the kinds of stages have in common.
class Core {
 public:
  explicit Core(std::shared_ptr<const StageDescription> stage)
      : stage_(std::move(stage)), options_(stage_->options) {}

  const StageDescription& stage() const noexcept { return *stage_; }
  OptionValues& options() noexcept { return options_; }

  std::vector<std::string> check() const {
    if (!stage_->c.check) return {};
    Frame frame;
    const mr_result result =
        frame.run([&] { return stage_->c.check(stage_->c.user, to_c(options_)); });
    try {
      frame.conclude(result, "check");
      return {};
    } catch (const Error& error) {
      return {error.what()};
    }
  }

  Concurrency concurrency() const noexcept {
    return stage_->c.mode == MR_SERIAL_UNORDERED ? Concurrency::serial
           : stage_->c.mode == MR_SERIAL_ORDERED ? Concurrency::serial_ordered
                                                 : Concurrency::parallel;
  }

  std::shared_ptr<Instance> instance() const {
    const auto make = [this] { return std::make_shared<Instance>(*stage_, options_); };
    if (stage_->c.mode == MR_PER_WORKER) return make();
    const std::lock_guard lock(mutex_);
    if (!shared_) shared_ = make();
    return shared_;
  }

 private:
  const std::shared_ptr<const StageDescription> stage_;
  OptionValues options_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<Instance>
      shared_;  // made by the first worker; last: ends before options_
};

class Worker final : public StageWorker {
 public:
  explicit Worker(const Core& core) : stage_(core.stage()), instance_(core.instance()) {
    if (!stage_.c.worker_create) return;
    create(
        "worker_create", [&] { return stage_.c.worker_create(instance_->c(), &c_); },
        [this] { destroy(); });
  }
  ~Worker() override { destroy(); }

  void work(ItemContext& context, Payload payload, const Emit& emit) override {
    if (stage_.takes.empty()) return open(context, emit);
    const auto turn = instance_->turn();
    call(context, emit, "process", [&](Call& call) {
      mr_payload* const input = call.add(std::move(payload), false);
      return stage_.c.process(instance_->c(), c_, call.item(), input);
    });
  }

 private:
  void destroy() noexcept {
    if (!stage_.c.worker_destroy) return;
    Frame frame;
    frame.run([&] {
      stage_.c.worker_destroy(instance_->c(), c_);
      return MR_OK;
    });
  }

  /// Nothing waits for room downstream while it is this instance's turn: those who would make the
  /// room may wait for the turn.
  void open(ItemContext& context, const Emit& emit) {
    std::optional<Payload> opened;
    std::optional<std::uint32_t> of_page;
    const Emit keep = [&](Payload payload, std::optional<std::uint32_t> page) {
      if (opened) throw Error(ErrorKind::plugin, "open emits more than one payload");
      opened.emplace(std::move(payload));
      of_page = page;
    };
    {
      const auto turn = instance_->turn();
      call(context, keep, "open",
           [&](Call& call) { return stage_.c.open(instance_->c(), c_, call.item()); });
    }
    if (context.skipped()) return;
    if (!opened) throw Error(ErrorKind::plugin, "open returned MR_OK and emitted nothing");
    emit(std::move(*opened), of_page);
  }

  template <class Function>
  void call(ItemContext& context, const Emit& emit, const char* name, Function function) {
    Call call(stage_, instance_.get(), context, emit, scratch_);
    Frame frame(&call);
    const mr_result result = frame.run([&] { return function(call); });
    call.check();
    frame.conclude(result, name, true);
    if (result == MR_SKIP)
      context.skip(frame.error().empty() ? "the stage did not say why" : frame.error());
  }

  const StageDescription& stage_;
  const std::shared_ptr<Instance> instance_;
  void* c_ = nullptr;
  Scratch scratch_;
};

/// What both kinds of stage answer by the description.
template <class Base>
class Described : public Base {
 public:
  explicit Described(std::shared_ptr<const StageDescription> stage) : core_(std::move(stage)) {}

  void options(Options& options) override { core_.options().declare(options); }
  std::vector<std::string> check() const override { return core_.check(); }
  Load load() const override { return stage().load; }
  Concurrency concurrency() const override { return core_.concurrency(); }
  std::vector<PayloadKind> takes() const override { return stage().takes; }
  std::optional<PayloadKind> gives() const override { return stage().gives; }
  bool splits() const override { return stage().splits; }
  std::unique_ptr<StageWorker> make_worker(const Context&) const override {
    return std::make_unique<Worker>(core_);
  }

 protected:
  const StageDescription& stage() const noexcept { return core_.stage(); }
  const Core& core() const noexcept { return core_; }

 private:
  Core core_;
};

class CStage final : public Described<Stage> {
 public:
  using Described::Described;
};

class CSource final : public Described<Source> {
 public:
  using Described::Described;

  void list(const Context& context, const std::function<void(Origin)>& found,
            const std::function<void(Origin, Error)>& failed) const override {
    const auto instance = core().instance();
    const auto turn = instance->turn();
    Listing listing{context, found, failed};
    Frame frame;
    frame.conclude(frame.run([&] { return stage().c.list(instance->c(), to_c(listing)); }), "list");
  }

  Payload open(ItemContext& context) const override {
    Payload opened;
    make_worker(context)->work(context, {}, [&](Payload payload, std::optional<std::uint32_t>) {
      opened = std::move(payload);
    });
    return opened;
  }

  std::uint64_t memory(const Origin& origin) const noexcept override {
    std::uint64_t bytes = 0;
    if (!stage().memory) return bytes;
    Frame frame;
    frame.run([&] {
      bytes = stage().memory(stage().c.name, origin.path.c_str(), origin.file.c_str());
      return MR_OK;
    });
    return bytes;
  }
};

}  // namespace

std::unique_ptr<Stage> make_stage(const std::shared_ptr<const StageDescription>& description) {
  if (description->takes.empty()) return std::make_unique<CSource>(description);
  return std::make_unique<CStage>(description);
}

PluginDescription load_plugin(decltype(&millrace_plugin_v1) entry) {
  PluginDescription plugin;
  Frame frame;
  const mr_plugin* described = nullptr;
  frame.conclude(frame.run([&] {
    described = entry(&host());
    return described || frame.error().empty() ? MR_OK : MR_FATAL;
  }),
                 "millrace_plugin_v1");
  return read_plugin(described);
}

}  // namespace millrace::abi
