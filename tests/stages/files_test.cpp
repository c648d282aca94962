// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/catch.hpp"
#include "support/make_stage.hpp"
#include "support/temporary_folder.hpp"

using namespace millrace;
using namespace millrace::testing;

namespace {

struct Listing {
  std::vector<Origin> items;
  std::vector<std::string> failures;

  std::vector<std::string> paths() const {
    std::vector<std::string> paths;
    for (const auto& item : items) paths.push_back(item.path);
    return paths;
  }
};

std::unique_ptr<Stage> files(Settings settings) { return make_stage("files", settings); }

Listing listed(const Stage& stage) {
  Listing listing;
  dynamic_cast<const Source&>(stage).list(
      Context(), [&](Origin item) { listing.items.push_back(std::move(item)); },
      [&](const Origin& item, const Error& error) {
        listing.failures.push_back(item.path + ": " + error.what());
      });
  return listing;
}
Listing listed(Settings settings) { return listed(*files(std::move(settings))); }

std::string opened(const Stage& stage, Origin item) {
  ItemContext context(Context(), std::move(item));
  const auto payload = dynamic_cast<const Source&>(stage).open(context);
  const auto& bytes = std::get<Bytes>(payload);
  std::string text(reinterpret_cast<const char*>(bytes.data->data()), bytes.data->size());
  return text + "|" + bytes.extension;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("files lists a folder's tree in natural order, without hidden files", "[files]") {
  const TemporaryFolder folder;
  for (const auto name : {"page10.tif", "page2.tif", "a/x.png", "a/.secret", ".git/config"})
    folder.file(name);
  const auto listing = listed({{"path", folder.path()}});
  CHECK(listing.paths() == Names{"a/x.png", "page2.tif", "page10.tif"});
  CHECK(listing.items[2].index == 2);
  CHECK(listing.items[2].file == folder / "page10.tif");
  CHECK(listed({{"path", folder.path()}, {"order", "name"}}).paths() ==
        Names{"a/x.png", "page10.tif", "page2.tif"});
  CHECK(listed({{"path", folder.path()}, {"hidden", "true"}}).paths() ==
        Names{".git/config", "a/.secret", "a/x.png", "page2.tif", "page10.tif"});
  CHECK(listed({{"path", folder.path()}, {"recursive", "false"}}).paths() ==
        Names{"page2.tif", "page10.tif"});
}

TEST_CASE("files keeps every byte of a name", "[files]") {
  const TemporaryFolder folder;
  Names names = {"-rf", "a\nb", "%s%n", "\xff\xfe", "  ", std::string(255, 'x'), "a\tb\\", "'\""};
  for (const auto& name : names) folder.file(name, name);
  const auto stage = files({{"path", folder.path()}, {"order", "name"}});
  const auto listing = listed(*stage);
  std::ranges::sort(names);
  CHECK(listing.paths() == names);
  for (const auto& item : listing.items) CHECK(opened(*stage, item) == item.path + "|");
}

TEST_CASE("files takes what matches and leaves out what is excluded", "[files]") {
  const TemporaryFolder folder;
  for (const auto name : {"a.JPG", "b.png", "sub/c.jpg", "sub/d.txt", "thumbs/e.jpg"})
    folder.file(name);
  const std::string path = folder.path();
  CHECK(listed({{"path", path}, {"match", "**/*.jpg"}}).paths() ==
        Names{"a.JPG", "sub/c.jpg", "thumbs/e.jpg"});
  CHECK(listed({{"path", path}, {"match", "*.jpg"}, {"match", "*.png"}, {"exclude", "thumbs"}})
            .paths() == Names{"a.JPG", "b.png", "sub/c.jpg"});
  CHECK(listed({{"path", path}, {"match", "sub/*"}, {"exclude", "*.txt"}}).paths() ==
        Names{"sub/c.jpg"});
}

TEST_CASE("files takes a pattern, and names are relative to its fixed part", "[files]") {
  const TemporaryFolder folder;
  for (const auto name : {"in/a.jpg", "in/b/c.jpg", "in/b/d/e.jpg", "in/[x].jpg"})
    folder.file(name);
  CHECK(listed({{"path", folder / "in/*.jpg"}}).paths() == Names{"[x].jpg", "a.jpg"});
  CHECK(listed({{"path", folder / "in/**/*.jpg"}, {"exclude", "[[]x].jpg"}}).paths() ==
        Names{"a.jpg", "b/c.jpg", "b/d/e.jpg"});
  CHECK(listed({{"path", folder / "*/b/*"}}).paths() == Names{"in/b/c.jpg"});
  CHECK(listed({{"path", folder / "in/[x].jpg"}}).paths() == Names{"[x].jpg"});
  CHECK_THROWS_WITH(files({{"path", "in/**"}, {"recursive", "false"}}),
                    ContainsSubstring("recursive"));
}

TEST_CASE("files takes one file that is named", "[files]") {
  const TemporaryFolder folder;
  folder.file("in/.a.JPG", "x");
  const auto stage = files({{"path", folder / "in/.a.JPG"}, {"match", "*.png"}});
  const auto listing = listed(*stage);
  REQUIRE(listing.paths() == Names{".a.JPG"});
  CHECK(opened(*stage, listing.items[0]) == "x|jpg");
}

TEST_CASE("files takes several folders, files and patterns, in the order given", "[files]") {
  const TemporaryFolder folder;
  for (const auto name : {"b/10.png", "b/2.png", "b/sub/x.png", "a/1.png", "single.tif", "c/y.png"})
    folder.file(name);
  const Settings settings = {{"path", folder / "b"},
                             {"path", folder / "single.tif"},
                             {"path", folder / "c/*.png"},
                             {"path", folder / "a"},
                             {"match", "*.png"}};
  const auto listing = listed(settings);
  CHECK(listing.paths() == Names{"2.png", "10.png", "sub/x.png", "single.tif", "y.png", "1.png"});
  CHECK(listing.items[5].index == 5);
  CHECK(listing.items[5].file == folder / "a/1.png");
  CHECK_THROWS_WITH(listed({{"path", folder / "b"}, {"path", folder / "d"}}),
                    ContainsSubstring("cannot read " + folder / "d"));
}

TEST_CASE("files names what is given twice, however it is spelt", "[files]") {
  const TemporaryFolder folder;
  folder.file("a/sub/x.png");
  folder.file("a/y.png");
  CHECK_THROWS_WITH(listed({{"path", folder / "a"}, {"path", folder / "a/sub/../y.png"}}),
                    ContainsSubstring("is there twice, by " + folder / "a" + " and by "));
  std::filesystem::create_directory_symlink(folder / "a", folder / "link");
  CHECK_THROWS_WITH(listed({{"path", folder / "a/*.png"}, {"path", folder / "link/y.png"}}),
                    ContainsSubstring("is there twice"));
}

TEST_CASE("files lists each folder once, under its real name", "[files]") {
  const TemporaryFolder folder;
  folder.file("b/c/x.jpg");
  folder.file("other/y.jpg");
  std::filesystem::create_directory_symlink("..", folder / "b/c/loop");
  std::filesystem::create_directory_symlink("b", folder / "a");
  std::filesystem::create_symlink("x.jpg", folder / "b/c/link.jpg");
  CHECK(listed({{"path", folder.path()}}).paths() ==
        Names{"b/c/link.jpg", "b/c/x.jpg", "other/y.jpg"});
  std::filesystem::create_directory_symlink("../other", folder / "b/z");
  CHECK(listed({{"path", folder / "b"}}).paths() == Names{"c/link.jpg", "c/x.jpg", "z/y.jpg"});
}

TEST_CASE("files tells what it cannot list and goes on", "[files]") {
  const TemporaryFolder folder;
  folder.file("a.jpg");
  folder.file("z.jpg");
  std::filesystem::create_symlink("nowhere", folder / "broken.jpg");
  std::filesystem::create_symlink("nowhere", folder / "broken.txt");
  const auto listing = listed({{"path", folder.path()}, {"match", "*.jpg"}});
  CHECK(listing.paths() == Names{"a.jpg", "z.jpg"});
  CHECK(listing.items[1].index == 2);
  REQUIRE(listing.failures.size() == 1);
  CHECK_THAT(listing.failures[0], ContainsSubstring("broken.jpg: it is a symbolic link to"));
}

TEST_CASE("files leaves out what is not a regular file, and our own temporaries", "[files]") {
  const TemporaryFolder folder;
  folder.file("a.jpg");
  folder.file(".a.jpg.millrace-a1b2c3.tmp");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(listed({{"path", folder.path()}, {"hidden", "true"}}).paths() == Names{"a.jpg"});
}

TEST_CASE("files says which option is wrong when there is nothing to do", "[files]") {
  const TemporaryFolder folder;
  const std::string path = folder.path();
  CHECK_THROWS_WITH(listed({{"path", folder / "none"}}),
                    ContainsSubstring("path: ") && ContainsSubstring("does not exist"));
  CHECK_THROWS_WITH(listed({{"path", folder / "none/*.x"}}), ContainsSubstring("does not exist"));
  CHECK_THROWS_WITH(listed({{"path", path}}), ContainsSubstring("no file in " + path));
  folder.file("a.txt");
  CHECK_THROWS_WITH(listed({{"path", path}, {"match", "*.jpg"}}),
                    ContainsSubstring("matches *.jpg") && ContainsSubstring("1 file is there"));
  CHECK_THROWS_WITH(listed({{"path", folder / "*.jpg"}}), ContainsSubstring("matches *.jpg"));
  CHECK_THROWS_WITH(listed({{"path", folder / "a.txt/"}}), ContainsSubstring("not a folder"));
  CHECK_THROWS_WITH(listed({{"path", "/dev/null"}}), ContainsSubstring("is a device"));
  CHECK_THROWS_WITH(files({{"path", ""}}), ContainsSubstring("path: it is empty"));
}

TEST_CASE("files reads nothing that is not a regular file, and nothing too large", "[files]") {
  const TemporaryFolder folder;
  folder.file("a", "12345");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const auto stage = files({{"path", folder.path()}, {"max_file_size", "4"}});
  const auto open = [&](const std::string& name) {
    return opened(*stage, {name, folder / name, 0, {}});
  };
  CHECK_THROWS_WITH(open("a"), ContainsSubstring("5 bytes; max_file_size allows 4"));
  CHECK_THROWS_WITH(open("pipe"), ContainsSubstring("it is a named pipe"));
  CHECK_THROWS_WITH(open("."), ContainsSubstring("it is a folder"));
  CHECK_THROWS_WITH(open("none"), ContainsSubstring("it does not exist"));
  folder.file("empty", "");
  CHECK(open("empty") == "|");
}

TEST_CASE("files reads a file whole although its size was told wrong", "[files]") {
  const auto stage = files({{"path", "/proc"}});
  CHECK_THAT(opened(*stage, {"status", "/proc/self/status", 0, {}}), ContainsSubstring("VmRSS"));
}

TEST_CASE("files ends when it is cancelled", "[files]") {
  const TemporaryFolder folder;
  folder.file("a");
  const auto stage = files({{"path", folder.path()}});
  const auto& source = dynamic_cast<const Source&>(*stage);
  const Context context;
  context.cancel();
  CHECK_THROWS_AS(source.list(
                      context, [](const Origin&) {}, [](const Origin&, const Error&) {}),
                  Error);
  ItemContext item(context, {"a", folder / "a", 0, {}});
  CHECK_THROWS_AS(source.open(item), Error);
}

TEST_CASE("files tells an item's memory by what is behind it", "[stage][files][memory]") {
  const TemporaryFolder folder;
  const Origin item{"a.jpg", folder.file("a.jpg", std::string(100'000, 'x')), 0, {}};
  const auto stage = files({{"path", folder.path()}});
  const auto& source = dynamic_cast<const Source&>(*stage);
  CHECK(source.memory(item) == 100'000);
  Demand demand;
  demand.memory = [](const Bytes& head, std::uint64_t length) {
    return head.data->size() * 1'000'000 + length + (head.extension == "jpg" ? 1 : 0);
  };
  REQUIRE(stage->accept(demand).empty());
  CHECK(source.memory(item) == 65'536 * 1'000'000ull + 100'000 + 1);
  demand.memory = [](const Bytes&, std::uint64_t) -> std::uint64_t { throw 42; };
  REQUIRE(stage->accept(demand).empty());
  CHECK(source.memory(item) == 100'000);
}

TEST_CASE("files tells no memory of what it will not read", "[stage][files][memory]") {
  const TemporaryFolder folder;
  folder.file("large", "12345");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const auto stage = files({{"path", folder.path()}, {"max_file_size", "4"}});
  for (const auto* name : {"large", "pipe", "none", "."})
    CHECK(dynamic_cast<const Source&>(*stage).memory({name, folder / name, 0, {}}) == 0);
}

TEST_CASE("files complains where a name would promise another format", "[stage][files]") {
  Demand demand;
  demand.extension = "webp";
  const auto complaints = [&](std::initializer_list<Settings::value_type> settings) {
    return make_stage("files", settings)->accept(demand);
  };
  REQUIRE(complaints({{"path", "."}}).size() == 1);
  CHECK_THAT(complaints({{"path", "."}})[0], ContainsSubstring("put '- decode' behind"));
  CHECK(complaints({{"path", "in/*.WebP"}}).empty());
  CHECK(complaints({{"path", "in/*.jpg"}}).size() == 1);
  demand.extension = "txt";
  CHECK(complaints({{"path", "."}}).empty());
}
