// SPDX-License-Identifier: Apache-2.0
// f(x) = 1 - sum_j (x_j^2 + 10 - 10 cos 2 pi x_j) / (C d) on [-1, 1]^d, C = 20.251272990990113.
//
// C is the maximum of one term (at 0.5025460365), so that the minimum of f is 0; PyXAB divides by
// 20 d and reaches -1.0126 (see PAPERS.md, pyxab-3). Maximiser 0, maximum 1. The maximiser is a
// cell corner of every dyadic partition. Separable.
// |d^3 f / dx_j^3| <= 80 pi^3 / (C d).
#pragma once

#include "core/objective/objective.hpp"

namespace posse {

class Rastrigin final : public Objective {
 public:
  /// dimension d >= 1.
  explicit Rastrigin(std::size_t dimension) : domain_(Box::cube(dimension, -1, 1)) {}
  const Box& domain() const override { return domain_; }
  std::string_view kind() const override { return "rastrigin"; }
  double value(std::span<const double> x) const override;
  std::optional<double> maximum() const override;
  std::vector<std::vector<double>> maximisers() const override;
  bool upper_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   UpperModel& model) const override;
  bool closed_form() const override { return true; }
  bool separable() const override { return true; }

 private:
  Box domain_;
};

}  // namespace posse
