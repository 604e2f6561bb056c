// SPDX-License-Identifier: Apache-2.0
// A finite list of arms in a box, drawn once and shared by all nodes. Algorithms with finitely many
// arms (Fed1-UCB, Fed2-UCB, FN-UCB, GP-TS) use it on continuous domains.
//
// Source: the experiments of Li, Song & Honorio, "Personalized federated X-armed bandit" (AISTATS
// 2024), appendix: 20 random coordinates per dimension for d <= 2 (a grid of 20^d arms), 1000
// random points for d > 2. Here the arms are drawn once per seed (see PAPERS.md, pf-pne-11).
// Arms are numbered from 1: `Cell{0, i}`. On a grid i - 1 = a_1 g + a_2 for coordinate a_1 of the
// first dimension and a_2 of the second. Coordinates are not sorted.
// Stream `arms/coordinates`: draw j g + a for coordinate a of dimension j (grid), i d + j for
// coordinate j of point i (points), all from 0. Memory: 8 K d bytes. Cost of a point: O(d).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/parameters.hpp"
#include "core/domain/box.hpp"
#include "core/learner/learner.hpp"

namespace posse {

struct ArmPointsOptions {
  std::uint32_t per_dimension = 20;    // g >= 1, for d <= 2: K = g^d
  std::uint32_t random_points = 1000;  // K >= 1, for d > 2
};

class ArmPoints final : public PointSet {
 public:
  ArmPoints(Box box, const ArmPointsOptions& options, Seed seed);

  /// K.
  std::uint32_t size() const { return size_; }
  std::size_t dimension() const { return box_.dimension(); }
  /// Arm `arm`, from 1, in coordinates scaled to [0, 1]^d.
  std::span<const double> unit_point(std::uint32_t arm) const;
  std::vector<double> point(std::uint32_t arm) const;
  std::vector<double> point(Cell choice) const override;

 private:
  Box box_;
  std::uint32_t size_;
  std::vector<double> unit_;  // arm by arm
};

/// `arms_per_dimension` and `random_arms`, for the AlgorithmSpec of algorithms on arms.
std::vector<ParameterSpec> arm_parameters();
ArmPointsOptions arm_options(const Parameters& parameters);
/// K, without drawing the arms.
std::uint64_t arm_count(const ArmPointsOptions& options, std::size_t dimension);

}  // namespace posse
