// Schedule, ceilings and certificate of BLiN.
//
// Source: Feng, Huang, Wang, "Lipschitz bandits with batched feedback" (NeurIPS 2022), the doubling
// variant D-BLiN. Symbols: T horizon per client, d dimension, r_m = 2^{1-m} edge of batch m's cubes
// after scaling the domain to [0, 1]^d, L Lipschitz constant of f̄ there in the maximum norm (theirs
// is 1: r is replaced by L r where it measures rewards), n_m pulls of a cube in batch m.
// Pure functions of valid arguments.
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

/// A cube is eliminated if its mean is more than this below the largest: 4 L r_m.
double blin_threshold(const BlinParameters& p, std::uint32_t batch);

/// Always: the largest B such that one cube in batch 1 and the 2^d children of one cube in each
/// batch 2 … B fit into T. O(log T): about 1 + log_4(T L^2 / (16 ln T 2^d)).
std::uint32_t blin_batches_ceiling(const BlinParameters& p);

/// Cubes pulled by a client in one batch, the last, unfinished one included.
struct BlinBatch {
  std::uint32_t batch = 1;
  std::uint64_t pulls_per_client = 0;
};

/// Per-client cumulative regret of a run, w.p. >= 1 - 2 T^-31 if f̄ is L-Lipschitz and rewards span
/// at most 1: cubes of batch m >= 2 are children of survivors of batch m - 1, whose points are all
/// 8 L r_{m-1}-optimal (4 from the rule, 2 from the two means' errors, 2 from the two cubes'
/// widths): sum of pulls min(1, 8 L r_{m-1}), factor 1 in batch 1.
double blin_certificate(const BlinParameters& p, std::span<const BlinBatch> batches);

/// The steepest slope of f̄ on the scaled domain between neighbours of `points` >= 2 equidistant
/// points along each axis through f̄'s maximiser: a lower bound on L. O(d points) evaluations of f̄.
double steepest_slope(const Problem& problem, std::uint32_t points);

}  // namespace posse::theory
