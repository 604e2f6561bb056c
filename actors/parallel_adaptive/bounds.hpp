// SPDX-License-Identifier: Apache-2.0
// Grid, budget shares and guarantees of the parallel X-armed bandit with a grid of smoothness
// constants (Posse's own).
//
// Sources: the grid of POO and GPO (Grill, Valko and Munos 2015; Shang, Kaufmann and Valko 2019);
// the bounds of the parallel algorithm (Chen, Liu, Zhang and Li 2015, parallel/bounds.hpp).
//   N     instances; instance i = 1 … N has nu_max and rho_i = rho_max^{2N/(2i+1)}
//   m     players
//   n     evaluations per player, of which n_e are for exploration
//   V     fresh evaluations of each output by each player
//
// Guarantee. A level of an instance uses means of at least T_h rewards per player and cell; other
// instances may have added more. The means of 1, 2, 3, … rows of m rewards form a reverse
// martingale, so by Doob's inequality the probability that any mean of T_h or more rows deviates by
// eps obeys Hoeffding's bound for T_h rows, whatever caused the additional rows. An instance whose
// constants satisfy (A) therefore keeps all guarantees of `parallel` with probability 1 - delta:
// its output is 3 nu_max rho_i^h-optimal at its deepest level h. The final choice is among at most
// N outputs. With probability 1 - delta the chosen one is worse than the best output by at most 2
// sqrt(ln(2 N / delta) / (2 m V)).
// All functions are pure and take valid parameters.
#pragma once

#include <cstdint>
#include <vector>

namespace posse::theory {

struct AdaptiveParameters {
  std::uint64_t players = 1;            // m >= 1
  std::uint64_t budget = 1;             // n >= 1, evaluations per player
  double nu_max = 1;                    // > 0
  double rho_max = 0.9;                 // in (0, 1)
  double explore = 0.5;                 // share of n for exploration, in (0, 1]
  std::uint32_t children_per_cell = 2;  // k >= 2
};

/// GPO's number of instances N for m n evaluations, at least 1:
/// ceil(1/2 D_max ln((mn/2) / ln(mn/2))), D_max = ln k / ln(1/rho_max).
std::uint64_t adaptive_instances(const AdaptiveParameters& p);

/// rho_1 < … < rho_N.
std::vector<double> adaptive_grid(const AdaptiveParameters& p, std::uint64_t instances);

/// n_e = floor(explore n). For a single instance n_e = n, since there is nothing to choose.
std::uint64_t adaptive_exploration(const AdaptiveParameters& p, std::uint64_t instances);

/// The first allowance of an instance, in evaluations that it would need alone: floor(n_e / N), at
/// least 1. It is doubled, up to n_e, whenever no instance fits into it.
std::uint64_t adaptive_allowance(const AdaptiveParameters& p, std::uint64_t instances);

/// The number of allowances, including the first one.
std::uint64_t adaptive_allowances(const AdaptiveParameters& p, std::uint64_t instances);

/// Error of the final choice: 2 sqrt(ln(2 N / delta) / (2 m V)); 0 for a single instance.
double adaptive_choice_error(const AdaptiveParameters& p,
                             std::uint64_t instances,
                             double delta,
                             std::uint64_t fresh_evaluations);

}  // namespace posse::theory
