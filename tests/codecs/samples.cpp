// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "codecs/samples.hpp"

#include <jpeglib.h>
#include <lcms2.h>
#include <png.h>
#include <tiffio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <opencv2/imgproc.hpp>
#include <stdexcept>
#include <string>

namespace millrace::samples {

namespace {

File bytes_of(const void* data, std::size_t size) {
  const auto* from = static_cast<const std::byte*>(data);
  return {from, from + size};
}

File saved(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  File file(size);
  cmsSaveProfileToMem(profile, file.data(), &size);
  cmsCloseProfile(profile);
  return file;
}

}  // namespace

cv::Mat drawing(cv::Size size, int type) {
  const int channels = CV_MAT_CN(type);
  cv::Mat full(size, CV_MAKETYPE(CV_8U, channels));
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      for (int c = 0; c < channels; ++c)
        full.ptr<std::uint8_t>(y)[x * channels + c] = static_cast<std::uint8_t>(
            (x * (c + 1) * 120 / size.width + y * (3 - c % 3) * 60 / size.height + 20 * c) % 256);
  const int side = std::min(size.width, size.height);
  cv::circle(full, {size.width / 3, size.height / 2}, side / 4, {200, 60, 30, 255}, cv::FILLED);
  cv::rectangle(full, {size.width / 2, size.height / 5}, {size.width * 4 / 5, size.height / 2},
                {20, 140, 230, 128}, cv::FILLED);
  if (CV_MAT_DEPTH(type) == CV_8U) return full;
  cv::Mat deep;
  full.convertTo(deep, CV_16U, 257.0);
  for (int y = 0; y < size.height; ++y)  // low bytes of their own, lest 8 bits be enough
    for (int i = 0; i < size.width * channels; ++i) {
      auto& sample = deep.ptr<std::uint16_t>(y)[i];
      sample = static_cast<std::uint16_t>(sample ^ (i * 7 + y) % 128);
    }
  return deep;
}

cv::Mat strokes(cv::Size size) {
  cv::Mat page(size, CV_8UC1, cv::Scalar(255));
  for (int y = 2; y < size.height; y += 9)
    for (int x = 1; x < size.width; x += 5)
      cv::line(page, {x, y}, {x + (x * y) % 4, y + (x + y) % 6}, cv::Scalar(0), 1, cv::LINE_8);
  return page;
}

Image image(cv::Size size, int type) {
  Image out;
  out.pixels = drawing(size, type);
  return out;
}

ItemContext item() { return {Context(), Origin{}}; }

File encoded(const codecs::Codec& codec, const Image& image, const codecs::EncodeOptions& options) {
  ItemContext context = item();
  return codecs::encode(codec, image, options, context);
}

Image decoded(const File& file, const codecs::DecodeRequest& request, ItemContext& context) {
  return codecs::open(file).reader->decode(1, request, context);
}

Image decoded(const File& file, const codecs::DecodeRequest& request) {
  ItemContext context = item();
  return decoded(file, request, context);
}

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string decode_error(const File& file, const codecs::DecodeRequest& request) {
  return error_of([&] { decoded(file, request); });
}

File cut(const File& file, double part) {
  const auto size = static_cast<std::ptrdiff_t>(static_cast<double>(file.size()) * part);
  return {file.begin(), file.begin() + size};
}

double largest_difference(const cv::Mat& a, const cv::Mat& b) {
  if (a.size() != b.size() || a.type() != b.type()) return 1e9;
  return cv::norm(a, b, cv::NORM_INF);
}

double mean_difference(const cv::Mat& a, const cv::Mat& b) {
  if (a.size() != b.size() || a.type() != b.type()) return 1e9;
  return cv::norm(a, b, cv::NORM_L1) / static_cast<double>(a.total() * a.channels());
}

File srgb_profile() { return saved(cmsCreate_sRGBProfile()); }

File gray_profile() {
  cmsToneCurve* curve = cmsBuildGamma(nullptr, 2.2);
  cmsHPROFILE profile = cmsCreateGrayProfile(cmsD50_xyY(), curve);
  cmsFreeToneCurve(curve);
  return saved(profile);
}

File colourless_cmyk_profile() {
  cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
  cmsSetProfileVersion(profile, 2.1);
  cmsSetDeviceClass(profile, cmsSigOutputClass);
  cmsSetColorSpace(profile, cmsSigCmykData);
  cmsSetPCS(profile, cmsSigLabData);
  cmsStage* table = cmsStageAllocCLut16bit(nullptr, 5, 4, 3, nullptr);
  const auto sample = [](const cmsUInt16Number in[], cmsUInt16Number out[], void*) -> int {
    const double covered = (in[0] + in[1] + in[2] + in[3]) / (4 * 65535.0);
    const cmsCIELab lab = {100 * (1 - covered), 0, 0};
    cmsFloat2LabEncodedV2(out, &lab);
    return 1;
  };
  cmsStageSampleCLut16bit(table, sample, nullptr, 0);
  cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, 4, 3);
  cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, table);
  cmsWriteTag(profile, cmsSigAToB0Tag, pipeline);
  cmsWriteTag(profile, cmsSigAToB1Tag, pipeline);
  cmsPipelineFree(pipeline);
  return saved(profile);
}

std::shared_ptr<const File> shared(File file) {
  return std::make_shared<const File>(std::move(file));
}

File tiff_file(const std::function<void(TIFF*)>& fill, const char* mode) {
  auto name = (std::filesystem::temp_directory_path() / "millrace-test-XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) throw std::runtime_error("cannot make " + name);
  unlink(name.c_str());
  TIFF* out = TIFFFdOpen(dup(descriptor), "sample", mode);
  fill(out);
  TIFFClose(out);
  File file(static_cast<std::size_t>(lseek(descriptor, 0, SEEK_END)));
  const auto read = pread(descriptor, file.data(), file.size(), 0);
  close(descriptor);
  if (read != static_cast<ssize_t>(file.size())) throw std::runtime_error("cannot read the sample");
  return file;
}

File png_file(const std::function<void(png_structp, png_infop)>& fill) {
  File file;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  const auto write = [](png_structp self, png_bytep data, std::size_t size) {
    auto& to = *static_cast<File*>(png_get_io_ptr(self));
    const File bytes = bytes_of(data, size);
    to.insert(to.end(), bytes.begin(), bytes.end());
  };
  png_set_write_fn(png, &file, write, [](png_structp) {});
  fill(png, info);
  png_destroy_write_struct(&png, &info);
  return file;
}

File jpeg_file(const cv::Mat& pixels, int colour_space,
               const std::function<void(jpeg_compress_struct&)>& set,
               const std::function<void(jpeg_compress_struct&)>& after_start) {
  jpeg_compress_struct out{};
  jpeg_error_mgr errors;
  out.err = jpeg_std_error(&errors);
  jpeg_create_compress(&out);
  unsigned char* data = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&out, &data, &size);
  out.image_width = static_cast<JDIMENSION>(pixels.cols);
  out.image_height = static_cast<JDIMENSION>(pixels.rows);
  out.input_components = pixels.channels();
  out.in_color_space = static_cast<J_COLOR_SPACE>(colour_space);
  jpeg_set_defaults(&out);
  jpeg_set_quality(&out, 95, TRUE);
  if (set) set(out);
  jpeg_start_compress(&out, TRUE);
  if (after_start) after_start(out);
  for (int y = 0; y < pixels.rows; ++y) {
    auto* row = const_cast<JSAMPROW>(pixels.ptr<std::uint8_t>(y));
    jpeg_write_scanlines(&out, &row, 1);
  }
  jpeg_finish_compress(&out);
  File file = bytes_of(data, size);
  jpeg_destroy_compress(&out);
  std::free(data);
  return file;
}

}  // namespace millrace::samples
