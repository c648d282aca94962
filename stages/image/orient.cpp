// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/catalogue.hpp"
#include "millrace/turn.hpp"

namespace millrace::inline v1 {
namespace {

struct Orient final : Transform<Image, Image> {
  Demand demand(const Demand& downstream) const override {
    Demand demand = downstream;
    demand.upright = demand.target_size != nullptr;
    return demand;
  }

  Image run(ItemContext& context, Image image) const override {
    turn_upright(context, image);
    return image;
  }
};

const Register<Orient> registered{
    "orient", "Turn a picture upright as its orientation tag says, without loss."};

}  // namespace
}  // namespace millrace::inline v1
