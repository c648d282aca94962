// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <limits>
#include <string_view>

// One more than the largest int; with `within`, than the one before it.
int main(int argc, char** argv) {
  const bool within = argc > 1 && std::string_view(argv[1]) == "within";
  const int number = std::numeric_limits<int>::max() - (within ? argc - 1 : 0);
  std::cout << number + 1 << '\n';
}
