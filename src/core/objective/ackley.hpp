// SPDX-License-Identifier: Apache-2.0
// f(x, y) = 1 + (20 e^{-0.2 sqrt((x^2+y^2)/2)} + e^{(cos 2 pi x + cos 2 pi y)/2} - e - 20) / C on
// [-1, 1]^2, C = 4.675205304060035.
//
// C is the exact range: the minimum is 0, at (0.5588001161, 1) and its mirror images. PyXAB divides
// by the upper bound 4.987933479395905, an option here (see PAPERS.md, pyxab-3). Maximiser 0,
// maximum 1. The maximiser is a corner of cells at every depth >= 1 of a dyadic partition.
// The exponential of the root has second derivatives <= 0.4 / C along any line, the other one third
// derivatives <= 398.7 / C (pure) and 114.5 / C (mixed).
#pragma once

#include "core/objective/objective.hpp"

namespace posse {

class Ackley final : public Objective {
 public:
  /// range: C or an upper bound of it, > 0.
  explicit Ackley(double range = kRange) : range_(range) {}
  const Box& domain() const override { return domain_; }
  std::string_view kind() const override { return "ackley"; }
  double value(std::span<const double> x) const override;
  std::optional<double> maximum() const override;
  std::vector<std::vector<double>> maximisers() const override;
  bool upper_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   UpperModel& model) const override;
  bool closed_form() const override { return true; }

  static constexpr double kRange = 4.675205304060035345;
  static constexpr double kPyxabRange = 4.987933479395905;

 private:
  double range_;
  Box domain_ = Box::cube(2, -1, 1);
};

}  // namespace posse
