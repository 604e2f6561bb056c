// f(x) = x (1-x) (4 - sqrt|sin 60x|) on [0, 1].
//
// Maximiser pi/6, maximum (2 pi/3)(1 - pi/6) = 0.997772391161145 (PyXAB says 1). It is a cusp: at
// the double nearest to pi/6 the value is 1.7e-8 below the maximum, which therefore comes from the
// formula. Second-best local maximum 0.996691196055834 at 3 pi/20.
// Modulus: |f(x) - f(y)| <= 4 r + sqrt(60 r) / 4, r = |x - y|.
// Where x (1-x) >= 0.1 the function is convex between neighbouring cusps j pi/60, so every local
// maximum of a mean of shifted garlands there is a cusp of one of them: the candidate maximisers.
#pragma once

#include "core/objective/objective.hpp"

namespace posse {

class Garland final : public Objective {
 public:
  const Box& domain() const override { return domain_; }
  std::string_view kind() const override { return "garland"; }
  double value(std::span<const double> x) const override;
  std::optional<double> maximum() const override;
  std::vector<std::vector<double>> maximisers() const override;
  std::optional<double> upper_bound(std::span<const double> centre,
                                    std::span<const double> half_width) const override;
  std::vector<std::vector<double>> candidate_maximisers() const override;

 private:
  Box domain_ = Box::cube(1, 0, 1);
};

}  // namespace posse
