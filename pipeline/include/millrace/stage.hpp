// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "millrace/context.hpp"
#include "millrace/error.hpp"
#include "millrace/item.hpp"
#include "millrace/option.hpp"
#include "millrace/run_outputs.hpp"

namespace millrace::inline v1 {

/// What a stage is limited by: the CPU (a worker per CPU, and a CPU slot held while it works), or
/// something it waits for (more workers, no slot).
enum class Load { cpu, io };

/// How many items a stage works on at once. `serial`: one after the other, as they come;
/// `serial_ordered`: in the sources' order, pages included. What failed elsewhere and is opened
/// again by its source is not among a serial source's others.
enum class Concurrency { parallel, serial, serial_ordered };

/// What is handed to a stage with each item: its cancellation and deadline, its name, and a place
/// to speak to the report. [the worker that got it]
class ItemContext : public Context {
 public:
  ItemContext(Context context, Origin origin)
      : Context(std::move(context)), origin_(std::move(origin)) {}

  const Origin& origin() const noexcept { return origin_; }

  /// Something the user should know although the item goes on.
  void warn(std::string message) { warnings_.push_back(std::move(message)); }

  /// The item ends here, on purpose and without fault (say, its output exists already).
  void skip(std::string reason) { skipped_ = std::move(reason); }

  /// How much of the item is done, from 0 to 1: told to a user who waits. [any thread, at once]
  void progress(double share) const {
    if (watch_) watch_(share);
  }
  /// For the run: who learns of progress, from here on.
  void watch(std::function<void(double share)> watch) { watch_ = std::move(watch); }

  const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  const std::optional<std::string>& skipped() const noexcept { return skipped_; }

 private:
  Origin origin_;
  std::vector<std::string> warnings_;
  std::optional<std::string> skipped_;
  std::function<void(double)> watch_;
};

/// What the stages downstream need, told upstream by the plan before anything runs, so that a
/// stage can make less. The default asks for everything.
struct Demand {
  /// From a picture's full size to the size that it will be resampled to; empty: every pixel.
  std::function<cv::Size(cv::Size)> target_size;
  bool upright = false;   ///< The sizes of `target_size` are those after turning by the tag.
  bool gray = false;      ///< Colour is not looked at.
  std::string extension;  ///< Of the file that is written, without the dot; empty: not known.
  /// From the beginning of an encoded file and its whole length to the bytes of memory that working
  /// on it takes; empty: not known.
  std::function<std::uint64_t(const Bytes& head, std::uint64_t length)> memory;
};

/// Takes what a stage makes of an item, one payload at a time. `page` (from 1) is given where one
/// item becomes several. Blocks while downstream is full; throws Error (cancelled) at its end.
using Emit = std::function<void(Payload payload, std::optional<std::uint32_t> page)>;

/// One worker of a stage: what may change from item to item. [one thread]
class StageWorker {
 public:
  virtual ~StageWorker() = default;
  virtual void work(ItemContext& context, Payload payload, const Emit& emit) = 0;
};

/// Something outside that a stage rests on, as it is on this machine.
struct Condition {
  std::string what;     ///< "JPEG", "languages"
  std::string state;    ///< "libjpeg-turbo 2.1.5", "deu, eng"; may be empty.
  std::string problem;  ///< Why it does not work, or not well; empty: it does.
  std::string remedy;   ///< A command that helps; may be empty.
};

/// A configured stage. The engine's order of calls: options() and assignments, check(), demand()
/// and accept() from the sinks up to the sources; from then on it is const and shared by its
/// workers.
class Stage {
 public:
  virtual ~Stage() = default;

  /// Declares the settings; each default is the member's value.
  virtual void options(Options&) {}
  /// Rules across settings: every complaint, none when all is well.
  virtual std::vector<std::string> check() const { return {}; }
  virtual Load load() const { return Load::cpu; }
  virtual Concurrency concurrency() const { return Concurrency::parallel; }

  virtual std::vector<PayloadKind> takes() const = 0;    ///< Empty: a source.
  virtual std::optional<PayloadKind> gives() const = 0;  ///< None: a sink.
  /// Whether one item may become many, which are worked on side by side.
  virtual bool splits() const { return false; }

  /// What this stage needs of its input, given what is needed of its output.
  virtual Demand demand(const Demand& /*downstream*/) const { return {}; }
  /// What is needed of this stage's output; may complain, as check() does.
  virtual std::vector<std::string> accept(const Demand&) { return {}; }

  virtual std::unique_ptr<StageWorker> make_worker(const Context& context) const = 0;

  /// For `millrace doctor`: tries, with the defaults, the libraries and files that it rests on.
  virtual std::vector<Condition> diagnose() const { return {}; }
};

template <class T>
constexpr PayloadKind payload_kind_of = T::not_a_payload;  // only for the alternatives of Payload
template <>
inline constexpr PayloadKind payload_kind_of<Bytes> = PayloadKind::bytes;
template <>
inline constexpr PayloadKind payload_kind_of<Image> = PayloadKind::image;
template <>
inline constexpr PayloadKind payload_kind_of<Text> = PayloadKind::text;

/// Nothing kept from item to item.
struct NoState {};

/// One in, one out. `run` is const: every worker calls it at once. What changes while running is a
/// `State`, made by start() once per worker and seen by that worker alone.
template <class In, class Out, class State = NoState>
class Transform : public Stage {
 public:
  std::vector<PayloadKind> takes() const override { return {payload_kind_of<In>}; }
  std::optional<PayloadKind> gives() const override { return payload_kind_of<Out>; }

  virtual std::unique_ptr<State> start(const Context&) const {
    if constexpr (std::is_default_constructible_v<State>)
      return std::make_unique<State>();
    else
      throw Error(ErrorKind::internal, "this stage does not make its state");
  }
  virtual Out run(ItemContext& context, In in, State& state) const = 0;

  std::unique_ptr<StageWorker> make_worker(const Context& context) const override {
    struct Worker final : StageWorker {
      Worker(const Transform& stage, std::unique_ptr<State> state)
          : stage_(stage), state_(std::move(state)) {}
      void work(ItemContext& context, Payload payload, const Emit& emit) override {
        Out out = stage_.run(context, std::get<In>(std::move(payload)), *state_);
        if (!context.skipped()) emit(std::move(out), std::nullopt);
      }
      const Transform& stage_;
      std::unique_ptr<State> state_;
    };
    return std::make_unique<Worker>(*this, start(context));
  }
};

/// A transform that keeps nothing.
template <class In, class Out>
class Transform<In, Out, NoState> : public Stage {
 public:
  std::vector<PayloadKind> takes() const override { return {payload_kind_of<In>}; }
  std::optional<PayloadKind> gives() const override { return payload_kind_of<Out>; }

  virtual Out run(ItemContext& context, In in) const = 0;

  std::unique_ptr<StageWorker> make_worker(const Context&) const override {
    struct Worker final : StageWorker {
      explicit Worker(const Transform& stage) : stage_(stage) {}
      void work(ItemContext& context, Payload payload, const Emit& emit) override {
        Out out = stage_.run(context, std::get<In>(std::move(payload)));
        if (!context.skipped()) emit(std::move(out), std::nullopt);
      }
      const Transform& stage_;
    };
    return std::make_unique<Worker>(*this);
  }
};

/// One in, any number out: the pages of a file.
template <class In, class Out>
class Splitter : public Stage {
 public:
  std::vector<PayloadKind> takes() const override { return {payload_kind_of<In>}; }
  std::optional<PayloadKind> gives() const override { return payload_kind_of<Out>; }
  bool splits() const override { return true; }

  virtual void run(ItemContext& context, In in, const Emit& emit) const = 0;

  std::unique_ptr<StageWorker> make_worker(const Context&) const override {
    struct Worker final : StageWorker {
      explicit Worker(const Splitter& stage) : stage_(stage) {}
      void work(ItemContext& context, Payload payload, const Emit& emit) override {
        stage_.run(context, std::get<In>(std::move(payload)), emit);
      }
      const Splitter& stage_;
    };
    return std::make_unique<Worker>(*this);
  }
};

/// Where items end. Many threads call run() at once.
template <class In>
class Sink : public Stage {
 public:
  std::vector<PayloadKind> takes() const override { return {payload_kind_of<In>}; }
  std::optional<PayloadKind> gives() const override { return std::nullopt; }
  Load load() const override { return Load::io; }

  virtual void run(ItemContext& context, In in) const = 0;

  std::unique_ptr<StageWorker> make_worker(const Context&) const override {
    struct Worker final : StageWorker {
      explicit Worker(const Sink& stage) : stage_(stage) {}
      void work(ItemContext& context, Payload payload, const Emit&) override {
        stage_.run(context, std::get<In>(std::move(payload)));
      }
      const Sink& stage_;
    };
    return std::make_unique<Worker>(*this);
  }
};

/// Where items come from: names first, in order; then, by many threads at once, their content.
class Source : public Stage {
 public:
  std::vector<PayloadKind> takes() const override { return {}; }
  Load load() const override { return Load::io; }

  /// Every item, in the source's order, cheaply. `found` is called on this thread. A part that
  /// cannot be listed (an unreadable folder) is told to `failed` and does not end the listing.
  virtual void list(const Context& context, const std::function<void(Origin)>& found,
                    const std::function<void(Origin, Error)>& failed) const = 0;
  virtual Payload open(ItemContext& context) const = 0;
  /// The bytes of memory that an item will take while it is under way, cheaply and before it is
  /// opened; 0 when it is not known. Never throws: what cannot be read fails when it is opened.
  virtual std::uint64_t memory(const Origin&) const noexcept { return 0; }

  std::unique_ptr<StageWorker> make_worker(const Context&) const override;
};

/// A sink that knows its outputs beforehand can refuse a plan that would harm files.
class OutputPlanner {
 public:
  virtual ~OutputPlanner() = default;
  /// Called once before any work, with every listed item that reaches this sink, in their order,
  /// and with what all sinks of the run share. Looks at files and changes none; complaints stop the
  /// run.
  virtual OutputForecast prepare(const std::vector<const Origin*>& items,
                                 std::shared_ptr<RunOutputs> run) = 0;
};

}  // namespace millrace::inline v1
