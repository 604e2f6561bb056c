// SPDX-License-Identifier: Apache-2.0
// f(x) = 1 + s(log2(u)/2) (u^a - u^b) - u^a, u = 2 |x - 1/2|, s(z) = (1 + sin 2 pi z)/2,
// a = -log2 0.8, b = -log2 0.3, on [0, 1]; 1 at u = 0.
//
// Maximiser 1/2, maximum 1; PyXAB subtracts 1 (see PAPERS.md, pyxab-2). The maximiser is a cell
// corner at every depth >= 1 of a dyadic partition.
// With w = pi / ln 2 and the largest values over the phase, d^2 f / dx^2 <= 4 (A u^a + B u^b) /
// u^2, 2 A = a (1-a) + sqrt((w^2 + a (1-a))^2 + w^2 (2a-1)^2), 2 B = the same with b; around u = 0,
// f <= 1 - u^b for u <= 1.
#pragma once

#include "core/objective/objective.hpp"

namespace posse {

class DoubleSine final : public Objective {
 public:
  const Box& domain() const override { return domain_; }
  std::string_view kind() const override { return "doublesine"; }
  double value(std::span<const double> x) const override;
  std::optional<double> maximum() const override;
  std::vector<std::vector<double>> maximisers() const override;
  bool upper_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   UpperModel& model) const override;
  bool closed_form() const override { return true; }

 private:
  Box domain_ = Box::cube(1, 0, 1);
};

}  // namespace posse
