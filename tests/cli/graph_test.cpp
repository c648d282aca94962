// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <filesystem>

#include "support/catch.hpp"
#include "support/program.hpp"

using namespace millrace::testing;

namespace fs = std::filesystem;

namespace {

/// Two folders of pictures, of which one file in each is none.
struct Pictures {
  Pictures() {
    folder.file("p.yaml", R"(version: 1
run: { order: preserve }
stages:
  - files: { path: left }
    id: left
  - files: { path: right }
    id: right
  - resize: { width: 40 }
    from: [left, right]
  - write: { path: "small/{stem}.png" }
  - grayscale:
    from: resize
  - write: { path: "gray/{stem}.png" }
  - write: { path: "failed/{path}" }
    from: "*.failed"
)");
    for (const char* side : {"left", "right"}) {
      for (int i = 0; i < 6; ++i) {
        const auto name = std::string(side) + "/" + side + std::to_string(i) + ".jpg";
        fs::create_directories(folder.path() / side);
        if (i == 2)
          folder.file(name, "no picture");
        else
          fs::copy_file(picture(i), folder.path() / name);
      }
    }
  }

  static fs::path picture(int number) {
    std::vector<fs::path> photos;
    for (const auto& entry : fs::directory_iterator(MILLRACE_SOURCE_DIR "/sample_data/photos"))
      if (entry.path().extension() == ".jpg") photos.push_back(entry.path());
    std::ranges::sort(photos);
    return photos.at(static_cast<std::size_t>(number) % photos.size());
  }

  std::string written(const std::string& part) const {
    std::string names;
    for (const auto& name : folder.names())
      if (name.starts_with(part + "/")) names += name.substr(part.size() + 1) + " ";
    return names;
  }

  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("a branch, a merge, the order and what failed, in one pipeline", "[cli]") {
  const Pictures pictures;
  for (const bool fuse : {true, false}) {
    std::vector<std::string> arguments{"run", "p.yaml"};
    if (!fuse) arguments.emplace_back("--no-fuse");
    const auto ended = Program(arguments, pictures.folder.path()).wait();
    INFO(ended.out << ended.err);
    CHECK(ended.status == 1);
    CHECK_THAT(ended.out, ContainsSubstring("12 files: 10 done, 2 failed"));
    CHECK_THAT(ended.out, ContainsSubstring("failed: left2.jpg: decode: "));
    const std::string names =
        "left0.png left1.png left3.png left4.png left5.png "
        "right0.png right1.png right3.png right4.png right5.png ";
    CHECK(pictures.written("small") == names);
    CHECK(pictures.written("gray") == names);
    CHECK(pictures.written("failed") == "left2.jpg right2.jpg ");
    CHECK(content_of(pictures.folder / "failed/left2.jpg") == "no picture");
    for (const char* part : {"small", "gray", "failed"})
      fs::remove_all(pictures.folder.path() / part);
  }
}
