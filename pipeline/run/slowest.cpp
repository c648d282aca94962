// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/slowest.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace millrace::inline v1 {

void Slowest::add(ItemEnd end) {
  ends_.with([&](std::vector<ItemEnd>& ends) {
    const auto place =
        std::ranges::upper_bound(ends, end.elapsed, std::ranges::greater(), &ItemEnd::elapsed);
    ends.insert(place, std::move(end));
    if (ends.size() > most) ends.pop_back();
    if (ends.size() == most) bar_ = ends.back().elapsed.count();
  });
}

}  // namespace millrace::inline v1
