// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <thread>

#include "support/catch.hpp"
#include "support/make_stage.hpp"
#include "support/temporary_folder.hpp"

using namespace millrace;
using namespace millrace::testing;

namespace {

using Names = std::vector<std::string>;

std::shared_ptr<RunOutputs> run_with(const std::vector<Origin>& inputs) {
  auto run = std::make_shared<RunOutputs>();
  for (const auto& input : inputs) run->add_input(input);
  return run;
}

/// A `write` stage, and what the engine does with it.
struct Writer {
  Writer(std::initializer_list<Settings::value_type> settings)
      : stage(make_stage("write", settings)) {}

  OutputForecast forecast(const std::vector<Origin>& items,
                          const std::shared_ptr<RunOutputs>& run = nullptr) const {
    std::vector<const Origin*> reaching;
    for (const auto& item : items) reaching.push_back(&item);
    return dynamic_cast<OutputPlanner&>(*stage).prepare(reaching, run ? run : run_with(items));
  }

  std::string prepare(const std::vector<Origin>& items,
                      const std::shared_ptr<RunOutputs>& run = nullptr) const {
    std::string all;
    for (const auto& complaint : forecast(items, run).complaints) all += complaint + "\n";
    return all;
  }

  /// The reason for which the item was skipped, or "".
  std::string write(Origin item, const std::string& text, const std::string& extension = "") const {
    auto data = std::make_shared<std::vector<std::byte>>(text.size());
    std::ranges::copy(std::as_bytes(std::span(text)), data->begin());
    ItemContext context(Context(), std::move(item));
    dynamic_cast<const Sink<Bytes>&>(*stage).run(context, Bytes{data, extension});
    return context.skipped().value_or("");
  }

  std::unique_ptr<Stage> stage;
};

Origin item(std::string path, std::filesystem::path file = {}) {
  return {std::move(path), std::move(file), 0, std::nullopt};
}

void set_age(const std::string& file, std::chrono::hours age) {
  std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - age);
}

}  // namespace

TEST_CASE("write puts each item where its template says", "[write]") {
  const TemporaryFolder folder;
  const Writer writer{{"path", folder / "out/{dir}/{stem}.{ext}"}};
  REQUIRE(writer.prepare({item("a/b.tif")}).empty());
  writer.write(item("a/b.tif"), "content", "webp");
  writer.write({"a/b.tif", {}, 0, 3}, "", "webp");
  CHECK(content_of(folder / "out/a/b.webp") == "content");
  CHECK(folder.names() == Names{"out", "out/a", "out/a/b-3.webp", "out/a/b.webp"});
}

TEST_CASE("write tells the stages before it which format is wanted", "[write]") {
  CHECK(Writer{{"path", "out/{stem}.WEBP"}}.stage->demand({}).extension == "webp");
  CHECK(Writer{{"path", "out/{stem}.{ext}"}}.stage->demand({}).extension.empty());
  CHECK_THROWS_WITH((Writer{{"path", "out/{stm}"}}), ContainsSubstring("no field {stm}"));
}

TEST_CASE("write refuses two items with one output before any work", "[write]") {
  const TemporaryFolder folder;
  const Writer writer{{"path", folder / "{stem}.webp"}};
  const auto complaint = writer.prepare({item("a.jpg"), item("b.jpg"), item("x/a.png")});
  CHECK_THAT(complaint, ContainsSubstring("2 items would be written to " + folder / "a.webp") &&
                            ContainsSubstring(": a.jpg, x/a.png"));
  CHECK_THAT(writer.prepare({item("a.jpg"), item("A.jpg")}), ContainsSubstring("case of letters"));
  CHECK(writer.prepare({item("a.jpg"), item("b.jpg")}).empty());
}

TEST_CASE("write names the first of many collisions and counts the rest", "[write]") {
  const TemporaryFolder folder;
  std::vector<Origin> items;
  for (int i = 0; i < 40; ++i)
    items.push_back(item(std::to_string(i / 2) + "." + std::to_string(i)));
  const auto complaint = Writer{{"path", folder / "{stem}"}}.prepare(items);
  CHECK_THAT(complaint, ContainsSubstring("and 15 more outputs with several items"));
  CHECK(std::ranges::count(complaint, '\n') == 7);
}

TEST_CASE("write refuses an output that is an input, by whatever name", "[write]") {
  const TemporaryFolder folder;
  const auto input = folder.file("in/a.jpg", "precious");
  std::filesystem::create_hard_link(input, folder / "hard.jpg");
  std::filesystem::create_symlink(input, folder / "soft.jpg");
  std::filesystem::create_directory_symlink("in", folder / "same");
  for (const std::string path : {"in/{path}", "hard.jpg", "soft.jpg", "same/{path}"}) {
    const Writer writer{{"path", folder / path}, {"if_exists", "overwrite"}};
    CHECK_THAT(writer.prepare({item("a.jpg", input)}), ContainsSubstring("is the input a.jpg"));
    CHECK_THROWS_WITH(writer.write(item("a.jpg", input), "x"), ContainsSubstring("is the input"));
  }
  CHECK(content_of(input) == "precious");
}

TEST_CASE("write finds by its content's extension what it could not foresee", "[write]") {
  const TemporaryFolder folder;
  const auto input = folder.file("a.jpg", "precious");
  const Writer writer{{"path", folder / "{stem}.{ext}"}, {"if_exists", "overwrite"}};
  REQUIRE(writer.prepare({item("a.jpg", input), item("a.png")}).empty());
  CHECK_THROWS_WITH(writer.write(item("a.jpg", input), "x", "jpg"),
                    ContainsSubstring("is the input"));
  writer.write(item("a.jpg", input), "first", "webp");
  CHECK_THROWS_WITH(writer.write(item("a.png"), "second", "webp"),
                    ContainsSubstring("already written in this run, from a.jpg"));
  CHECK(content_of(folder / "a.webp") == "first");
}

TEST_CASE("write lets one of many threads have a name", "[write]") {
  const TemporaryFolder folder;
  const Writer writer{{"path", folder / "x"}, {"if_exists", "overwrite"}};
  std::atomic<int> done = 0, refused = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&, i] {
        try {
          writer.write(item(std::to_string(i)), "x");
          ++done;
        } catch (const Error&) {
          ++refused;
        }
      });
  }
  CHECK(done == 1);
  CHECK(refused == 7);
}

TEST_CASE("write does not start where outputs exist, unless told what to do", "[write]") {
  const TemporaryFolder folder;
  folder.file("a.txt", "old");
  const Writer writer{{"path", folder / "{stem}.txt"}};
  CHECK_THAT(writer.prepare({item("a.jpg"), item("b.jpg")}),
             ContainsSubstring("1 output exists already: " + folder / "a.txt") &&
                 ContainsSubstring("if_exists"));
  CHECK_THROWS_WITH(writer.write(item("a.jpg"), "new"), ContainsSubstring("exists already"));
  CHECK(content_of(folder / "a.txt") == "old");
  CHECK(folder.names() == Names{"a.txt"});
}

TEST_CASE("write skips, replaces or renames what exists, as told", "[write]") {
  const TemporaryFolder folder;
  folder.file("a.txt", "old");
  const auto written = [&](const std::string& if_exists) {
    const Writer writer{{"path", folder / "{stem}.txt"}, {"if_exists", if_exists}};
    CHECK(writer.prepare({item("a.jpg")}).empty());
    return writer.write(item("a.jpg"), if_exists);
  };
  CHECK_THAT(written("skip"), ContainsSubstring("exists already"));
  CHECK(content_of(folder / "a.txt") == "old");
  CHECK(written("suffix").empty());
  CHECK(written("suffix").empty());
  CHECK(folder.names() == Names{"a.txt", "a_2.txt", "a_3.txt"});
  CHECK(written("overwrite").empty());
  CHECK(content_of(folder / "a.txt") == "overwrite");
}

TEST_CASE("write replaces with `newer` what is older than its input", "[write]") {
  const TemporaryFolder folder;
  const auto input = folder.file("in/a.jpg", "x");
  const auto output = folder.file("a.txt", "old");
  const auto written = [&] {
    const Writer writer{{"path", folder / "{stem}.txt"}, {"if_exists", "newer"}};
    CHECK(writer.prepare({item("a.jpg", input)}).empty());
    return writer.write(item("a.jpg", input), "new");
  };
  set_age(input, std::chrono::hours(1));
  CHECK_THAT(written(), ContainsSubstring("newer than the input"));
  CHECK(content_of(output) == "old");
  set_age(output, std::chrono::hours(2));
  CHECK(written().empty());
  CHECK(content_of(output) == "new");
}

TEST_CASE("write says before any work that its folder cannot be made", "[write]") {
  const TemporaryFolder folder;
  folder.file("file");
  const Writer writer{{"path", folder / "file/out/{path}"}};
  CHECK_THAT(writer.prepare({item("a")}),
             ContainsSubstring(folder / "file is a file, not a folder"));
  CHECK_THROWS_WITH(writer.write(item("a"), "x"), ContainsSubstring("is a file, not a folder"));
  std::filesystem::create_directory(folder / "a");
  const Writer other{{"path", folder / "{path}"}, {"if_exists", "overwrite"}};
  CHECK_THAT(other.prepare({item("a")}), ContainsSubstring("is a folder"));
}

TEST_CASE("write refuses an item whose name leads out of the folder", "[write]") {
  const TemporaryFolder folder;
  const Writer writer{{"path", folder / "out/{path}"}};
  CHECK_THAT(writer.prepare({item("../../x")}), ContainsSubstring("../../x: the output"));
  CHECK_THROWS_WITH(writer.write(item("../x"), "x"), ContainsSubstring("would leave"));
  CHECK(folder.names().empty());
}

TEST_CASE("write gives an output back when it fails, so that it can be tried again", "[write]") {
  const TemporaryFolder folder;
  const Writer writer{{"path", folder / "sub/x"}};
  folder.file("sub", "in the way");
  CHECK_THROWS_AS(writer.write(item("a"), "x"), Error);
  std::filesystem::remove(folder / "sub");
  writer.write(item("a"), "x");
  CHECK(content_of(folder / "sub/x") == "x");
}

TEST_CASE("write leaves nothing when it is cancelled", "[write]") {
  const TemporaryFolder folder;
  const Writer writer{{"path", folder / "{path}"}};
  const Context context;
  context.cancel();
  ItemContext cancelled(context, item("a"));
  const auto data = std::make_shared<std::vector<std::byte>>(10);
  CHECK_THROWS_AS(dynamic_cast<const Sink<Bytes>&>(*writer.stage).run(cancelled, Bytes{data, ""}),
                  Error);
  CHECK(folder.names().empty());
}

TEST_CASE("write keeps every byte of a name", "[write]") {
  const TemporaryFolder folder;
  const Writer writer{{"path", folder / "{path}"}};
  Names names = {"-rf", "a\nb", "%s%n", "\xff\xfe", "  ", std::string(255, 'x')};
  for (const auto& name : names) writer.write(item(name), name);
  std::ranges::sort(names);
  CHECK(folder.names() == names);
  for (const auto& name : names) CHECK(content_of(folder / name) == name);
}

TEST_CASE("two writers of a run do not share an output, however it is spelt", "[stage][write]") {
  const TemporaryFolder folder;
  const std::vector<Origin> items = {item("a.jpg")};
  const auto run = run_with(items);
  const Writer first{{"path", folder / "out/{stem}.jpg"}};
  REQUIRE(first.prepare(items, run).empty());
  const Writer second{{"path", folder / "./out//{path}"}};
  CHECK_THAT(second.prepare(items, run), ContainsSubstring("by another sink too, from a.jpg"));
  first.write(items[0], "one", "jpg");
  CHECK_THROWS_WITH(second.write(items[0], "two", "jpg"),
                    ContainsSubstring("already written in this run"));
}

TEST_CASE("write does not take the input of another source for its output", "[stage][write]") {
  const TemporaryFolder folder;
  const auto input = folder.file("in/a.jpg", "input");
  const std::vector<Origin> all = {item("a.jpg", input), item("x/a.jpg")};
  const Writer writer{{"path", folder / "in/{stem}.jpg"}, {"if_exists", "overwrite"}};
  CHECK_THAT(writer.prepare({all[1]}, run_with(all)), ContainsSubstring("is the input a.jpg"));
}

TEST_CASE("write does not replace a pipe", "[stage][write]") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const Writer writer{{"path", folder / "pipe"}, {"if_exists", "overwrite"}};
  CHECK_THAT(writer.prepare({item("a")}), ContainsSubstring("is a pipe"));
}
