// What all nodes of a run of Fed-PNE with variance-aware radii share.
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
  theory::FedPneParameters theory;  // nu1, rho, c, c1, delta; M and T again
  theory::VarianceParameters variance;
};

}  // namespace posse
