// SPDX-License-Identifier: Apache-2.0
#include "core/objective/constant.hpp"

namespace posse {

double Constant::value(std::span<const double>) const { return value_; }

std::optional<double> Constant::maximum() const { return value_; }

std::vector<std::vector<double>> Constant::maximisers() const {
  return {std::vector<double>(domain_.dimension(), 0.5)};
}

bool Constant::upper_model(std::span<const double>,
                           std::span<const double>,
                           UpperModel& model) const {
  model.at_centre = value_;
  model.set_constant(value_);
  model.peak.clear();
  return true;
}

}  // namespace posse
