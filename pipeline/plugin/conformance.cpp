// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/conformance.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <opencv2/core.hpp>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <vector>

#include "isolate/setup.hpp"
#include "millrace/error.hpp"
#include "plugin/abi/payloads.hpp"
#include "plugin/library.hpp"
#include "plugin/manifest.hpp"
#include "plugin/samples.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

/// What is expected, and not so.
struct Unmet {
  std::string what;
};
/// What cannot be tried.
struct Untried {
  std::string why;
};

void expect(bool met, const std::string& what) {
  if (!met) throw Unmet{what};
}

/// What fails may do so, but not by the plugin's own fault.
void expect_no_fault(const Error& error) {
  expect(error.kind() != ErrorKind::plugin, error.what());
}

/// Runs checks one by one; an exception that is not an Error fails the check that let it out.
class Checks {
 public:
  explicit Checks(const CheckLog& log) : log_(log) {}

  /// False where it failed.
  bool run(const std::string& name, const std::function<void()>& check) {
    log_.begun(name);
    try {
      check();
      log_.passed();
      return true;
    } catch (const Untried& untried) {
      log_.skipped(untried.why);
      return true;
    } catch (const Unmet& unmet) {
      log_.failed(unmet.what);
    } catch (const std::exception& error) {
      log_.failed(error.what());
    } catch (...) {
      log_.failed("it throws what is no std::exception; expected is millrace::Error");
    }
    all_passed_ = false;
    return false;
  }
  bool all_passed() const { return all_passed_; }

 private:
  const CheckLog& log_;
  bool all_passed_ = true;
};

/// Names of something that must be plain, each once.
void expect_plain(const std::string& name) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyz0123456789_";
  expect(!name.empty() && name.find_first_not_of(plain) == name.npos,
         "the name '" + name + "' must be of a-z, 0-9 and _");
}

/// A stage as the engine sets it up: made, and its options declared.
struct Made {
  std::unique_ptr<Stage> stage;
  Options options;

  explicit Made(const Catalogue::Entry& entry) : stage(entry.make()) {
    expect(stage != nullptr, "no stage is made");
    stage->options(options);
  }
  /// Why it cannot work as it is.
  std::optional<std::string> lacks() const {
    for (const auto& option : options.all())
      if (option.is_required()) return "it needs the option " + option.name();
    const auto complaints = stage->check();
    return complaints.empty() ? std::nullopt : std::optional(complaints.front());
  }
};

std::vector<std::string> declared(const Options& options) {
  std::vector<std::string> lines;
  for (const auto& option : options.all())
    lines.push_back(option.name() + ": " + option.type() + ", " + option.allowed() + ", default " +
                    option.default_text() + (option.is_required() ? ", required" : ""));
  return lines;
}

void check_options(const Catalogue::Entry& entry) {
  Made made(entry);
  std::set<std::string> names;
  for (const auto& option : made.options.all()) {
    expect_plain(option.name());
    expect(names.insert(option.name()).second,
           "'" + option.name() + "' is declared twice; each option once is expected");
    expect(!option.summary().empty(), "'" + option.name() + "' has no summary");
  }
  Options again;
  made.stage->options(again);
  expect(declared(made.options) == declared(again),
         "declared a second time they are not what they were");
  expect(declared(Made(entry).options) == declared(again), "another object has other options");
}

void check_defaults(const Catalogue::Entry& entry) {
  Made made(entry);
  for (const auto& declared : made.options.all()) {
    const auto& text = declared.default_text();
    if (text.empty()) continue;  // absent
    auto& option = *made.options.find(declared.name());
    const auto complaint = assign_printed(option, text);
    expect(!complaint,
           declared.name() + ": its default is not accepted: " + complaint.value_or(""));
    expect(option.print() == text, declared.name() + ": the default '" + text +
                                       "', set, reads back as '" + option.print() + "'");
  }
}

bool is_kind(PayloadKind kind) { return kind >= PayloadKind::bytes && kind <= PayloadKind::text; }

void check_kinds(const Catalogue::Entry& entry) {
  const Made one(entry), other(entry);
  const auto takes = one.stage->takes();
  const auto gives = one.stage->gives();
  expect(!takes.empty() || gives, "it takes nothing and gives nothing");
  expect(std::ranges::all_of(takes, is_kind) && (!gives || is_kind(*gives)),
         "a kind of payload is none of bytes, image and text");
  expect(std::set(takes.begin(), takes.end()).size() == takes.size(),
         "it takes a kind of payload twice");
  expect(takes == other.stage->takes() && gives == other.stage->gives(),
         "two objects of it differ in what they take or give");
  expect(one.stage->check() == one.stage->check(), "check() answers the same question differently");
  const auto demand = one.stage->demand(Demand{});
  try {
    other.stage->accept(demand);
  } catch (const Error&) {
    // A demand may be refused.
  }
}

/// A stage that could work, or the reason why it is not tried.
Made ready(const Catalogue::Entry& entry) {
  Made made(entry);
  if (const auto lacks = made.lacks()) throw Untried{*lacks};
  return made;
}

/// Two of it at once, as where a pipeline has it twice, and the first one ends first.
void make_workers(const Catalogue::Entry& entry) {
  auto one = std::make_optional(ready(entry));
  const auto other = ready(entry);
  auto of_one = one->stage->make_worker(Context());
  const auto of_other = other.stage->make_worker(Context());
  expect(of_one != nullptr && of_other != nullptr, "no worker is made");
  of_one.reset();
  one.reset();
}

void check_worker(const Catalogue::Entry& entry) {
  std::exception_ptr failed;
  std::thread([&] {
    try {
      make_workers(entry);
    } catch (...) {
      failed = std::current_exception();
    }
  }).join();
  try {
    if (failed) std::rethrow_exception(failed);
  } catch (const Error& error) {
    expect_no_fault(error);
    throw Untried{error.what()};  // a language file that is not installed, say
  }
}

void expect_result(const Stage& stage, const Payload& payload) {
  expect(kind_of(payload) == *stage.gives(), std::string("it gives ") + name_of(kind_of(payload)) +
                                                 ", promised is " + name_of(*stage.gives()));
  if (const auto* bytes = std::get_if<Bytes>(&payload))
    expect(bytes->data != nullptr, "it gives bytes without data");
  const auto* image = std::get_if<Image>(&payload);
  if (image == nullptr) return;
  const int depth = image->pixels.depth(), channels = image->pixels.channels();
  expect(!image->pixels.empty() && (depth == CV_8U || depth == CV_16U) &&
             (channels == 1 || channels == 3 || channels == 4),
         "it gives a picture that is empty or not of 1, 3 or 4 channels of 8 or 16 bits");
}

void work_on(const Stage& stage, StageWorker& worker, const Payload& sample) {
  const auto* const picture = std::get_if<Image>(&sample);
  const cv::Mat before = picture ? picture->pixels.clone() : cv::Mat();
  ItemContext context(Context(), Origin{"sample", {}, 0, std::nullopt});
  try {
    worker.work(context, sample, [&](Payload result, auto) { expect_result(stage, result); });
  } catch (const Error& error) {
    expect_no_fault(error);
  }
  expect(!picture || cv::norm(before, picture->pixels, cv::NORM_INF) == 0,
         "it changes the pixels that it was given, which another branch may share; "
         "own_pixels() makes them its own");
}

/// Nothing is written or fetched for a test: sinks and sources are not run.
void check_work(const Catalogue::Entry& entry) {
  const auto made = ready(entry);
  if (made.stage->takes().empty()) throw Untried{"a source is not run here"};
  if (!made.stage->gives()) throw Untried{"a sink is not run here"};
  std::unique_ptr<StageWorker> worker;
  try {
    worker = made.stage->make_worker(Context());
  } catch (const Error& error) {
    expect_no_fault(error);
    throw Untried{error.what()};
  }
  for (const auto kind : made.stage->takes())
    for (const auto& sample : samples_of(kind)) work_on(*made.stage, *worker, sample);
}

std::size_t count_of(const char* folder) {
  std::error_code ignored;
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder, ignored), fs::directory_iterator()));
}

/// True when the count has come down to `most`; what ends is still listed for a moment.
bool comes_down(const char* folder, std::size_t most) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (count_of(folder) > most) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// What is kept for good, such as a pool, is there after the first time.
void check_leaks(const Catalogue::Entry& entry) {
  const auto once = [&entry] {
    try {
      check_worker(entry);
      check_work(entry);
    } catch (const Untried&) {
      Made made(entry);
    } catch (...) {
      // Told by those checks.
    }
  };
  constexpr auto threads = "/proc/self/task", descriptors = "/proc/self/fd";
  const auto& handles = abi::Payloads::instance();
  const auto abandoned_then = handles.abandoned();
  once();
  const auto threads_then = count_of(threads), descriptors_then = count_of(descriptors);
  for (int round = 0; round < 2; ++round) once();
  expect(comes_down(threads, threads_then), "each time that it is used leaves a thread running");
  expect(comes_down(descriptors, descriptors_then),
         "each time that it is used leaves a descriptor open");
  expect(handles.abandoned() == abandoned_then,
         "it retains handles of payloads that its destroy() does not release");
}

void check_against(const Manifest& manifest, const std::vector<Catalogue::Entry>& stages) {
  std::set<std::string> promised, registered;
  for (const auto& stage : manifest.stages) promised.insert(stage.name);
  for (const auto& stage : stages) registered.insert(stage.name);
  for (const auto& name : promised)
    expect(registered.contains(name), "it promises the stage '" + name + "', which is not there");
  for (const auto& name : registered)
    expect(promised.contains(name), "it does not name the stage '" + name + "'");
}

void check_stage(const Catalogue::Entry& entry, Checks& checks) {
  const auto check = [&](const char* what, void (*function)(const Catalogue::Entry&)) {
    return checks.run(entry.name + ": " + what, [&] { function(entry); });
  };
  const auto twice = [](const Catalogue::Entry& of) {
    expect_plain(of.name);
    Made one(of), other(of);
  };
  if (!check("it can be made twice and destroyed", twice)) return;
  check("its options are declared alike each time", check_options);
  check("its defaults are accepted", check_defaults);
  check("what it takes and gives is clear", check_kinds);
  if (!check("two of it have workers at once, on another thread", check_worker)) return;
  check("it gives what it promised, or an Error", check_work);
  check("it leaves no thread, descriptor or handle behind", check_leaks);
}

}  // namespace

bool check_plugin(const fs::path& library, const CheckLog& log) {
  cv::setNumThreads(0);  // as in every run
  Checks checks(log);
  const std::vector<Catalogue::Entry>* stages = nullptr;
  if (!checks.run("it is opened", [&] { stages = &stages_of(library); })) return false;
  checks.run("it has stages", [&] { describe(library); });
  checks.run("its manifest names them",
             [&] { check_against(Manifest::read(manifest_path(library)), *stages); });
  for (const auto& entry : *stages) check_stage(entry, checks);
  return checks.all_passed();
}

}  // namespace millrace
