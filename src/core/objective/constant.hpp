// SPDX-License-Identifier: Apache-2.0
// f(x) = value everywhere on [0, 1]^d, for tests and measurements of cost.
#pragma once

#include "core/objective/objective.hpp"

namespace posse {

class Constant final : public Objective {
 public:
  /// value in [0, 1], dimension d >= 1.
  Constant(double value, std::size_t dimension)
      : value_(value), domain_(Box::cube(dimension, 0, 1)) {}
  const Box& domain() const override { return domain_; }
  double value(std::span<const double> x) const override;
  std::optional<double> maximum() const override;
  std::vector<std::vector<double>> maximisers() const override;
  bool upper_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   UpperModel& model) const override;
  bool closed_form() const override { return true; }
  bool separable() const override { return true; }

 private:
  double value_;
  Box domain_;
};

}  // namespace posse
