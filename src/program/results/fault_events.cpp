// SPDX-License-Identifier: Apache-2.0
#include "program/results/fault_events.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/network/nodes.hpp"
#include "program/run/run_view.hpp"
#include "program/scenario/faulty_nodes.hpp"

namespace posse {
namespace {

/// What began or ended.
struct FaultRow {
  std::string run;
  Time at;
  std::optional<std::uint64_t> number;  // of its [[fault]]
  std::string_view kind, state;
  bool begins = false;
  std::string nodes;
};

FaultRow event_of(const FaultRecord& record,
                  const NetworkConfig& network,
                  const std::vector<std::string>& names) {
  FaultRow event;
  const auto name = [&](NodeId node) {
    return names.empty() ? fmt::format("node {}", node.value) : names[node.value];
  };
  event.at = record.at;
  event.begins = record.begins;
  if (record.of == FaultOf::bursts && record.fault == FaultRecord::kUnrecorded) {
    event.kind = kUnrecordedBurst;
    event.nodes = "any link";
    return event;
  }
  if (record.of == FaultOf::bursts) {
    event.kind = kLossBurst;
    event.nodes =
        fmt::format("{} {} {}", name(record.node), record.fault == 1 ? "|" : ">", name(record.to));
    return event;
  }
  std::uint64_t number = record.fault;
  switch (record.of) {
    case FaultOf::links: {
      const LinkFault& fault = network.link_faults[record.fault];
      event.kind = to_string(fault.kind);
      event.nodes = groups_text(fault.groups);
      break;
    }
    case FaultOf::nodes: {
      const NodeFault& fault = network.node_faults[record.fault];
      event.kind = to_string(fault.kind);
      if (fault.kind == NodeFaultKind::crash) event.state = fault.loses_state ? "lost" : "kept";
      number += network.link_faults.size();
      event.nodes = name(record.node);
      break;
    }
    case FaultOf::values:
      event.kind = "corrupt";
      number += network.link_faults.size() + network.node_faults.size();
      event.nodes = groups_text({network.corrupt_faults[record.fault].nodes});
      break;
    case FaultOf::bursts:
      break;
  }
  event.number = number;
  return event;
}

}  // namespace

DataTable faults_table(const Scenario& scenario, const ScenarioResult& result) {
  ColumnsOf<FaultRow> columns;
  columns.add("run", &FaultRow::run)
      .add("virtual_s", &FaultRow::at)
      .add("fault", &FaultRow::number)
      .add("kind", &FaultRow::kind)
      .add("state", &FaultRow::state)
      .add("event", [](const FaultRow& event) { return event.begins ? "begins" : "ends"; })
      .add("nodes", &FaultRow::nodes);
  return columns.table([&](const auto& use) {
    for (const auto& run : result.runs) {
      if (run.result.faults.empty()) continue;
      const auto network =
          make_network(scenario, scenario.algorithms[run.algorithm], run.repetition);
      for (const auto& record : run.result.faults) {
        FaultRow event = event_of(record, network, run.result.node_names);
        event.run = run_id(scenario, run.algorithm, run.repetition);
        use(event);
      }
    }
  });
}

std::vector<FaultSpan> fault_spans(const Scenario& scenario, const RunRecord& run) {
  std::vector<FaultSpan> spans;
  if (run.result.faults.empty()) return spans;
  const auto network = make_network(scenario, scenario.algorithms[run.algorithm], run.repetition);
  std::map<std::pair<std::optional<std::uint64_t>, std::string>, std::size_t>
      open;  // by number and nodes
  for (const auto& record : run.result.faults) {
    FaultRow event = event_of(record, network, run.result.node_names);
    const std::pair key(event.number, event.nodes);
    if (event.begins) {
      open[key] = spans.size();
      spans.push_back({event.kind, std::move(event.nodes), event.at, {}});
    } else if (const auto begun = open.find(key); begun != open.end()) {
      spans[begun->second].end = event.at;
      open.erase(begun);
    }
  }
  return spans;
}

}  // namespace posse
