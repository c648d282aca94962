// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/pictures.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>

#include "config/prototypes.hpp"
#include "millrace/catalogue.hpp"
#include "stages/codecs/codec.hpp"
#include "stages/support/atomic_file.hpp"
#include "stages/support/file_error.hpp"

namespace millrace::inline v1 {

std::vector<Image> decode_pictures(const Bytes& bytes) {
  const auto* entry = Catalogue::instance().find("decode");
  if (!entry) throw Error(ErrorKind::internal, "there is no stage 'decode'");
  auto decode = make_stage(*entry).stage;
  std::vector<Image> pictures;
  ItemContext context{Context(), Origin()};
  decode->make_worker(context)->work(context, bytes, [&](Payload payload, auto) {
    pictures.push_back(std::get<Image>(std::move(payload)));
  });
  if (pictures.empty()) throw Error(ErrorKind::input, "it holds no picture");
  return pictures;
}

Bytes encode_picture(const Image& image, const std::string& extension) {
  const auto* const codec = codecs::find_by_extension(extension);
  if (codec != &codecs::png_codec && codec != &codecs::tiff_codec)
    throw Error(ErrorKind::input,
                "an expected picture is kept without loss: let its name end with .png or .tif");
  ItemContext context{Context(), Origin()};
  return {
      std::make_shared<const std::vector<std::byte>>(codecs::encode(*codec, image, {}, context)),
      extension};
}

Bytes read_file(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(ErrorKind::input, "cannot read " + file.string() + ": it is " +
                                      (is_directory(status) ? "a folder" : "a device") +
                                      ", not a file");
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw file_error("cannot read " + file.string(), errno);
  return bytes_of(text, file.extension().string());
}

void write_file(const std::filesystem::path& file, const Bytes& bytes) {
  AtomicFile output(file.string());
  if (bytes.data) output.write(*bytes.data);
  (void)output.publish(file.filename().string(), AtomicFile::Existing::replace);
}

Bytes bytes_of(std::string_view text, std::string extension) {
  const auto bytes = std::as_bytes(std::span(text));
  return {std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end()),
          std::move(extension)};
}

std::string_view text_of(const Bytes& bytes) noexcept {
  if (!bytes.data || bytes.data->empty()) return {};
  return {reinterpret_cast<const char*>(bytes.data->data()), bytes.data->size()};
}

}  // namespace millrace::inline v1
