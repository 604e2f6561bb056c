// SPDX-License-Identifier: Apache-2.0
// f(x) = (A sin(13x) sin(27x) + 1) / 2 on [0, 1], with A = 1/2 as in Chen et al. 2015, section 6,
// or A = 1, the classical form.
//
// Maximiser 0.867526208251332 for both; maximum 0.737799571905787 (A = 1/2), 0.975599143811575
// (A = 1). Second-best local maximum 0.716918 at 0.398421 (A = 1/2). Minimum 0.271463 at 0.633013.
// |f'''| <= 16686 A, from f = 1/2 + A/4 (cos 14x - cos 40x).
#pragma once

#include "core/objective/objective.hpp"

namespace posse {

class Sine final : public Objective {
 public:
  /// amplitude A in (0, 1].
  explicit Sine(double amplitude = 0.5) : amplitude_(amplitude) {}
  const Box& domain() const override { return domain_; }
  std::string_view kind() const override { return "sine"; }
  double value(std::span<const double> x) const override;
  std::optional<double> maximum() const override;
  std::vector<std::vector<double>> maximisers() const override;
  bool upper_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   UpperModel& model) const override;
  bool closed_form() const override { return true; }

 private:
  double amplitude_;
  Box domain_ = Box::cube(1, 0, 1);
};

}  // namespace posse
