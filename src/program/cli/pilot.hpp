// SPDX-License-Identifier: Apache-2.0
// `posse plan --pilot`: makes a few runs of a sweep, the largest among them, and forecasts the
// rest.
//
// The size of a run is what it costs by its ceilings: evaluations and messages at typical prices.
// Settings that differ in more than numbers (an objective, a topology) are of different kinds,
// since a price holds for one of them. Of each kind and algorithm the smallest, the largest and
// some in between are tried, small ones first, as long as they fit in the time for the pilot; one
// that takes longer is stopped, and counts by the part that it has done. Workloads that runs have
// in common are made once, as in a sweep; quick runs are tried several times. Seconds of the others
// follow by interpolation between logarithms of sizes and seconds; beyond the sizes that were tried
// they grow as between the two largest, at most with the square.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/sweep/sweep_plan.hpp"

namespace posse {

struct PilotRun {
  std::size_t setting = 0, algorithm = 0;
  double size = 0;
  double seconds = 0;     // with its results on disk, without its workload
  double workload_s = 0;  // what it took longer as the first run with its workload
  double part = 1;        // that it has done of what was asked; below 1 if it was stopped
  double disk_bytes = 0;
  double memory_bytes = 0;  // the largest that the process had; 0 if the system doesn't tell
  bool failed = false;
  bool makes_workload = false;  // which others have in common with it
};

struct Pilot {
  std::vector<PilotRun> runs;
  double seconds = 0;        // of all different runs of the plan, one after the other
  double longest_s = 0;      // of the one that takes longest
  std::string longest;       // "fed-pne with network.latency = 200 ms"
  double disk_bytes = 0;     // of all different runs
  double memory_bytes = 0;   // of the process, with one run at a time
  double largest_tried = 1;  // the largest size tried over the largest; of all kinds the least
  std::size_t failed = 0;
  bool unknown = false;  // of some algorithm no run could be made
};

/// A pilot takes about so long if runs are long.
inline constexpr double kPilotSeconds = 60;

/// What runs cost, at typical prices, by setting and algorithm; how many of them differ from all
/// others before; and whether they are the first with their workload, in each repetition.
struct RunSizes {
  std::vector<std::vector<double>> size;
  std::vector<std::vector<std::size_t>> different;
  std::vector<std::vector<bool>> makes_workload;
};

/// Tries `each` sizes of every kind and algorithm, for `seconds` altogether. Signals must be caught
/// already; a signal ends it. Throws FileError.
Pilot make_pilot(const SweepPlan& plan, const RunSizes& sizes, std::size_t each, double seconds);

/// Seconds of a run of this size, from those of others. `tried`: not empty, of sizes and seconds
/// above 0.
double seconds_of(double size, std::vector<std::pair<double, double>> tried);

}  // namespace posse
