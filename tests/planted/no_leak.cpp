// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>

// No mistake, but what LeakSanitizer took for one: a loaded library's thread-local block that
// AddressSanitizer's malloc puts 16 bytes behind the beginning of a page. LeakSanitizer reads these
// 16 bytes as a head that glibc 2.19 wrote there, and dies of it (intercept_tls_get_addr=1).
int main(int argc, char** argv) {
  void* library = argc > 1 ? ::dlopen(argv[1], RTLD_NOW) : nullptr;
  void* symbol = library != nullptr ? ::dlsym(library, "millrace_block") : nullptr;
  if (symbol == nullptr) {
    std::cerr << "no library with millrace_block: " << (argc > 1 ? ::dlerror() : "none is named")
              << '\n';
    return 2;
  }
  const auto block = reinterpret_cast<long* (*)()>(symbol);

  // Blocks of one size lie one behind the other, 32 bytes each: the last one of a page is sought.
  const auto in_page = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at) % 4096; };
  std::array<void*, 256> before{};
  for (void*& one : before) {
    one = std::malloc(sizeof(long));
    if (in_page(one) == 4096 - 16) break;
  }
  const std::uintptr_t place = in_page(block());
  for (void* one : before) std::free(one);

  std::cout << "the block lies " << place << " bytes behind the beginning of its page\n";
  return place == 16 ? 0 : 2;
}
