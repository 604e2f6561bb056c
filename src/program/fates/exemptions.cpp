// SPDX-License-Identifier: Apache-2.0
#include "core/network/nodes.hpp"
#include "program/fates/checks.hpp"

namespace posse::fates {
namespace {

template <class Ask>
auto ask_first_protocol(const Trial& trial, Ask ask) {
  const AlgorithmEntry& entry = trial.scenario.algorithms.front();
  const Workload workload = make_workload(trial.scenario, entry, 0);
  return ask(*make_protocol(trial.scenario, entry, workload, 0));
}

}  // namespace

Finding order_decides(const Trial& trial) {
  if (ask_first_protocol(trial, [](const Protocol& p) { return p.waits_for_all(); }))
    return std::nullopt;
  return fmt::format("{} does not say that it waits for all messages",
                     trial.scenario.algorithms.front().label);
}

Finding delays_may_decide(const Trial& trial) {
  const Scenario& scenario = trial.scenario;
  const AlgorithmEntry& entry = scenario.algorithms.front();
  if (!order_may_decide(scenario, entry)) return std::nullopt;
  return fmt::format("in {} the order in which messages arrive may decide", entry.label);
}

Finding equal_times_decide(const Trial& trial) {
  return ask_first_protocol(trial, [](const Protocol& protocol) -> Finding {
    const NodeNames names(protocol.groups());
    for (std::uint32_t node = 0; node < names.size(); ++node)
      if (const auto why = protocol.why_order_matters(NodeId{node}); !why.empty())
        return fmt::format(
            "the order of equal times matters to {}: {}", names.name(NodeId{node}), why);
    return std::nullopt;
  });
}

Finding timers_decide_early(const Trial& trial) {
  return ask_first_protocol(trial, [](const Protocol& protocol) -> Finding {
    const auto why = protocol.why_timers_decide_early();
    return why.empty() ? Finding{} : "timers may fire while a node evaluates: " + std::string(why);
  });
}

}  // namespace posse::fates
