// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// The parts: nothing that another process says is believed.

#include "isolate/link.hpp"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <new>
#include <random>

#include "isolate/payload.hpp"
#include "isolate/shared_pixels.hpp"
#include "support/catch.hpp"
#include "support/pictures.hpp"

using namespace millrace;

namespace {

std::pair<Descriptor, Descriptor> ends() {
  std::array<int, 2> numbers{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, numbers.data()) == 0);
  return {Descriptor(numbers[0]), Descriptor(numbers[1])};
}

std::vector<std::byte> spoilt(std::vector<std::byte> bytes, std::minstd_rand& random) {
  for (auto changes = random() % 4; changes > 0; --changes)
    bytes[random() % bytes.size()] = static_cast<std::byte>(random());
  if (random() % 4 == 0) bytes.resize(random() % (bytes.size() + 1));
  return bytes;
}

/// Whether it is understood; anything but Malformed is a mistake here.
template <class Function>
bool is_understood(const Function& function) {
  try {
    function();
    return true;
  } catch (const Malformed&) {
    return false;
  }
}

}  // namespace

TEST_CASE("a payload that is broken on its way is refused, or is another", "[isolate][link]") {
  const SegmentPool::Use use(SegmentPool::instance());
  auto [left, right] = ends();
  Link link(std::move(left), Segment::Access::write);
  Image image;
  image.pixels = millrace::testing::noise({64, 48}, CV_8UC3);
  Text text;
  text.blocks.resize(3);
  text.blocks[1].paragraphs.resize(2);
  text.blocks[1].paragraphs[0].lines.resize(1);
  text.blocks[1].paragraphs[0].lines[0].words.push_back({"word", {}, 1});
  const Bytes bytes{std::make_shared<const std::vector<std::byte>>(100), "txt"};
  std::minstd_rand random(7);
  std::size_t refused = 0;
  for (const Payload& payload : {Payload(image), Payload(text), Payload(bytes)}) {
    Writer fields;
    const Payload kept = put_payload(fields, link, payload);
    for (int i = 0; i < 3000; ++i) {
      Reader reader(spoilt(fields.bytes(), random));
      refused += is_understood([&] { (void)get_payload(reader, link, nullptr); }) ? 0 : 1;
    }
  }
  CHECK(refused > 3000);  // no picture is understood: its segment was not told of
}

TEST_CASE("a packet that is broken on its way is refused, or is another", "[isolate][link]") {
  auto [left, right] = ends();
  Link link(std::move(left), Segment::Access::write);
  Writer fields;
  fields.put("some text");
  REQUIRE(Link(Descriptor(::dup(link.descriptor())), Segment::Access::read)
              .send(Said::work, std::move(fields)));
  std::vector<std::byte> packet(1000);
  packet.resize(static_cast<std::size_t>(::recv(right.get(), packet.data(), packet.size(), 0)));
  std::minstd_rand random(7);
  std::size_t refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto bytes = spoilt(packet, random);
    if (bytes.empty()) continue;
    REQUIRE(::send(right.get(), bytes.data(), bytes.size(), 0) > 0);
    Message message;
    refused += is_understood([&] { (void)link.receive(message, true); }) ? 0 : 1;
  }
  CHECK(refused > 500);
}

TEST_CASE("memory that could become shorter is not taken from another process", "[isolate][link]") {
  Descriptor unsealed(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  REQUIRE(::ftruncate(unsealed.get(), 8192) == 0);
  CHECK_THROWS_AS(Segment::map(std::move(unsealed), 8192, Segment::Access::read), Malformed);
  const auto made = Segment::make(8192);
  CHECK_THROWS_AS(Segment::map(Descriptor(::dup(made->descriptor())), 8193, Segment::Access::read),
                  Malformed);
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const Descriptor other(pipe[1]);
  CHECK_THROWS_AS(Segment::map(Descriptor(pipe[0]), 1, Segment::Access::read), Malformed);
  const auto same =
      Segment::map(Descriptor(::dup(made->descriptor())), 8192, Segment::Access::read);
  made->data()[5] = std::byte{42};
  CHECK(same->data()[5] == std::byte{42});
}

TEST_CASE("a segment is used again, and goes with its last user", "[isolate][link]") {
  auto& pool = SegmentPool::instance();
  std::uint64_t first = 0;
  {
    const SegmentPool::Use use(pool);
    first = pool.lend(1000000)->id();
    CHECK(pool.lend(1000000)->id() == first);
    CHECK(pool.lend(990000)->id() == first);
    const Loan kept = pool.lend(1000000);
    CHECK(kept->id() == first);
    CHECK(pool.lend(1000000)->id() != first);
    CHECK(pool.lend(10000)->id() != first);  // most of it would lie idle
  }
  CHECK(pool.lend(1000000)->id() != first);
}

TEST_CASE("only large pictures of a thread that shares lie in segments", "[isolate][link]") {
  install_shared_pixels();
  CHECK_FALSE(segment_of(cv::Mat(1000, 1000, CV_8U)));
  const SharePixels sharing(true);
  CHECK_FALSE(segment_of(cv::Mat(10, 10, CV_8U)));
  const cv::Mat large(1000, 1000, CV_8UC3);
  REQUIRE(segment_of(large));
  CHECK(large.isContinuous());
  CHECK(segment_of(large(cv::Rect(1, 2, 3, 4))) == segment_of(large));
  const SharePixels not_sharing(false);
  CHECK_FALSE(segment_of(large.clone()));
}

TEST_CASE("shared memory beyond what the machine has is not begun", "[isolate]") {
  CHECK_THROWS_AS(SegmentPool::instance().lend(std::size_t{1} << 63), std::bad_alloc);
}
