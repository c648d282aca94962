// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "millrace/image.hpp"
#include "millrace/text.hpp"

namespace millrace::inline v1 {

/// An encoded file's content. Shared and never changed, so that a fan-out costs nothing.
struct Bytes {
  std::shared_ptr<const std::vector<std::byte>> data;
  std::string extension;  ///< Without the dot, of the name that fits the content: "jpg", "txt".
};

/// What travels along an edge of the pipeline.
using Payload = std::variant<Bytes, Image, Text>;

/// The kinds of payload, in the order of Payload's alternatives.
enum class PayloadKind { bytes, image, text };

inline PayloadKind kind_of(const Payload& payload) noexcept {
  return static_cast<PayloadKind>(payload.index());
}
constexpr const char* name_of(PayloadKind kind) noexcept {
  constexpr const char* names[] = {"bytes", "image", "text"};
  return names[static_cast<int>(kind)];
}

/// Where an item came from: its name in every message and the fields of an output template.
struct Origin {
  /// Relative to the source's folder, `/` between parts, bytes as the file system has them.
  std::string path;
  /// The file itself; empty where the source is not a file.
  std::filesystem::path file;
  std::uint64_t index = 0;            ///< Position in the order of all sources, from 0; the run sets it.
  std::optional<std::uint32_t> page;  ///< From 1, where one file holds several pages.

  /// `path`, with ` page N` where there are pages: what messages say.
  std::string label() const { return page ? path + " page " + std::to_string(*page) : path; }
};

}  // namespace millrace::inline v1
