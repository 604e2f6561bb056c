// What a live page needs of a run's past: its regret and its rounds, sampled while it went on.
//
// Kept on this side, so that a page that is loaded again, or comes late, sees the whole run. Memory
// is bounded: when a run's samples have become too many, every second one goes.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/role/outcome.hpp"
#include "program/live/run_view.hpp"

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
  std::vector<LiveSample> samples_;
  std::map<std::uint32_t, RoundRecord> rounds_;
};

}  // namespace posse
