// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/live/view.hpp"

#include "cli/live/draw.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::cli;
using namespace std::chrono_literals;

namespace {

StageState stage(const std::string& id, std::size_t workers, std::size_t done, Duration busy) {
  StageState state;
  state.id = id;
  state.workers = workers;
  state.done = done;
  state.queue_capacity = 4;
  state.times.busy = busy;
  return state;
}

/// decode and resize share two workers, of which resize takes the most; write has two of its own.
Snapshot second(int count) {
  const auto so_far = [&](Duration each) { return each * count; };
  const auto n = static_cast<std::size_t>(count);
  Snapshot now{.time = so_far(1s), .inputs = 200, .done = 10 * n, .failed = n, .stages = {}};
  now.stages = {stage("decode", 2, 12 * n, so_far(500ms)), stage("write", 2, 10 * n, so_far(100ms)),
                stage("resize", 0, 11 * n, so_far(1400ms))};
  now.stages[0].queue_depth = 3;
  now.stages[1].failed = n;
  now.stages[2].shares = 0;
  return now;
}

View view(std::size_t stages = 3) {
  View view{"file", second(8), 24, 100s, false, rows_of(second(3), second(8))};
  while (view.rows.size() > stages) view.rows.pop_back();
  return view;
}

std::string drawn(const View& view, const Screen& screen) {
  std::string text;
  for (const auto& line : draw(view, screen)) {
    CHECK(line.columns() < screen.columns);
    text += line.text() + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("stages that share workers stand together, and the one that takes most is the bottleneck",
          "[cli][live]") {
  const auto rows = rows_of(second(3), second(8));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].name == "decode");
  CHECK(rows[1].name == "resize");
  CHECK((!rows[0].shares && rows[1].shares && !rows[2].shares));
  CHECK((!rows[0].is_bottleneck && rows[1].is_bottleneck && !rows[2].is_bottleneck));
  CHECK_THAT(rows[0].busy, WithinAbs(0.25, 1e-9));
  CHECK_THAT(rows[1].busy, WithinAbs(0.7, 1e-9));
  CHECK_THAT(*rows[0].rate, WithinAbs(12, 1e-9));
  CHECK(rows[0].queued == 3);
  CHECK(rows[1].capacity == 0);
}

TEST_CASE("a stage that waits for others is no bottleneck, nor is one that hardly works",
          "[cli][live]") {
  auto before = second(1), now = second(2);
  for (auto* moment : {&before, &now})
    for (auto& state : moment->stages) state.times.busy /= 10;
  for (const auto& row : rows_of(before, now)) CHECK_FALSE(row.is_bottleneck);
  now.stages[1].times.pausing = 3s;  // its rate holds it up
  const auto rows = rows_of(before, now);
  CHECK(rows[2].is_bottleneck);
  for (const auto& row : rows_of(now, now)) CHECK_FALSE((row.is_bottleneck || row.rate));
}

TEST_CASE("the time left is not told before it means something, and follows the rate",
          "[cli][live]") {
  Pace pace;
  pace.add({});  // nothing is listed yet
  CHECK_FALSE(pace.left());
  for (int i = 0; i <= 2; ++i) {
    CHECK_FALSE(pace.left());
    pace.add(second(i));
  }
  REQUIRE(pace.left());
  CHECK_THAT(*pace.per_second(), WithinAbs(11, 0.01));
  CHECK(*pace.left() > 15s);
  CHECK(*pace.left() < 17s);
}

TEST_CASE("one item that takes long moves the estimate little, and what is skipped not at all",
          "[cli][live]") {
  Pace pace;
  Snapshot now{.inputs = 10000, .stages = {}};
  for (int i = 0; i < 60; ++i) {
    now.time = 1s * i;
    now.done = static_cast<std::size_t>(i) * 10;
    pace.add(now);
  }
  const auto before = *pace.left();
  now.time += 3s;
  pace.add(now);
  CHECK(*pace.left() > before);
  CHECK(*pace.left() < before * 5 / 4);
  now.skipped = 5000;
  pace.add(now);
  CHECK_THAT(*pace.per_second(), WithinAbs(9, 1));
  now.done = 5000;
  pace.add(now);
  CHECK_FALSE(pace.left());  // nothing is
}

TEST_CASE("a run is drawn as a bar and a table", "[cli][live]") {
  CHECK(
      drawn(view(), {.columns = 90, .unicode = false, .colours = false}) ==
      " ==============-------------------  44%  88 of 200 files  8 failed  24/s  1 min 40 s left\n"
      "  stage       done  failed     rate              busy    queue\n"
      "  decode        96             12/s  ##........   25%      3/4\n"
      "  + resize      88             11/s  #######...   70%           < bottleneck\n"
      "  write         80       8     11/s  ..........    5%      0/4\n");
}

TEST_CASE("a narrow or low screen shows what fits", "[cli][live]") {
  CHECK(drawn(view(), {.columns = 50, .lines = 24, .unicode = false, .colours = false}) ==
        " =======---------  44%  88 of 200 files  8 failed\n"
        "  stage       done  failed     rate  busy\n"
        "  decode        96             12/s   25%\n"
        "  + resize      88             11/s   70%  <\n"
        "  write         80       8     11/s    5%\n");
  CHECK(drawn(view(), {.columns = 60, .lines = 4, .unicode = false, .colours = false}) ==
        " ===-----  44%  88 of 200 files  8 failed  1 min 40 s left\n");
  CHECK(drawn(view(), {.columns = 20, .lines = 3, .unicode = false, .colours = false}) ==
        " 44%  88/200\n");
  CHECK(drawn(view(), {.columns = 2, .lines = 1, .unicode = true, .colours = false}) == " \n");
}

TEST_CASE("where not all stages have room, those that say most are shown", "[cli][live]") {
  const auto text = drawn(view(), {.columns = 60, .lines = 5, .unicode = false, .colours = false});
  CHECK_THAT(text, ContainsSubstring("+ resize"));
  CHECK_THAT(text, ContainsSubstring("and 2 more stages\n"));
  CHECK_THAT(text, !ContainsSubstring("decode"));
}

TEST_CASE("wide names and names that could harm a terminal are cut by their columns",
          "[cli][live]") {
  auto now = second(2);
  now.stages[0].id = "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\x1b[2J-and-more-than-fits";
  View one{"file", now, {}, {}, false, rows_of(second(1), now)};
  const auto text = drawn(one, {.columns = 45, .unicode = true, .colours = false});
  CHECK_THAT(text, ContainsSubstring("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\\x1b[2J\u2026"));
}

TEST_CASE("what waits for a CPU is no bottleneck beside what has it", "[cli][live]") {
  auto before = second(1), now = second(2);
  now.stages[1].times.waiting_cpu += 1900ms;
  const auto rows = rows_of(before, now);
  CHECK(rows[1].is_bottleneck);
  CHECK_FALSE(rows[2].is_bottleneck);
}

TEST_CASE("colours go around the text and never into its width", "[cli][live]") {
  const auto plain = draw(view(), {.colours = false}), coloured = draw(view(), {.colours = true});
  REQUIRE(plain.size() == coloured.size());
  for (std::size_t i = 0; i < plain.size(); ++i) CHECK(plain[i].columns() == coloured[i].columns());
  CHECK_THAT(coloured[0].text(), ContainsSubstring("\x1b["));
}

TEST_CASE("rates and times are told as people say them", "[cli][live]") {
  CHECK(rate_text(240) == "240/s");
  CHECK(rate_text(2.44) == "2.4/s");
  CHECK(rate_text(0.2) == "12/min");
  CHECK(rate_text(0.01) == "36/h");
  CHECK(rough_text(0.2) == "1 s");
  CHECK(rough_text(59.4) == "59 s");
  CHECK(rough_text(263) == "4 min 20 s");
  CHECK(rough_text(3000) == "50 min");
  CHECK(rough_text(7500) == "2 h 05 min");
  CHECK(rough_text(200000) == "2 days");
}
