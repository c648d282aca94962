// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/catalogue.hpp"
#include "millrace/gray.hpp"

namespace millrace::inline v1 {
namespace {

struct Grayscale final : Transform<Image, Image> {
  Demand demand(const Demand& downstream) const override {
    Demand demand = downstream;
    demand.gray = true;
    return demand;
  }

  Image run(ItemContext& context, Image image) const override {
    make_gray(context, image);
    return image;
  }
};

const Register<Grayscale> registered{
    "grayscale", "Make a picture gray by its luma (BT.601); what is transparent becomes white."};

}  // namespace
}  // namespace millrace::inline v1
