// What a live page needs of a run's past: its regret and its rounds, sampled while it went on.
//
// Kept on this side, so that a page that is loaded again, or comes late, sees the whole run. Memory
// is bounded: when a run's samples have become too many, every second one goes, and from then on
// only every second one stays. So they lie evenly over the run; the first and the latest are there.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/role/outcome.hpp"
#include "program/run/run_view.hpp"

namespace posse {

/// One moment of a run; of those without news only the first is kept.
struct LiveSample {
  std::uint64_t evaluations = 0;  // of the client that made most
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
  /// Those seen, in order.
  std::vector<RoundRecord> rounds() const;

 private:
  void add_sample(LiveSample sample);
  void add_round(const RoundRecord& row);

  std::vector<LiveSample> samples_;  // numbers 0, stride, 2 stride, …, and the latest
  std::uint64_t seen_ = 0, stride_ = 1;
  std::map<std::uint32_t, RoundRecord> rounds_;  // the same
  std::uint32_t first_round_ = 0, round_stride_ = 1;
};

}  // namespace posse
