// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "quiet.hpp"

#include <iostream>
#include <mutex>
#include <opencv2/core/utils/logger.hpp>
#include <streambuf>

namespace millrace::opencv_codecs {
namespace {

thread_local bool is_quiet = false;

/// Hands on to the stream's first buffer what threads that are not quiet write.
class Filter : public std::streambuf {
 public:
  explicit Filter(std::streambuf& to) : to_(to) {}

 protected:
  int_type overflow(int_type c) override {
    if (is_quiet || traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    return to_.sputc(traits_type::to_char_type(c));
  }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    return is_quiet ? count : to_.sputn(text, count);
  }
  int sync() override { return is_quiet ? 0 : to_.pubsync(); }

 private:
  std::streambuf& to_;
};

void install() {
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  static Filter& filter = *new Filter(*std::cerr.rdbuf());  // cerr is written to until the end
  std::cerr.rdbuf(&filter);
}

}  // namespace

Quiet::Quiet() {
  static std::once_flag once;
  std::call_once(once, install);
  is_quiet = true;
}

Quiet::~Quiet() { is_quiet = false; }

}  // namespace millrace::opencv_codecs
