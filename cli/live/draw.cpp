// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/live/draw.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "cli/console.hpp"

namespace millrace::cli {
namespace {

constexpr std::size_t widest = 100;        // a wider table is harder to read
constexpr std::size_t least_columns = 40;  // for a table
constexpr std::size_t least_lines = 4;
constexpr std::size_t least_for_bar = 30;

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

std::string percent(double share) {
  return std::to_string(static_cast<int>(share * 100 + 1e-9)) + "%";
}

/// A part of what is said of the whole run; the higher its `rank`, the sooner it is left out.
struct Part {
  std::string text;
  int rank;
  Style style = Style::plain;
};

std::vector<Part> parts_of(const View& view, bool is_narrow) {
  const auto& now = view.now;
  if (now.inputs == 0)
    return {{"looking for " + view.noun + "s", 0}, {elapsed_text(now.time), 1, Style::faint}};
  std::vector<Part> parts;
  parts.push_back({percent(static_cast<double>(now.ended()) / static_cast<double>(now.inputs)), 0,
                   Style::strong});
  const auto ended = std::to_string(now.ended());
  parts.push_back({is_narrow ? ended + "/" + std::to_string(now.inputs)
                             : ended + " of " + counted(now.inputs, view.noun),
                   1});
  if (now.failed > 0) parts.push_back({std::to_string(now.failed) + " failed", 2, Style::bad});
  if (now.skipped > 0) parts.push_back({std::to_string(now.skipped) + " skipped", 5, Style::faint});
  if (view.stopping) {
    parts.push_back({"stopping", 3, Style::marked});
    return parts;
  }
  if (view.rate) parts.push_back({rate_text(*view.rate), 4});
  if (view.left)
    parts.push_back({rough_text(seconds(*view.left)) + " left", 3});
  else
    parts.push_back({elapsed_text(now.time), 6, Style::faint});
  return parts;
}

std::size_t width_of(const std::vector<Part>& parts) {
  std::size_t width = 0;
  for (const auto& part : parts) width += columns_of(part.text) + 2;
  return width;
}

/// One line for the whole run: a bar as long as there is room, at least a short one.
Line overall(const View& view, const Screen& screen, std::size_t columns) {
  constexpr std::size_t shortest_bar = 6, longest_bar = 40;
  auto parts = parts_of(view, columns < least_columns);
  const bool has_bar = view.now.inputs > 0 && columns >= least_for_bar;
  const std::size_t bar = has_bar ? shortest_bar + 1 : 0;
  while (parts.size() > 1 && width_of(parts) + bar > columns)
    parts.erase(std::ranges::max_element(parts, {}, &Part::rank));
  Line line(screen, columns);
  const auto words = width_of(parts);
  if (has_bar && words + bar <= columns) {
    const auto length = std::min(longest_bar, columns - words - 1);
    const double share =
        static_cast<double>(view.now.ended()) / static_cast<double>(view.now.inputs);
    const auto [done, rest] = thin_bar(share, length, screen.unicode);
    line.add(" ").add(done, Style::good).add(rest, Style::faint);
  }
  for (const auto& part : parts)
    line.add(line.columns() > 0 ? "  " : " ").add(part.text, part.style);
  return line;
}

/// Which columns the table has, and where each ends.
struct Table {
  Table(const std::vector<StageRow>& rows, const Screen& screen, std::size_t columns);

  const Screen& screen;
  std::size_t columns;
  std::size_t name = 5;                                                      // the width
  std::size_t done = 0, failed = 0, rate = 0, bar = 0, busy = 0, queue = 0;  // the ends; 0: none
  std::size_t mark = 0;                                                      // its beginning
  std::string mark_text;

  static constexpr std::size_t longest_bar = 10;
};

/// Names in front of the rest are cut to what most ids need.
Table::Table(const std::vector<StageRow>& rows, const Screen& on, std::size_t width)
    : screen(on), columns(width) {
  constexpr std::size_t longest_name = 20;
  bool has_failed = false;
  for (const auto& row : rows) {
    name = std::max(name, std::min(longest_name, columns_of(row.name) + (row.shares ? 2 : 0)));
    has_failed = has_failed || row.failed > 0;
  }
  name = std::min(name, width < 60 ? std::size_t{14} : longest_name);
  const std::string arrow = screen.unicode ? "\u25c0" : "<";
  mark_text = arrow + (width < 60 ? "" : " bottleneck");
  const auto for_mark = columns_of(mark_text) + 2;
  const auto room = [&](std::size_t end) { return end + for_mark <= width; };

  std::size_t end = 2 + name;
  done = end += 8;
  if (has_failed && room(end + 8 + 6)) failed = end += 8;
  std::size_t wish = end + 6;  // busy in percent
  const bool has_rate = room(wish + 9), has_queue = room(wish + 9 + 9);
  const bool has_bar = room(wish + 9 + 9 + longest_bar + 2);
  if (has_rate) rate = end += 9;
  if (has_bar) bar = end += longest_bar + 2;
  busy = end += 6;
  if (has_queue) queue = end += 9;
  mark = end + 2;
}

Line header(const Table& table) {
  Line line(table.screen, table.columns);
  const auto title = [&](const char* text, std::size_t end) {
    if (end > 0) line.right(text, end, Style::faint);
  };
  line.to(2).add("stage", Style::faint);
  title("done", table.done);
  title("failed", table.failed);
  title("rate", table.rate);
  title("busy", table.busy);
  title("queue", table.queue);
  return line;
}

Line row_line(const StageRow& row, bool is_last_of_shared, const Table& table) {
  Line line(table.screen, table.columns);
  const bool unicode = table.screen.unicode;
  const auto style = row.is_bottleneck ? Style::marked : Style::plain;
  line.to(2);
  if (row.shares)
    line.add(!unicode ? "+ " : is_last_of_shared ? "\u2514 " : "\u251c ", Style::faint);
  line.add(cut(row.name, table.name - (row.shares ? 2 : 0), unicode), style);
  const auto cell = [&](const std::string& text, std::size_t end, Style its) {
    if (end > 0) line.right(text, end, its);
  };
  cell(std::to_string(row.done), table.done, Style::plain);
  cell(row.failed > 0 ? std::to_string(row.failed) : "", table.failed, Style::bad);
  cell(row.rate && *row.rate > 0 ? rate_text(*row.rate) : "", table.rate, Style::plain);
  if (table.bar > 0) {
    const auto [done, rest] = full_bar(row.busy, Table::longest_bar, unicode);
    line.to(table.bar - Table::longest_bar);
    line.add(done, row.is_bottleneck ? Style::marked : Style::good).add(rest, Style::faint);
  }
  cell(percent(row.busy), table.busy, style);
  cell(row.capacity > 0 ? std::to_string(row.queued) + "/" + std::to_string(row.capacity) : "",
       table.queue, Style::plain);
  if (row.is_bottleneck) line.to(table.mark).add(table.mark_text, Style::marked);
  return line;
}

/// The rows that say most where not all have room: failures, the bottleneck, then the busiest.
std::vector<std::size_t> chosen(const std::vector<StageRow>& rows, std::size_t room) {
  std::vector<std::size_t> places(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) places[i] = i;
  if (rows.size() <= room) return places;
  const auto weight = [&](std::size_t i) {
    return rows[i].busy + (rows[i].is_bottleneck ? 4 : 0) + (rows[i].failed > 0 ? 2 : 0);
  };
  std::ranges::stable_sort(places, [&](auto a, auto b) { return weight(a) > weight(b); });
  places.resize(room - 1);  // one line says how many more there are
  std::ranges::sort(places);
  return places;
}

}  // namespace

std::vector<Line> draw(const View& view, const Screen& screen) {
  // The last column stays free: some terminals go to the next line from there.
  const auto columns = std::min(widest, std::max<std::size_t>(screen.columns, 2) - 1);
  const auto lines = std::max<std::size_t>(screen.lines, 2) - 1;
  std::vector<Line> drawn{overall(view, screen, columns)};
  if (screen.columns < least_columns || lines < least_lines || view.rows.empty()) return drawn;
  const Table table(view.rows, screen, columns);
  drawn.push_back(header(table));
  const auto places = chosen(view.rows, lines - 2);
  for (const auto i : places) {
    const bool is_last = i + 1 == view.rows.size() || !view.rows[i + 1].shares;
    drawn.push_back(row_line(view.rows[i], is_last, table));
  }
  if (places.size() < view.rows.size())
    drawn.push_back(
        Line(screen, columns)
            .to(2)
            .add("and " + counted(view.rows.size() - places.size(), "more stage"), Style::faint));
  return drawn;
}

std::string in_words(const View& view) {
  const auto& now = view.now;
  if (now.inputs == 0) return "looking for " + view.noun + "s";
  std::string text = std::to_string(now.ended()) + " of " + counted(now.inputs, view.noun);
  if (now.failed > 0) text += ", " + std::to_string(now.failed) + " failed";
  if (view.rate) text += ", " + rate_text(*view.rate);
  if (view.left) text += ", " + rough_text(seconds(*view.left)) + " left";
  return text;
}

}  // namespace millrace::cli
