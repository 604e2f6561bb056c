// f(x) = 1 + s(log2(u)/2) (u^a - u^b) - u^a, u = 2 |x - 1/2|, s(z) = (1 + sin 2 pi z)/2,
// a = -log2 0.8, b = -log2 0.3, on [0, 1]; 1 at u = 0.
//
// Maximiser 1/2, maximum 1; PyXAB subtracts 1 (see PAPERS.md, pyxab-2). The maximiser is a cell
// corner at every depth >= 1 of a dyadic partition.
// Modulus on a cell with u in [u-, u+]: 2 r (2.59 u-^-0.678 + 4.01 u+^0.737); none around u = 0.
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
  std::optional<double> upper_bound(std::span<const double> centre,
                                    std::span<const double> half_width) const override;

 private:
  Box domain_ = Box::cube(1, 0, 1);
};

}  // namespace posse
