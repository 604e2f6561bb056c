// SPDX-License-Identifier: Apache-2.0
// Smoothness constants (nu1, rho) that are known to be valid: for every depth h, the cell that
// holds a fixed maximiser has f(x_{h,i*}) >= f* - nu1 rho^h, which is assumption (A), at centres.
//
// Source: computed for Posse by enumeration of cells and on 2000 random client shifts (reflected,
// sigma = 0.05); tests repeat the enumeration without shifts. The papers' pair (1, 0.5) is NOT
// valid for most of these objectives (see PAPERS.md, fed-pne-9): with it a client can lose its
// optimum.
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

/// The recommended valid pair for an objective kind ("garland") on a partition with k children per
/// cell in dimension d; nothing if none is known (other arities, corner points, random_dim).
std::optional<Smoothness> valid_smoothness(std::string_view objective,
                                           PartitionKind partition,
                                           std::uint32_t children_per_cell,
                                           std::size_t dimension);

/// The near-optimality dimension d and a constant C = max_h |I_h|, if both are known for the
/// recommended pair.
struct NearOptimality {
  double dimension = 0;
  double constant = 1;
};
std::optional<NearOptimality> near_optimality(std::string_view objective,
                                              PartitionKind partition,
                                              std::uint32_t children_per_cell,
                                              std::size_t dimension);

/// A statement for notes, such as "(nu1, rho) valid for garland, cyclic: yes". "yes" if the pair is
/// at least the recommended one, which is known for the clients' functions, and for their mean only
/// if all clients are alike; "no" if (A) fails on the instance at a depth <= `deepest`; else
/// "unknown".
std::string smoothness_verdict(const Problem& problem,
                               const Partition& partition,
                               double nu1,
                               double rho,
                               std::uint32_t deepest);

/// `near_optimality` for this instance. Needs equal clients, centres, and constants that are at
/// most the recommended pair's.
std::optional<NearOptimality> near_optimality_of(const Problem& problem,
                                                 const Partition& partition,
                                                 double nu1,
                                                 double rho);

}  // namespace posse::theory
