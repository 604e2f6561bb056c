// SPDX-License-Identifier: Apache-2.0
// Schedule, ceilings and regret certificate of BLiN.
//
// Source: Feng, Huang & Wang, "Lipschitz bandits with batched feedback" (NeurIPS 2022), the
// doubling variant D-BLiN. Symbols: T horizon per client, d dimension, r_m = 2^{1-m} edge of the
// cubes of batch m after scaling the domain to [0, 1]^d, L Lipschitz constant of f̄ there in the
// maximum norm, n_m pulls of a cube in batch m. The paper has L = 1; L r replaces its r wherever r
// measures rewards. Pure functions of valid arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/objective/problem.hpp"

namespace posse::theory {

struct BlinParameters {
  std::uint64_t horizon = 1;  // T
  std::size_t dimension = 1;  // d <= 20
  double lipschitz = 1;       // L > 0
  std::uint64_t sharing = 1;  // clients that share a cube's n_m pulls: 1, or M
};

/// r_m, m >= 1.
double blin_edge(std::uint32_t batch);

/// A client's pulls of a cube: ceil(16 ln T / (L r_m)^2), at least 1, divided by the clients that
/// share them and rounded up. Saturates at 2^63.
std::uint64_t blin_pulls(const BlinParameters& p, std::uint32_t batch);

/// 4 L r_m: a cube is eliminated if its mean is below the largest mean by more than this.
double blin_threshold(const BlinParameters& p, std::uint32_t batch);

/// Ceiling on the number of complete batches, which always holds: the largest B such that one cube
/// in batch 1 and the 2^d children of one cube in each of the batches 2 … B fit into T. About
/// 1 + log_4(T L^2 / (16 ln T 2^d)). O(log T).
std::uint32_t blin_batches_ceiling(const BlinParameters& p);

/// A client's pulls in one batch, which may be the last, unfinished one.
struct BlinBatch {
  std::uint32_t batch = 1;
  std::uint64_t pulls_per_client = 0;
};

/// Bound on the cumulative regret of a run: sum over batches of pulls min(1, 8 L r_{m-1}), with the
/// factor 1 in batch 1. Holds w.p. >= 1 - 2 T^-31 if f̄ is L-Lipschitz and the range of rewards is
/// at most 1 wide. The cubes of batch m >= 2 are children of survivors of batch m - 1, all of whose
/// points are 8 L r_{m-1}-optimal: 4 L r from the rule, 2 from the errors of the two means, 2 from
/// the widths of the two cubes.
double blin_certificate(const BlinParameters& p, std::span<const BlinBatch> batches);

/// A lower bound on L: the largest slope of f̄, on the scaled domain, between neighbours among
/// `points` >= 2 equidistant points along each axis through the maximiser of f̄. O(d points)
/// evaluations of f̄.
double steepest_slope(const Problem& problem, std::uint32_t points);

}  // namespace posse::theory
