// SPDX-License-Identifier: Apache-2.0
// f(x) = x (1-x) (4 - sqrt|sin 60x|) on [0, 1].
//
// Maximiser pi/6, maximum (2 pi/3)(1 - pi/6) = 0.997772391161145; PyXAB says 1 (see PAPERS.md,
// pyxab-1). The maximum is a cusp: at the double nearest to pi/6 the value is 1.7e-8 smaller.
// Therefore the maximum is computed by the formula. Second-best local maximum 0.996691196055834 at
// 3 pi/20.
// f <= 4 x (1-x), with equality at the cusps; between them f has a bounded second derivative (see
// upper_model).
// Where x (1-x) >= 0.1, f is convex between neighbouring cusps j pi/60. Every local maximum of a
// mean of shifted garlands is there a cusp of one of them: these are the candidate maximisers.
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
  bool upper_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   UpperModel& model) const override;
  bool closed_form() const override { return true; }
  std::vector<std::vector<double>> candidate_maximisers() const override;

 private:
  Box domain_ = Box::cube(1, 0, 1);
};

}  // namespace posse
