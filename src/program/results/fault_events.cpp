// SPDX-License-Identifier: Apache-2.0
#include "program/results/fault_events.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "core/network/nodes.hpp"
#include "program/base/csv.hpp"
#include "program/run/run_view.hpp"

namespace posse {

bool any_faults(const ScenarioResult& result) {
  return std::any_of(result.runs.begin(), result.runs.end(), [](const RunRecord& run) {
    return !run.result.faults.empty();
  });
}

std::string faults_csv(const Scenario& scenario, const ScenarioResult& result) {
  std::string out = "run,virtual_s,fault,kind,state,event,nodes\n";
  for (const auto& run : result.runs) {
    const auto network = make_network(scenario, scenario.algorithms[run.algorithm], run.repetition);
    const auto& names = run.result.node_names;
    for (const auto& record : run.result.faults) {
      std::string_view kind, state;
      std::string where;
      std::size_t number = record.fault;
      switch (record.of) {
        case FaultOf::links: {
          const LinkFault& fault = network.link_faults[record.fault];
          kind = to_string(fault.kind);
          for (const auto& group : fault.groups)
            where += fmt::format("{}{}", where.empty() ? "" : " | ", fmt::join(group, " "));
          break;
        }
        case FaultOf::nodes: {
          const NodeFault& fault = network.node_faults[record.fault];
          kind = to_string(fault.kind);
          if (fault.kind == NodeFaultKind::crash) state = fault.loses_state ? "lost" : "kept";
          number += network.link_faults.size();
          where =
              names.empty() ? fmt::format("node {}", record.node.value) : names[record.node.value];
          break;
        }
        case FaultOf::values:
          kind = "corrupt";
          number += network.link_faults.size() + network.node_faults.size();
          where = fmt::format("{}", fmt::join(network.corrupt_faults[record.fault].nodes, " "));
          break;
      }
      out += fmt::format("{},{},{},{},{},{},{}\n",
                         csv_cell(run_id(scenario, run.algorithm, run.repetition)),
                         record.at.to_seconds(),
                         number,
                         kind,
                         state,
                         record.begins ? "begins" : "ends",
                         csv_cell(where));
    }
  }
  return out;
}

}  // namespace posse
