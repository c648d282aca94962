// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/image_stage.hpp"

#include <stdexcept>
#include <variant>

#include "millrace/catalogue.hpp"

namespace millrace::test {

std::unique_ptr<Stage> make_stage(const std::string& name, const Settings& settings) {
  const auto* entry = Catalogue::instance().find(name);
  if (entry == nullptr) throw std::invalid_argument("no stage " + name);
  auto stage = entry->make();
  Options options;
  stage->options(options);
  for (const auto& [key, value] : settings) {
    Option* option = options.find(key);
    if (option == nullptr) throw std::invalid_argument("no option " + key);
    if (const auto complaint = option->assign(Value::scalar(value)))
      throw std::invalid_argument(*complaint);
  }
  return stage;
}

Image run_stage(const std::string& name, const Settings& settings, const Image& image) {
  const auto stage = make_stage(name, settings);
  ItemContext context{Context(), Origin{"picture.png", {}, 0, {}}};
  Image result;
  stage->make_worker(context)->work(
      context, image, [&](const Payload& payload, auto) { result = std::get<Image>(payload); });
  return result;
}

}  // namespace millrace::test
