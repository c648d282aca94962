// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// Runs a fuzz target without libFuzzer: on the files that it is given, or else on inputs made from
// the target's own seeds, the same ones each time.

#include "driver.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>

namespace {

constexpr int inputs = 10000;

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::string mutated(std::string input, const std::string& other, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return random() % std::max<std::size_t>(limit, 1); };
  for (auto changes = 1 + below(4); changes > 0; --changes) {
    const std::size_t at = below(input.size());
    switch (random() % 5) {
      case 0:
        if (!input.empty()) input[at] = static_cast<char>(random());
        break;
      case 1:
        input.erase(at, 1 + below(12));
        break;
      case 2:
        input.insert(at, 1 + below(3), "{}[]\",:\\0\n\xff"[random() % 11]);
        break;
      case 3:
        input.insert(at, input.substr(below(input.size()), below(40)));
        break;
      default:
        input.insert(at, other.substr(below(other.size()), below(40)));
    }
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    for (int i = 1; i < argc; ++i) {
      std::ifstream file(argv[i], std::ios::binary);
      run({std::istreambuf_iterator<char>(file), {}});
    }
    return 0;
  }
  std::mt19937 random(1);
  auto corpus = fuzz_seeds();
  for (const auto& seed : corpus) run(seed);
  for (int i = 0; i < inputs; ++i) {
    const auto& from = corpus[random() % corpus.size()];
    auto input = mutated(from, corpus[random() % corpus.size()], random);
    run(input);
    // Some go on being changed, so that changes add up.
    if (i % 16 == 0 && input.size() < 4096) corpus.push_back(std::move(input));
  }
  std::printf("%d inputs\n", inputs);
  return 0;
}
