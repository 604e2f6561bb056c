// SPDX-License-Identifier: Apache-2.0
// Settings that all nodes of a run of PF-PNE with reuse share.
#pragma once

#include <cstdint>

#include "actors/pf_pne_reuse/bounds.hpp"
#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"

namespace posse {

struct PfPneReuseSetup {
  const Problem* problem;
  Partition partition;
  std::uint32_t clients;  // M
  std::uint64_t budget;   // T
  theory::ReuseParameters theory;
  bool together;  // false: every client searches alone from the start
};

}  // namespace posse
