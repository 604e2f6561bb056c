// SPDX-License-Identifier: Apache-2.0
// Which message mattered: a run, then the same run without each of its messages, one at a time.
//
// Up to the moment at which the message leaves, the runs are the same; what follows is what its
// loss does. In datagram networks it is lost for good; a reliable transport sends it again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/scenario/scenario.hpp"

namespace posse {

/// How a run ended.
struct RunEnd {
  RunStatus status = RunStatus::finished;
  double virtual_s = 0;
  std::optional<double> simple_regret, cumulative_regret;
  bool optimum_lost = false;  // a round eliminated the cell of the maximum
};

/// The run without one message.
struct MessageLoss {
  std::string type, from, to;
  std::uint32_t round = 0, transmission = 0;  // the latter: its number on the link
  double sent_s = 0;
  RunEnd end;
};

struct LossSweep {
  RunEnd without_losses;            // of these messages
  std::vector<MessageLoss> losses;  // the most harmful first
  std::size_t messages = 0;         // that could be lost
};

struct LossSweepOptions {
  std::uint32_t repetition = 0;
  std::size_t jobs = 1;      // runs at a time
  std::size_t most = 2'000;  // messages, chosen evenly from the run
};

struct LossSweepProgress {
  std::atomic<std::size_t> runs{0}, done{0};
  std::atomic<bool> stop{false};  // the sweep then ends with the messages so far
};

/// Sweeps one algorithm of the scenario. Losses are sorted by harm: the run did not finish; the
/// optimum was lost; simple regret; cumulative regret; virtual time; then as sent. Throws if a run
/// fails.
LossSweep sweep_losses(const Scenario& scenario,
                       const AlgorithmEntry& entry,
                       const LossSweepOptions& options,
                       LossSweepProgress& progress);

}  // namespace posse
