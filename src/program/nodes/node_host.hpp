// SPDX-License-Identifier: Apache-2.0
// The runs of a scenario over several processes, of which this one listens.
#pragma once

#include "actors/host/process_group.hpp"
#include "program/run/runner.hpp"

namespace posse {

class NodeHost final : public RunHost {
 public:
  /// `measures`: how long messages take. Throws OutsideFailure if it can't listen.
  NodeHost(GroupOptions options, const Traces& traces, bool measures = false)
      : group_(std::move(options)), traces_(traces), measures_(measures) {}

  std::uint16_t port() const { return group_.port(); }
  SimulationResult run(const Scenario& scenario,
                       const SimulationSpec& spec,
                       const RunNumber& number,
                       WallLimit& limit,
                       Progress* progress) override;

 private:
  ProcessGroup group_;
  Traces traces_;
  bool measures_;
};

}  // namespace posse
