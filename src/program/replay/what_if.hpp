// SPDX-License-Identifier: Apache-2.0
// What a finished run would have been on another network.
//
// Where every node waits for all messages of a round, and each arrives, the network decides nothing
// but times: the recorded actions (`--trace all`) are given the times that they have on the other
// network, without roles and evaluations. That is exact to the nanosecond. Everywhere else the
// scenario runs again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "program/replay/stored_scenario.hpp"
#include "program/results/execution.hpp"

namespace posse {

/// One algorithm in one repetition, on one network.
struct NetworkFigures {
  std::string status;
  double virtual_s = 0;  // at which it finished, else of its last event
  double rounds = 0, transmissions = 0, wire_bytes = 0;
  double messages = 0, needless = 0;  // of those: sent again although nothing was lost
  std::optional<double> simple_regret;
  std::vector<double> path_s;  // seconds by kCriticalPathParts; empty without paths
  bool operator==(const NetworkFigures&) const = default;
};
NetworkFigures figures_of(const RunOutcome& outcome);

struct WhatIfRun {
  std::size_t run = 0;  // position in StoredRun::runs()
  NetworkFigures figures;
  std::string ran_again_because;  // empty: re-timed, exactly
};

/// The answer for one network.
struct WhatIf {
  std::vector<WhatIfRun> runs;    // by position
  bool derives_timeouts = false;  // some time-out follows from the network
  double retiming_s = 0;          // wall time
  double running_s = 0;
};

class RecordedNetwork {
 public:
  /// Reads a run folder, and checks its recording: on its own network it must give the recorded
  /// fingerprint. Throws FileError.
  explicit RecordedNetwork(const std::filesystem::path& folder);

  const StoredRun& stored() const { return stored_; }
  NetworkFigures recorded(std::size_t run) const;
  /// As of an answer.
  bool derives_timeouts() const;

  /// The runs with keys of the scenario overridden. What it doesn't state follows from the new
  /// network; with `keep_derived` from the recorded one. Mistakes in them are reported to
  /// `diagnostics`; then there is no answer. Signals must be caught already (signals.hpp).
  std::optional<WhatIf> with(const std::vector<Override>& overrides,
                             bool keep_derived,
                             const ExecutionOptions& options,
                             Diagnostics& diagnostics) const;

 private:
  /// The outcome, or why the run cannot be re-timed.
  struct Retimed {
    RunOutcome outcome;
    std::string obstacle;
  };
  Retimed retime(const Scenario& scenario, std::size_t run) const;
  const std::string& label(std::size_t run) const;
  void check_recording() const;

  StoredRun stored_;
  Scenario scenario_;
  std::vector<RecordedRun> recordings_;  // by run
};

}  // namespace posse
