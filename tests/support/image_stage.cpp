// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/image_stage.hpp"

#include <variant>

namespace millrace::testing {

Image run_stage(const std::string& name, const Settings& settings, const Image& image) {
  const auto stage = make_stage(name, settings);
  ItemContext context{Context(), Origin{"picture.png", {}, 0, {}}};
  Image result;
  stage->make_worker(context)->work(
      context, image, [&](const Payload& payload, auto) { result = std::get<Image>(payload); });
  return result;
}

}  // namespace millrace::testing
