// SPDX-License-Identifier: Apache-2.0
// Settings that all nodes of a PF-PNE run share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/pf_pne/bounds.hpp"
#include "core/base/math.hpp"
#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"
#include "core/role/policy.hpp"

namespace posse {

struct PfPneSetup {
  const Problem* problem;
  Partition partition;
  std::uint32_t clients;  // M
  std::uint64_t budget;   // T
  theory::PfPneParameters theory;
  std::optional<std::uint32_t> shared_depth;  // H0, at most the depth limit; empty: no stage 1
  Policy policy;

  /// nu1 rho^h.
  double smoothness(std::uint32_t depth) const {
    return theory.federation.nu1 * math::pow(theory.federation.rho, depth);
  }
  /// Children of the cells of K̄^h or K_m^h \ E_m^h. The list is cut after the children that `left`
  /// pulls can reach if all but `free` of them need a pull.
  std::vector<std::uint64_t> children(std::uint32_t depth,
                                      const std::vector<std::uint64_t>& cells,
                                      std::uint64_t left,
                                      std::uint64_t free) const {
    return children_of(partition, depth, cells, left + free + 1);
  }
};

}  // namespace posse
