// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// write_jp2 FOLDER: JPEG 2000 files for the tests, written without loss by OpenCV's imgcodecs; here
// and not in the tests, so that these do not link it.

#include <opencv2/imgcodecs.hpp>
#include <string>

namespace {

cv::Mat ramp(int type) {
  cv::Mat pixels(64, 64, type);
  const int channels = pixels.channels();
  for (int y = 0; y < pixels.rows; ++y)
    for (int x = 0; x < pixels.cols * channels; ++x)
      if (pixels.depth() == CV_8U)
        pixels.at<uchar>(y, x) = static_cast<uchar>(x / channels + 60 * (x % channels) + y);
      else
        pixels.at<ushort>(y, x) = static_cast<ushort>(1000 * (x / channels) + y);
  return pixels;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = std::string(argv[1]) + "/";
  const std::vector<int> lossless = {cv::IMWRITE_JPEG2000_COMPRESSION_X1000, 1000};
  const bool all = cv::imwrite(folder + "gray16.jp2", ramp(CV_16UC1), lossless) &&
                   cv::imwrite(folder + "colour.jp2", ramp(CV_8UC3), lossless);
  return all ? 0 : 1;
}
