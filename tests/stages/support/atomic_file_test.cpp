// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/atomic_file.hpp"

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "millrace/error.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/temporary_folder.hpp"

using namespace millrace;
using namespace millrace::testing;
using Existing = AtomicFile::Existing;
using Start = AtomicFile::Start;

namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

/// Files with and without a name while they are written.
const std::vector<Start> starts = {Start::unnamed_if_possible, Start::named};

}  // namespace

TEST_CASE("a file that is published is there whole, in folders made for it", "[write][atomic]") {
  for (const auto start : starts) {
    const TemporaryFolder folder;
    AtomicFile file(folder / "a/b/c.txt", start);
    file.write(bytes("one "));
    file.write(bytes("two"));
    file.sync();
    CHECK_FALSE(std::filesystem::exists(folder / "a/b/c.txt"));
    REQUIRE(file.publish("c.txt", Existing::keep));
    CHECK(content_of(folder / "a/b/c.txt") == "one two");
    CHECK(folder.names() == std::vector<std::string>{"a", "a/b", "a/b/c.txt"});
  }
}

TEST_CASE("a file that is not published leaves nothing", "[write][atomic]") {
  for (const auto start : starts) {
    const TemporaryFolder folder;
    {
      AtomicFile file(folder / "c.txt", start);
      file.write(bytes("half"));
    }
    CHECK(folder.names().empty());
  }
}

TEST_CASE("a file that is there is kept or replaced as asked", "[write][atomic]") {
  for (const auto start : starts) {
    const TemporaryFolder folder;
    folder.file("c.txt", "old");
    AtomicFile file(folder / "c.txt", start);
    file.write(bytes("new"));
    CHECK_FALSE(file.publish("c.txt", Existing::keep));
    CHECK(content_of(folder / "c.txt") == "old");
    REQUIRE(file.publish("c.txt", Existing::replace));
    CHECK(content_of(folder / "c.txt") == "new");
    CHECK(folder.names() == std::vector<std::string>{"c.txt"});
  }
}

TEST_CASE("another name may be tried when one is taken", "[write][atomic]") {
  for (const auto start : starts) {
    const TemporaryFolder folder;
    folder.file("c.txt", "old");
    AtomicFile file(folder / "c.txt", start);
    CHECK_FALSE(file.publish("c.txt", Existing::keep));
    CHECK(file.publish("d.txt", Existing::keep));
    CHECK(folder.names() == std::vector<std::string>{"c.txt", "d.txt"});
  }
}

TEST_CASE("a link is replaced, not what it leads to", "[write][atomic]") {
  for (const auto start : starts) {
    const TemporaryFolder folder;
    folder.file("precious", "old");
    std::filesystem::create_symlink("precious", folder / "c.txt");
    AtomicFile file(folder / "c.txt", start);
    REQUIRE(file.publish("c.txt", Existing::replace));
    CHECK(content_of(folder / "precious") == "old");
    CHECK(content_of(folder / "c.txt").empty());
  }
}

TEST_CASE("a name of 255 bytes can be written, a longer one is told", "[write][atomic]") {
  for (const auto start : starts) {
    const TemporaryFolder folder;
    std::string name;
    while (name.size() < 254) name += "\xc3\xa4";
    name += "x";
    AtomicFile file(folder / name, start);
    CHECK(file.publish(name, Existing::replace));
    CHECK(folder.names() == std::vector<std::string>{name});
    AtomicFile longer(folder / (name + "y"), start);
    CHECK_THROWS_WITH(longer.publish(name + "y", Existing::keep), ContainsSubstring("too long"));
  }
}

TEST_CASE("a new file has the mode that the umask leaves", "[write][atomic]") {
  for (const auto start : starts) {
    const TemporaryFolder folder;
    const auto before = ::umask(027);
    AtomicFile file(folder / "c.txt", start);
    ::umask(before);
    REQUIRE(file.publish("c.txt", Existing::keep));
    CHECK((std::filesystem::status(folder / "c.txt").permissions() ==
           static_cast<std::filesystem::perms>(0640)));
  }
}

TEST_CASE("a folder that cannot be made is told, with what is in its way", "[write][atomic]") {
  const TemporaryFolder folder;
  folder.file("a", "a file");
  CHECK_THROWS_WITH(AtomicFile(folder / "a/b/c.txt"),
                    ContainsSubstring("cannot make the folder " + folder / "a/b") &&
                        ContainsSubstring(folder / "a is a file"));
}

TEST_CASE("a file above the size that is allowed is told and leaves nothing", "[write][atomic]") {
  for (const auto start : starts) {
    const TemporaryFolder folder;
    const auto result = in_child([&]() -> std::string {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{4096, 4096};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      AtomicFile file(folder / "c.txt", start);
      file.write(bytes(std::string(10000, 'x')));
      return "written";
    });
    CHECK(result.status == 0);
    CHECK_THAT(result.text, ContainsSubstring("c.txt: it is larger than a file may be"));
    CHECK(folder.names().empty());
  }
}

TEST_CASE("a full disk is told and nothing partial is left", "[write][atomic]") {
  for (const auto start : starts) {
    const TemporaryFolder folder;
    const auto result = in_child([&]() -> std::string {
      if (::unshare(CLONE_NEWNS) != 0 ||
          ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
          ::mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0)
        return not_allowed;
      try {
        AtomicFile file(folder / "c.txt", start);
        file.write(bytes(std::string(200000, 'x')));
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::resource) return "a wrong kind";
        return folder.names().empty() ? error.what() : "a file is left";
      }
      return "written";
    });
    if (result.text == not_allowed)
      WARN("skipped: a small disk cannot be mounted here");
    else
      CHECK_THAT(result.text, ContainsSubstring("c.txt: no space left on the disk"));
  }
}

TEST_CASE("a forced exit takes the temporary files with it", "[write][atomic]") {
  const TemporaryFolder folder;
  const auto result = in_child([&]() -> std::string {
    AtomicFile file(folder / "c.txt", Start::named);
    const AtomicFile other(folder / "d.txt", Start::named);
    file.write(bytes("half"));
    const auto before = folder.names();
    if (before.size() != 2 || !AtomicFile::is_temporary_name(before[0])) return "no temporaries";
    remove_temporaries();
    if (!folder.names().empty()) return "one is left";
    try {
      const AtomicFile late(folder / "e.txt", Start::named);
    } catch (const Error& error) {
      return folder.names().empty() ? error.what() : "the late one is left";
    }
    return "a late one was made";
  });
  CHECK(result.text == "cancelled");
}

TEST_CASE("names of temporary files are known, others are not taken for one", "[write][atomic]") {
  CHECK(AtomicFile::is_temporary_name(".a.jpg.millrace-a1b2c3.tmp"));
  for (const auto name : {"a.jpg.millrace-a1b2c3.tmp", ".a.jpg.millrace-a1b2c3", ".millrace-.tmp",
                          ".a.millrace-a1b2c3d.tmp", ".tmp", ""})
    CHECK_FALSE(AtomicFile::is_temporary_name(name));
}
