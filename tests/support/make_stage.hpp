// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "millrace/catalogue.hpp"

namespace millrace::testing {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// A stage of the catalogue with settings as YAML has them; an option that is named again is a
/// list. Throws what the stage complains about.
inline std::unique_ptr<Stage> make_stage(const std::string& name, const Settings& settings) {
  auto stage = Catalogue::instance().find(name)->make();
  Options options;
  stage->options(options);
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& name_of_option = settings[i].first;
    Value value = Value::scalar(settings[i].second);
    if (i + 1 < settings.size() && settings[i + 1].first == name_of_option) {
      Value list;
      list.kind = Value::Kind::list;
      list.items.push_back(std::move(value));
      while (i + 1 < settings.size() && settings[i + 1].first == name_of_option)
        list.items.push_back(Value::scalar(settings[++i].second));
      value = std::move(list);
    }
    auto* const option = options.find(name_of_option);
    if (!option) throw std::runtime_error("no option " + name_of_option);
    if (auto complaint = option->assign(value))
      throw std::runtime_error(name_of_option + ": " + *complaint);
  }
  for (const auto& complaint : stage->check()) throw std::runtime_error(complaint);
  return stage;
}

}  // namespace millrace::testing
