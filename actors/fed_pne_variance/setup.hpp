// SPDX-License-Identifier: Apache-2.0
// Settings that all nodes of a run of Fed-PNE with variance-aware radii share.
#pragma once

#include <cstdint>

#include "actors/fed_pne_variance/bounds.hpp"
#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"

namespace posse {

struct FedPneVarianceSetup {
  const Problem* problem;
  Partition partition;
  std::uint32_t clients;            // M
  std::uint64_t budget;             // T
  theory::FedPneParameters theory;  // M, T, nu1, rho, c, c1, delta
  theory::VarianceParameters variance;
};

}  // namespace posse
