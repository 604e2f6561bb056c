// How long it takes to reach a regret, over numbers of clients and latencies: several runs of one
// problem, or algorithm entries with their own `clients` in one run, or both.
//
// The time to regret r is the first virtual time at which the simple regret against the mean's
// maximum, averaged over repetitions, is at most r. Where nothing takes any virtual time it is the
// first number of evaluations per client instead. r is given, or the smallest two-digit number that
// everything shown reaches.
//
// An algorithm is told apart by its kind, unless a run has two entries of that kind with equally
// many clients: then by its label. Runs with equal latency, algorithm and clients count as further
// repetitions.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "program/plot/chart.hpp"
#include "program/results/run_data.hpp"

namespace posse {

/// The chart, or what the runs lack for it: "needs runs with …".
using ScalingPlot = std::variant<Chart, std::string>;

/// Time to regret against mean latency, a line per algorithm and number of clients, and the
/// frontier: the soonest of them at each latency.
ScalingPlot time_to_regret_plot(const std::vector<RunData>& runs, std::optional<double> regret);

/// S(m) = m0 T(m0) / T(m), m0 being the smallest number of clients, a line per algorithm and
/// latency, beside the ideal S = m.
ScalingPlot speed_up_plot(const std::vector<RunData>& runs, std::optional<double> regret);

}  // namespace posse
