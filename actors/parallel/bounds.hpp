// What theory says of the parallel X-armed bandit, before and after a run.
//
// Source: Chen, Liu, Zhang, Li, "A parallel algorithm for X-armed bandits" (P0), with the
// corrections E1-E4. Symbols: m players, n evaluations per player, nu1 > 0 and 0 < rho < 1 the
// smoothness, delta the failure probability, k children per cell, h depth, |S_h| active cells.
// Pure functions; cost O(1) unless said otherwise. All take valid parameters.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace posse::theory {

struct ParallelParameters {
  std::uint64_t players = 1;            // m >= 1
  std::uint64_t budget = 1;             // n >= 1, evaluations per player
  double nu1 = 1;                       // > 0
  double rho = 0.5;                     // in (0, 1)
  double delta = 1;                     // in (0, 1]
  std::uint32_t children_per_cell = 2;  // k >= 2
};

/// L_h = ln(pi^2 (h+1)^2 |S_h| / (3 delta)).
double parallel_log_term(const ParallelParameters& p, std::uint32_t depth, double active_cells);

/// T_h = max(1, ceil(L_h / (2 m (nu1 rho^h)^2))): each player's evaluations of each active cell.
/// The same formula at h = 0 (E1). Saturates at 2^63.
std::uint64_t parallel_pulls(const ParallelParameters& p, std::uint32_t depth, double active_cells);

/// A cell is expanded iff its mean is >= best mean - this: 3 nu1 rho^h.
double parallel_margin(const ParallelParameters& p, std::uint32_t depth);

/// eps_h = sqrt(L_h / (2 m T_h)), the confidence radius of the means of a level; at most
/// nu1 rho^h by the choice of T_h.
double parallel_radius(const ParallelParameters& p, std::uint32_t depth, double active_cells);

/// Always: q <= 1 + floor(1/2 log_{1/rho}(m n nu1^2 / L_0)) for q >= 2, L_0 = ln(pi^2 / (3 delta))
/// (a level h >= 1 has at least two cells, so 2 T_h <= n), and 1 + (q-1) k <= n. At least 1.
std::uint64_t parallel_rounds_ceiling(const ParallelParameters& p);

/// P0's form of Theorem 2, q <= 1 + 1/2 log_{1/rho}(m n nu1^2) (not rounded).
double parallel_rounds_paper(const ParallelParameters& p);
/// True where P0's form holds: delta <= pi^2 / (3 e^2), so that every L_h >= 2.
bool parallel_rounds_paper_applies(const ParallelParameters& p);

/// Always, for a run that completed levels 0 … q-1: values broadcast per player
/// M <= sum_{h<q} min(k^h, n / T_h), with the T_h = pulls[h] of the run.
double parallel_values_bound(const ParallelParameters& p, std::span<const std::uint64_t> pulls);

/// With probability 1 - delta given (A): loss f* - f(x(n)) <= 3 nu1 rho^{h_max} (P0 proves 6).
double parallel_loss_bound(const ParallelParameters& p, std::uint32_t deepest_level);

/// Upper bounds on |I_h|, the number of 6 nu1 rho^h-optimal cells of depth h; +infinity: unknown.
using NearOptimalCount = std::function<double(std::uint32_t depth)>;

struct GuaranteedDepth {
  bool any = false;         // false: not even level 0 is sure to be completed
  std::uint32_t depth = 0;  // H: levels 0 … H are completed
  double steps = 0;         // sum_{h<=H} T_h S_h at the largest possible S_h
};
/// On the good event (w.p. 1 - delta given (A)): the largest H with
/// sum_{h<=H} T_h(S_h) S_h <= n, S_0 = 1, S_h = min(k^h, k |I_{h-1}|). Without `near_optimal` only
/// S_h <= k^h is used, which then holds always. O(H).
GuaranteedDepth parallel_guaranteed_depth(const ParallelParameters& p,
                                          std::uint32_t max_depth,
                                          const NearOptimalCount& near_optimal = {});

/// P0's Theorem 1 with the ceiling in T_h ignored (E3; valid only while it doesn't bite):
/// R_n <= 6 nu1 c_1 [ln(pi^2 n^3 / (3 delta)) / (m n)]^{1/(d+2)},
/// c_1 = (1/(rho nu1)) (C 6^{-d} / (1 - rho^{d+2}))^{1/(d+2)}.
/// d >= 0 and C > 0: near-optimality dimension and constant.
double parallel_loss_rate(const ParallelParameters& p, double d, double C);

}  // namespace posse::theory
