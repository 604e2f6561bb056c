// SPDX-License-Identifier: Apache-2.0
// The history of a run for the live page: its regret and its rounds, sampled during the run.
//
// It is kept in the program, so that a page that is opened late or reloaded shows the whole run.
// Memory is bounded: when there are too many samples, every second one is removed, and from then on
// only every second one is kept. So samples are spread evenly; the first and the latest are kept.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/role/outcome.hpp"
#include "core/sim/simulation.hpp"
#include "program/run/run_view.hpp"

namespace posse {

/// A run at one moment; of equal moments only the first is kept.
struct LiveSample {
  std::uint64_t evaluations = 0;  // of the client with the most
  std::uint64_t rounds = 0, bytes = 0;
  double virtual_s = 0;
  RegretSummary regret;  // without recommendations
};

class LiveHistory {
 public:
  static constexpr std::size_t kMostSamples = 400;
  static constexpr std::size_t kMostRounds = 600;

  void add(const RunView& run);
  const std::vector<LiveSample>& samples() const { return samples_; }
  /// The samples as curves, a point for each regret that they have.
  std::vector<RegretPoint> regret() const;
  /// The rounds kept, in order.
  std::vector<RoundRecord> rounds() const;

 private:
  void add_sample(LiveSample sample);
  void add_round(const RoundRecord& row);

  std::vector<LiveSample> samples_;  // numbers 0, stride, 2 stride, …, and the latest
  std::uint64_t seen_ = 0, stride_ = 1;
  std::map<std::uint32_t, RoundRecord> rounds_;  // thinned like the samples, by round_stride_
  std::uint32_t first_round_ = 0, round_stride_ = 1;
};

}  // namespace posse
