// SPDX-License-Identifier: Apache-2.0
// f(x, y) = 1 - ((x^2+y-11)^2 + (x+y^2-7)^2) / 890 on [-5, 5]^2.
//
// Four maximisers with maximum 1: (3, 2), (-2.805, 3.131), (-3.779, -3.283), (3.584, -1.848).
// PyXAB subtracts 1 (see PAPERS.md, pyxab-2). Upper models bound the Hessian on
// a box by its entries' largest values.
#pragma once

#include "core/objective/objective.hpp"

namespace posse {

class Himmelblau final : public Objective {
 public:
  const Box& domain() const override { return domain_; }
  std::string_view kind() const override { return "himmelblau"; }
  double value(std::span<const double> x) const override;
  std::optional<double> maximum() const override;
  std::vector<std::vector<double>> maximisers() const override;
  bool upper_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   UpperModel& model) const override;
  bool closed_form() const override { return true; }

 private:
  Box domain_ = Box::cube(2, -5, 5);
};

}  // namespace posse
