// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// Put in front of a program with LD_PRELOAD, this lets threads stand still where a busy machine
// might: a new one before its first step, the one that started it, and now and then whoever gives a
// mutex back. A test that rests on which of two threads is first does not get through it many
// times. MILLRACE_LATE is the seed of the pauses; which thread meets which one is up to the system.

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <memory>

namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

/// SplitMix64 of a running number (Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t next_random() {
  static const char* const text = std::getenv("MILLRACE_LATE");
  static const std::uint64_t seed = text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
  static std::atomic<std::uint64_t> calls = 0;
  std::uint64_t z = (seed << 32) + ++calls * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// For up to that long, so many times of a thousand.
void maybe_pause(unsigned of_a_thousand, microseconds longest) {
  const auto random = next_random();
  if (random % 1000 >= of_a_thousand) return;
  const auto share =
      static_cast<long>((random >> 20) % static_cast<std::uint64_t>(longest.count()));
  const timespec time{0, share * 1000};
  const int kept = errno;
  ::nanosleep(&time, nullptr);
  errno = kept;
}

struct Start {
  void* (*function)(void*);
  void* argument;
};

void* begin_late(void* argument) {
  const std::unique_ptr<Start> start(static_cast<Start*>(argument));
  maybe_pause(300, 30ms);
  return start->function(start->argument);
}

template <class Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
    void* argument) noexcept {
  static auto* const create = behind<decltype(pthread_create)>("pthread_create");
  auto start = std::make_unique<Start>(Start{function, argument});
  const int refused = create(thread, attributes, begin_late, start.get());
  if (refused != 0) return refused;
  static_cast<void>(start.release());  // the thread's now
  maybe_pause(300, 30ms);
  return 0;
}

extern "C" __attribute__((visibility("default"))) int pthread_mutex_unlock(
    pthread_mutex_t* mutex) noexcept {
  static auto* const unlock = behind<decltype(pthread_mutex_unlock)>("pthread_mutex_unlock");
  const int refused = unlock(mutex);
  maybe_pause(2, 5ms);
  return refused;
}
