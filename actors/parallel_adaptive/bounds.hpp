// A grid of smoothness constants on one tree (ours): POO's grid over the parallel X-armed bandit.
//
// Sources: the grid of POO and GPO (Grill, Valko, Munos 2015; Shang, Kaufmann, Valko 2019), the
// bounds of the parallel algorithm (Chen, Liu, Zhang, Li; theory/parallel.hpp). N instances have
// nu_max and rho_i = rho_max^{2N/(2i+1)}, i = 1 … N. m players, n evaluations per player, of which
// n_e are for exploring.
//
// What holds. An instance's level uses means of at least T_h rewards per player of each cell, and
// maybe more, because other instances asked for them. Means of 1, 2, 3, … rows of m rewards form a
// reverse martingale, so P(any mean of T_h or more rows is off by eps) obeys Hoeffding's bound for
// T_h rows (Doob): how many more there are doesn't matter, nor why. So an instance whose constants
// satisfy (A) keeps all guarantees of `parallel` with probability 1 - delta: its output is
// 3 nu_max rho_i^h-optimal at its deepest level h. The outputs, at most N, are then evaluated
// afresh V times by every player; with probability 1 - delta the best mean belongs to a point that
// is worse than the best output by at most 2 sqrt(ln(2 N / delta) / (2 m V)). Pure functions. All
// take valid parameters.
#pragma once

#include <cstdint>
#include <vector>

namespace posse::theory {

struct AdaptiveParameters {
  std::uint64_t players = 1;            // m >= 1
  std::uint64_t budget = 1;             // n >= 1, evaluations per player
  double nu_max = 1;                    // > 0
  double rho_max = 0.9;                 // in (0, 1)
  double explore = 0.5;                 // share of n that instances may use, in (0, 1]
  std::uint32_t children_per_cell = 2;  // k >= 2
};

/// GPO's N for all m n evaluations: ceil(1/2 D_max ln((mn/2) / ln(mn/2))), D_max = ln k /
/// ln(1/rho_max). At least 1.
std::uint64_t adaptive_instances(const AdaptiveParameters& p);

/// rho_1 < … < rho_N.
std::vector<double> adaptive_grid(const AdaptiveParameters& p, std::uint64_t instances);

/// n_e: floor(explore n); all of n for a single instance, which needs no choice.
std::uint64_t adaptive_exploration(const AdaptiveParameters& p, std::uint64_t instances);

/// What every instance may use of n_e first, in evaluations that it would need alone: n_e / N
/// rounded down, at least 1. Doubled, up to n_e, whenever no instance can go on.
std::uint64_t adaptive_allowance(const AdaptiveParameters& p, std::uint64_t instances);

/// How many allowances there are, the first one included.
std::uint64_t adaptive_allowances(const AdaptiveParameters& p, std::uint64_t instances);

/// 2 sqrt(ln(2 N / delta) / (2 m V)); 0 for a single instance.
double adaptive_choice_error(const AdaptiveParameters& p,
                             std::uint64_t instances,
                             double delta,
                             std::uint64_t fresh_evaluations);

}  // namespace posse::theory
