// SPDX-License-Identifier: Apache-2.0
// A scenario whose network and nodes take the times that real runs took.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/network/nodes.hpp"
#include "core/sim/service_sample.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// A scenario of one algorithm (with_algorithms.hpp), as it was measured: latencies between the
/// groups of nodes, and what each group takes for the messages of each type ([[compute.service]]),
/// as distributions of samples in files. Latencies, their factors and service times that it had are
/// gone; losses, rates, faults and all others stay. What was not measured takes no time.
Scenario with_measured_times(const Scenario& scenario,
                             const NodeNames& nodes,
                             const std::vector<ServiceSample>& samples);

/// Reactions take a + b·n for n evaluations; b by Tukey's resistant line (1977), at least 0: the
/// slope between the medians of the third with the fewest and of that with the most evaluations.
Duration time_per_evaluation(const std::vector<ServiceSample>& reactions);

/// The medians, as a table.
std::string times_text(const AlgorithmEntry& entry,
                       const NodeNames& nodes,
                       const std::vector<ServiceSample>& samples);

}  // namespace posse
