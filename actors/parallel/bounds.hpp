// SPDX-License-Identifier: Apache-2.0
// Schedule and bounds of the parallel X-armed bandit.
//
// Source: Chen, Liu, Zhang and Li, "A parallel algorithm for X-armed bandits" (2015, revised 2022),
// with the corrections parallel-1 to parallel-7 of PAPERS.md.
//   m          players
//   n          evaluations per player
//   nu1, rho   smoothness, nu1 > 0, 0 < rho < 1
//   delta      failure probability
//   c          confidence width: means of T rewards per player deviate by at most
//              c sqrt(L_h / (m T)). Theory: 1/sqrt(2), by Hoeffding's inequality. A smaller c gives
//              up the guarantees that hold with a probability, and no other one.
//   k          children per cell
//   h, |S_h|   depth, active cells of that depth
// (A) is the smoothness assumption of core/theory/assumption_a.hpp.
// All functions are pure and take valid parameters. Cost: O(1) unless stated otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace posse::theory {

inline constexpr double kTheoryCSquared = 0.5;

struct ParallelParameters {
  std::uint64_t players = 1;            // m >= 1
  std::uint64_t budget = 1;             // n >= 1, evaluations per player
  double nu1 = 1;                       // > 0
  double rho = 0.5;                     // in (0, 1)
  double delta = 1;                     // in (0, 1]
  double c_squared = kTheoryCSquared;   // c^2, > 0
  std::uint32_t children_per_cell = 2;  // k >= 2
};

/// L_h = ln(pi^2 (h+1)^2 |S_h| / (3 delta)).
double parallel_log_term(const ParallelParameters& p, std::uint32_t depth, double active_cells);

/// Whether the guarantees that hold with probability 1 - delta apply: c >= 1/sqrt(2).
bool parallel_constants_apply(const ParallelParameters& p);

/// T_h = max(1, ceil(c^2 L_h / (m (nu1 rho^h)^2))): each player's evaluations of each active cell.
/// The formula also applies at h = 0 (see PAPERS.md, parallel-1). Saturates at 2^63.
std::uint64_t parallel_pulls(const ParallelParameters& p, std::uint32_t depth, double active_cells);

/// 3 nu1 rho^h. A cell is expanded if and only if its mean is at least the best mean minus this
/// margin.
double parallel_margin(const ParallelParameters& p, std::uint32_t depth);

/// eps_h = c sqrt(L_h / (m T_h)), the confidence radius of the means of a level. The choice of T_h
/// makes it at most nu1 rho^h.
double parallel_radius(const ParallelParameters& p, std::uint32_t depth, double active_cells);

/// Ceiling on the number of rounds q, which always holds:
/// q <= 1 + floor(1/2 log_{1/rho}(m n nu1^2 / (2 c^2 L_0))) for q >= 2, with L_0 = ln(pi^2 / (3
/// delta)), because a level h >= 1 has at least two cells and so 2 T_h <= n; and 1 + (q-1) k <= n.
/// At least 1. See PAPERS.md, parallel-5.
std::uint64_t parallel_rounds_ceiling(const ParallelParameters& p);

/// The paper's Theorem 2, q <= 1 + 1/2 log_{1/rho}(m n nu1^2), not rounded.
double parallel_rounds_paper(const ParallelParameters& p);
/// Whether Theorem 2 holds as printed: c >= 1/sqrt(2), and delta <= pi^2 / (3 e^2), so that every
/// L_h >= 2.
bool parallel_rounds_paper_applies(const ParallelParameters& p);

/// Bound on the values that a player sends to each other player, which always holds for a run that
/// completed levels 0 … q-1: sum_{h<q} min(k^h, n / T_h) with T_h = pulls[h] (see PAPERS.md,
/// parallel-6).
double parallel_values_bound(const ParallelParameters& p, std::span<const std::uint64_t> pulls);

/// Bound on the simple regret, with probability 1 - delta if (A) holds and c is the theory's: 3 nu1
/// rho^{h_max}. The paper proves 6 instead of 3 (see PAPERS.md, parallel-7).
double parallel_loss_bound(const ParallelParameters& p, std::uint32_t deepest_level);

/// Upper bound on |I_h|, the number of 6 nu1 rho^h-optimal cells of depth h; +infinity if unknown.
using NearOptimalCount = std::function<double(std::uint32_t depth)>;

struct GuaranteedDepth {
  bool any = false;         // false: not even level 0 is guaranteed
  std::uint32_t depth = 0;  // H: levels 0 … H are completed
  double steps = 0;         // sum_{h<=H} T_h S_h at the largest possible S_h
};
/// The largest H with sum_{h<=H} T_h(S_h) S_h <= n, S_0 = 1 and S_h = min(k^h, k |I_{h-1}|). The
/// levels up to H are completed with probability 1 - delta if (A) holds and c is the theory's.
/// Without `near_optimal` it uses S_h = k^h, and the guarantee always holds. Cost: O(H).
GuaranteedDepth parallel_guaranteed_depth(const ParallelParameters& p,
                                          std::uint32_t max_depth,
                                          const NearOptimalCount& near_optimal = {});

/// Theorem 1 of the paper, for c = 1/sqrt(2): a bound on the simple regret that ignores the
/// rounding in T_h, and is therefore valid only where rounding is negligible (see PAPERS.md,
/// parallel-3): R_n <= 6 nu1 c_1 [ln(pi^2 n^3 / (3 delta)) / (m n)]^{1/(d+2)}, c_1 = (1/(rho nu1))
/// (C 6^{-d} / (1 - rho^{d+2}))^{1/(d+2)}. d >= 0 and C > 0: near-optimality dimension and
/// constant.
double parallel_loss_rate(const ParallelParameters& p, double d, double C);

}  // namespace posse::theory
