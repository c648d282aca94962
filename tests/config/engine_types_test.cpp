// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/engine_types.hpp"

#include "support/catch.hpp"

using namespace millrace;
using namespace std::chrono_literals;

namespace {

template <class T>
std::optional<T> parse(const std::string& text) {
  T value{};
  return OptionType<T>::parse(Value::scalar(text), value) ? std::nullopt : std::optional(value);
}

}  // namespace

TEST_CASE("a backoff is its first wait, or the first and the longest", "[config][option]") {
  CHECK(parse<Backoff>("2s") == Backoff{2s, 30s});
  CHECK(parse<Backoff>("1.5s..1m") == Backoff{1500ms, 60s});
  CHECK(parse<Backoff>("5s..5s") == Backoff{5s, 5s});
  CHECK(parse<Backoff>("40s") == Backoff{40s, 40s});
  for (const char* text : {"", "..", "1s..", "..30s", "1s...30s", "1..30s", "30s..1s", "0s", "25h",
                           "1s..25h", "1s .. 30s", "-1s..2s", "1s..2s..3s"}) {
    INFO(text);
    CHECK_FALSE(parse<Backoff>(text));
  }
}

TEST_CASE("a rate is a number in a second, a minute or an hour", "[config][option]") {
  CHECK(parse<Rate>("20/s")->per_second == 20);
  CHECK(parse<Rate>("0.5/s")->per_second == 0.5);
  CHECK(parse<Rate>("90/min")->per_second == 1.5);
  CHECK(parse<Rate>("3600/h")->per_second == 1);
  for (const char* text : {"", "/", "/s", "20", "20/", "20/m", "20/sec", "20 /s", "20/s/s", "0/s",
                           "-1/s", "1e9/s", "inf/s", "0.001/h"}) {
    INFO(text);
    CHECK_FALSE(parse<Rate>(text));
  }
}

TEST_CASE("memory is a percentage or a size", "[config][option]") {
  CHECK(parse<MemoryShare>("50%") == MemoryShare{50, 0});
  CHECK(parse<MemoryShare>("0.5%") == MemoryShare{0.5, 0});
  CHECK(parse<MemoryShare>("2GiB") == MemoryShare{0, std::uint64_t{2} << 30});
  for (const char* text :
       {"", "%", "0%", "101%", "-5%", "nan%", "512", "100KiB", "2 GiB", "half"}) {
    INFO(text);
    CHECK_FALSE(parse<MemoryShare>(text));
  }
}

TEST_CASE("workers are a number, or one or more for each CPU", "[config][option]") {
  CHECK(parse<Workers>("3")->count == 3);
  CHECK(parse<Workers>("2*cpu")->per_cpu);
  for (const char* text : {"1", "1024", "cpu", "2*cpu"})
    CHECK(OptionType<Workers>::print(*parse<Workers>(text)) == std::string(text));
  for (const char* text : {"", "0", "1025", "cpus", "*cpu", "1.5*cpu", "0*cpu", "-1", "auto"}) {
    INFO(text);
    CHECK_FALSE(parse<Workers>(text));
  }
}

TEST_CASE("what is under way is a number or auto", "[config][option]") {
  CHECK(parse<InFlight>("20")->count == 20);
  REQUIRE(parse<InFlight>("auto"));
  CHECK_FALSE(parse<InFlight>("auto")->count);
  CHECK_FALSE(parse<InFlight>("many"));
}

TEST_CASE("the engine's types read back what they print", "[config][option]") {
  for (const char* text : {"1s..30s", "500ms..1m", "1h..2h"})
    CHECK(OptionType<Backoff>::print(*parse<Backoff>(text)) == text);
  for (const char* text : {"20/s", "90/min", "100/h", "7/min", "0.25/h", "0.1/s"}) {
    const auto rate = parse<Rate>(text)->per_second;
    const auto printed = OptionType<Rate>::print({rate});
    INFO(printed);
    CHECK_THAT(parse<Rate>(printed)->per_second, WithinAbs(rate, 1e-9));
  }
  CHECK(OptionType<Rate>::print({1.5}) == "90/min");
  for (const char* text : {"50%", "12.5%", "2GiB", "1536KiB", "auto"})
    CHECK(OptionType<MemoryShare>::print(*parse<MemoryShare>(text)) == std::string(text));
}
