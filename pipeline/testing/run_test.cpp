// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/run_test.hpp"

#include <memory>

#include "millrace/catalogue.hpp"
#include "testing/judge.hpp"
#include "testing/part.hpp"

namespace millrace::inline v1 {
namespace {

bool tells(const Diagnostic& diagnostic, const std::string& part) {
  return diagnostic.message.find(part) != std::string::npos ||
         diagnostic.hint.find(part) != std::string::npos || diagnostic.code == part;
}

class OneTest {
 public:
  OneTest(const TestedFile& file, std::size_t index, const TestSettings& settings)
      : file_(file), index_(index), settings_(settings) {
    const auto as_it_is = load(file.sets, {});
    if (index >= as_it_is.tests.size())
      throw Error(ErrorKind::internal, file.name + ": there is no such test");
    test_ = as_it_is.tests[index];
    result_.name = test_.name;
    sets_ = file.sets;
    for (const auto& [name, text] : test_.set) sets_[name] = text;
  }

  TestResult run() {
    const auto started = Context::Clock::now();
    if (test_.expect.refused.empty())
      try_part();
    else
      expect_refusal();
    result_.elapsed = Context::Clock::now() - started;
    return std::move(result_);
  }

 private:
  Loaded load(const std::map<std::string, std::string>& sets, const Edit& edit) const {
    return load_with_tests(file_.yaml, file_.name, sets, Catalogue::instance(), edit);
  }

  void expect_refusal() {
    const auto loaded = load(sets_, {});
    const auto& expected = test_.expect.refused;
    for (const auto& diagnostic : loaded.diagnostics)
      if (diagnostic.severity == Diagnostic::Severity::error && tells(diagnostic, expected)) return;
    if (!loaded.plan) tell(loaded.diagnostics);
    result_.complaints.push_back(
        std::string("refused: ") +
        (loaded.plan ? "nothing is wrong with the pipeline" : "no message has it") + ", expected " +
        quote(expected));
  }

  void tell(const std::vector<Diagnostic>& diagnostics) {
    for (const auto& diagnostic : diagnostics)
      if (diagnostic.severity == Diagnostic::Severity::error)
        result_.errors.push_back(format(diagnostic, file_.yaml));
  }

  void try_part() {
    const auto outputs = std::make_shared<Outputs>();
    try {
      auto loaded = load(sets_, [&](Draft& draft, const std::vector<TestCase>& tests) {
        test_ = tests.at(index_);  // with this test's variables
        take_part(draft, test_, list_inputs(test_, file_.folder), outputs);
      });
      if (!loaded.plan) return tell(loaded.diagnostics);
      run_plan(*loaded.plan, *outputs);
    } catch (const Error& error) {  // of its inputs
      result_.complaints.push_back(error.what());
    }
  }

  void run_plan(const Plan& plan, Outputs& outputs) {
    Outcome outcome;
    try {
      auto report = millrace::run(plan, settings_.shutdown, settings_.progress);
      outcome.failures = std::move(report.failures);
      outcome.skips = std::move(report.skips);
      if (!report.gave_up.empty())
        outcome.failures.push_back({{}, {}, ErrorKind::plugin, report.gave_up});
      for (const auto& warning : report.warnings)
        result_.notes.push_back("warning: " + warning.item + ": " + warning.stage + ": " +
                                warning.message);
    } catch (const Error& error) {
      outcome.failures.push_back({{}, {}, error.kind(), error.what()});
    }
    result_.cancelled = settings_.shutdown.admission().done();
    if (result_.cancelled) return;
    for (auto& failure : outcome.failures)
      failure.message = outputs.sandbox.as_written(failure.message);
    for (auto& skip : outcome.skips) skip.message = outputs.sandbox.as_written(skip.message);
    outcome.outputs = outputs.take();
    outcome.files = outputs.sandbox.files();
    judge(test_, outcome, file_.folder, settings_, result_);
  }

  const TestedFile& file_;
  const std::size_t index_;
  const TestSettings& settings_;
  TestCase test_;
  TestResult result_;
  std::map<std::string, std::string> sets_;
};

}  // namespace

TestResult run_test(const TestedFile& file, std::size_t test, const TestSettings& settings) {
  return OneTest(file, test, settings).run();
}

}  // namespace millrace::inline v1
