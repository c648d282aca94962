// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stages/codecs/codec.hpp"

struct tiff;
struct png_struct_def;
struct png_info_def;
struct jpeg_compress_struct;

/// Pictures and files for the codecs' tests, all made here.
namespace millrace::samples {

using File = std::vector<std::byte>;

/// Smooth colours with shapes on top; different in every channel, the same each time.
cv::Mat drawing(cv::Size size, int type);
/// Black text-like strokes on white: 0 and 255 only.
cv::Mat strokes(cv::Size size);
Image image(cv::Size size, int type);

ItemContext item();

File encoded(const codecs::Codec& codec, const Image& image,
             const codecs::EncodeOptions& options = {});
/// The file's first page.
Image decoded(const File& file, const codecs::DecodeRequest& request = {});
Image decoded(const File& file, const codecs::DecodeRequest& request, ItemContext& context);
/// The Error's text; empty where there is none.
std::string error_of(const std::function<void()>& call);
std::string decode_error(const File& file, const codecs::DecodeRequest& request = {});

/// The first part of a file.
File cut(const File& file, double part);

/// Largest difference of two pictures' samples; 1e9 where size or type differ.
double largest_difference(const cv::Mat& a, const cv::Mat& b);
double mean_difference(const cv::Mat& a, const cv::Mat& b);

File srgb_profile();
File gray_profile();
/// A profile that sees every mix of inks as gray: lightness is what is not covered.
File colourless_cmyk_profile();
std::shared_ptr<const File> shared(File file);

/// Files by the libraries themselves, for what our encoders do not write. Each function fills in
/// the headers and the pixels.
File tiff_file(const std::function<void(tiff*)>& fill);
File png_file(const std::function<void(png_struct_def*, png_info_def*)>& fill);
File jpeg_file(const cv::Mat& pixels, int colour_space,
               const std::function<void(jpeg_compress_struct&)>& set = {},
               const std::function<void(jpeg_compress_struct&)>& after_start = {});

}  // namespace millrace::samples
