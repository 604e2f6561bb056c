// SPDX-License-Identifier: Apache-2.0
#include "program/nodes/node_host.hpp"

#include "program/nodes/run_description.hpp"

namespace posse {

SimulationResult NodeHost::run(const Scenario& scenario,
                               const SimulationSpec& spec,
                               const RunNumber& number,
                               WallLimit& limit,
                               Progress* progress) {
  const auto description =
      describe_run(scenario, {number.algorithm, number.repetition, traces_.messages, measures_});
  SimulationSpec measured = spec;
  measured.measures_service = measures_;
  return group_.run(measured, description, limit, progress);
}

}  // namespace posse
