// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

extern "C" [[gnu::visibility("default")]] long* millrace_block() {
  thread_local long block = 1;
  return &block;
}
