// Smoothness constants (nu1, rho) that are known to be valid: for every depth h the cell that holds
// a fixed maximiser has f(x_{h,i*}) >= f* - nu1 rho^h, assumption (A), at centres.
//
// Source: x-armed conventions of Posse, checked by enumeration and over 2000 random client shifts
// (reflected, sigma = 0.05); tests repeat the unshifted enumeration. The papers' preset (1, 0.5) is
// NOT valid for most of these objectives: with it a client can lose its optimum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"

namespace posse::theory {

struct Smoothness {
  double nu1 = 1;
  double rho = 0.5;
};

/// P1's and P3's setting, for every objective.
inline constexpr Smoothness kPapersSmoothness{1.0, 0.5};

/// The recommended valid pair for an objective kind ("garland") on a partition with k children per
/// cell in dimension d; nothing where none is known (other arities, corner points, random_dim).
std::optional<Smoothness> valid_smoothness(std::string_view objective,
                                           PartitionKind partition,
                                           std::uint32_t children_per_cell,
                                           std::size_t dimension);

/// The near-optimality dimension d and a constant C = max_h |I_h|, where both are known for the
/// recommended pair.
struct NearOptimality {
  double dimension = 0;
  double constant = 1;
};
std::optional<NearOptimality> near_optimality(std::string_view objective,
                                              PartitionKind partition,
                                              std::uint32_t children_per_cell,
                                              std::size_t dimension);

/// "(nu1, rho) valid for garland, cyclic: yes" for measurements: yes if the pair is at least the
/// recommended one (the table speaks of the clients' functions; of their mean only if all are
/// alike), no if (A) fails on the instance at a depth <= `deepest`, else unknown.
std::string smoothness_verdict(const Problem& problem,
                               const Partition& partition,
                               double nu1,
                               double rho,
                               std::uint32_t deepest);

/// `near_optimality` of this very instance: clients alike, centres, and constants at most the
/// recommended pair's.
std::optional<NearOptimality> near_optimality_of(const Problem& problem,
                                                 const Partition& partition,
                                                 double nu1,
                                                 double rho);

}  // namespace posse::theory
