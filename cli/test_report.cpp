// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/test_report.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/console.hpp"
#include "stages/document/writers/xml.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

class TextReport final : public TestReport {
 public:
  explicit TextReport(std::ostream& out) : out_(out) {}

  void begin(const std::string& file) override { out_ << printable(file) << "\n"; }

  void take(const TestResult& result) override {
    out_ << (result.passed() ? "  ok      " : "  FAILED  ") << printable(result.name) << " ("
         << elapsed_text(result.elapsed) << ")\n";
    for (const auto& error : result.errors) lines(error, "failed: ");
    for (const auto& complaint : result.complaints) lines(complaint, "");
    for (const auto& note : result.notes) lines(note, "");
    out_.flush();
  }

  void end() override {
    if (passed_ + failed_ == 0) return;  // what is wrong has been said
    out_ << counted(passed_ + failed_, "test") << ": " << passed_ << " passed";
    if (failed_ > 0) out_ << ", " << failed_ << " failed";
    out_ << " in " << elapsed_text(elapsed_) << "\n";
  }

 private:
  void lines(std::string_view text, std::string_view before) {
    while (!text.empty()) {
      const auto end = text.find('\n');
      out_ << "          " << before << printable(text.substr(0, end)) << "\n";
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      before = "";
    }
  }

  std::ostream& out_;
};

std::string seconds(Context::Clock::duration time) {
  std::array<char, 32> buffer;
  std::snprintf(buffer.data(), buffer.size(), "%.3f", std::chrono::duration<double>(time).count());
  return buffer.data();
}

/// What went wrong, a piece a line or more.
std::string details(const TestResult& result) {
  std::string text;
  for (const auto* list : {&result.errors, &result.complaints, &result.notes})
    for (const auto& each : *list) text += (text.empty() ? "" : "\n") + each;
  return text;
}

/// Of bytes that are not UTF-8 and of characters that no file of text has, what can be shown.
std::string shown(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto end = text.find('\n');
    result += printable(text.substr(0, end)) + (end == text.npos ? "" : "\n");
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return result;
}

std::vector<std::string> shown(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  for (const auto& text : texts) result.push_back(shown(std::string_view(text)));
  return result;
}

/// One document of all tests, written at the end.
class DocumentReport : public TestReport {
 public:
  explicit DocumentReport(std::ostream& out) : out_(out) {}

  void begin(const std::string& file) override { files_.push_back({file, {}}); }
  void take(const TestResult& result) override { files_.back().results.push_back(result); }

 protected:
  struct File {
    std::string name;
    std::vector<TestResult> results;
  };
  std::ostream& out_;
  std::vector<File> files_;
};

class JUnitReport final : public DocumentReport {
 public:
  using DocumentReport::DocumentReport;

  void end() override {
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"" << passed_ + failed_
         << "\" failures=\"" << failed_ << "\" time=\"" << seconds(elapsed_) << "\">\n";
    for (const auto& file : files_) {
      out_ << "  <testsuite name=\"" << escaped(file.name) << "\" tests=\"" << file.results.size()
           << "\">\n";
      for (const auto& result : file.results) write(file, result);
      out_ << "  </testsuite>\n";
    }
    out_ << "</testsuites>\n";
  }

 private:
  void write(const File& file, const TestResult& result) {
    out_ << "    <testcase classname=\"" << escaped(file.name) << "\" name=\""
         << escaped(result.name) << "\" time=\"" << seconds(result.elapsed) << "\"";
    if (result.passed()) {
      out_ << "/>\n";
      return;
    }
    const auto text = details(result);
    out_ << ">\n      <failure message=\"" << escaped(text.substr(0, text.find('\n'))) << "\">"
         << escaped(text) << "</failure>\n    </testcase>\n";
  }

  static std::string escaped(std::string_view text) { return document::xml_escape(shown(text)); }
};

class JsonReport final : public DocumentReport {
 public:
  using DocumentReport::DocumentReport;

  void end() override {
    auto tests = Json::array();
    for (const auto& file : files_)
      for (const auto& result : file.results)
        tests.push_back({{"file", shown(std::string_view(file.name))},
                         {"name", shown(std::string_view(result.name))},
                         {"passed", result.passed()},
                         {"seconds", std::chrono::duration<double>(result.elapsed).count()},
                         {"errors", shown(result.errors)},
                         {"complaints", shown(result.complaints)},
                         {"notes", shown(result.notes)}});
    const Json all{{"passed", passed_}, {"failed", failed_}, {"tests", std::move(tests)}};
    out_ << all.dump(2) << "\n";
  }

 private:
  using Json = nlohmann::ordered_json;
};

}  // namespace

void TestReport::tell(const TestResult& result) {
  ++(result.passed() ? passed_ : failed_);
  elapsed_ += result.elapsed;
  take(result);
}

std::unique_ptr<TestReport> make_test_report(const std::string& format, std::ostream& out) {
  if (format == "json") return std::make_unique<JsonReport>(out);
  if (format == "junit") return std::make_unique<JUnitReport>(out);
  return std::make_unique<TextReport>(out);
}

}  // namespace millrace::cli
