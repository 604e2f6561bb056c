// SPDX-License-Identifier: Apache-2.0
// Runs of the random protocol over random networks with random faults.
#pragma once

#include "core/sim/simulation.hpp"
#include "tests/support/chatter.hpp"
#include "tests/support/random_network.hpp"

namespace posse::test {

/// Both must outlive it.
inline SimulationSpec chatter_simulation(std::uint64_t number,
                                         const AlgorithmSpec& algorithm,
                                         const Protocol& protocol) {
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = &protocol;
  spec.seed = Seed{number};
  spec.network = random_network(Seed{number}, {.max_loss = 0.3, .zero_latency = true});
  if (number % 3 != 0) spec.network.node_faults = random_node_faults(Seed{number});
  spec.compute.evaluation = ExponentialDuration{Duration::seconds(0.001), Duration{}};
  spec.limits.events = 5'000'000;
  return spec;
}

}  // namespace posse::test
