// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "millrace/context.hpp"
#include "millrace/image.hpp"

namespace millrace::inline v1 {

/// Turns the pixels as `orientation` asks for; exact. Any type of pixels of up to 8 bytes. In place
/// where the axes stay, so the pixels must be the caller's own.
/// With a context: on idle CPUs too, and until that ends.
void turn_upright(cv::Mat& pixels, Orientation orientation);
void turn_upright(const Context& context, cv::Mat& pixels, Orientation orientation);

/// Turns the whole picture by its tag: pixels, full size and resolution; the tag is upright then.
void turn_upright(Image& image);
void turn_upright(const Context& context, Image& image);

}  // namespace millrace::inline v1
