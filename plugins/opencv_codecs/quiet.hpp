// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace millrace::opencv_codecs {

/// While one lives, nothing that this thread writes to std::cerr or to OpenCV's log is seen:
/// imgcodecs prints what it also tells. Other threads are heard. [one thread]
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
};

}  // namespace millrace::opencv_codecs
