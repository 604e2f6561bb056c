// SPDX-License-Identifier: Apache-2.0
// Time to reach a regret, over numbers of clients and latencies: from several runs of one problem,
// algorithm entries with their own `clients` in one run, or both.
//
// The time to regret r is the virtual time from which on the simple regret against the mean's
// maximum, averaged over repetitions, stays at most r. Without virtual time it is the number of
// evaluations per client instead. r is given, or the smallest number of two digits that all lines
// reach for good (Settling::least_level). Bands are bootstrap intervals over the repetitions.
//
// Algorithms are identified by kind, or by label if a run has two entries of that kind with equally
// many clients, and by what else runs differ in. Runs that are equal in all of this are further
// repetitions.
#pragma once

#include <optional>
#include <vector>

#include "program/plot/chart.hpp"
#include "program/results/run_data.hpp"

namespace posse {

/// Time to regret against mean latency, a line per algorithm and number of clients, and the
/// frontier: the shortest time at each latency.
MaybeChart time_to_regret_plot(const std::vector<RunData>& runs, std::optional<double> regret);

/// S(m) = m0 T(m0) / T(m), m0 being the smallest number of clients, a line per algorithm and
/// latency, beside the ideal S = m.
MaybeChart speed_up_plot(const std::vector<RunData>& runs, std::optional<double> regret);

}  // namespace posse
