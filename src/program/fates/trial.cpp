// SPDX-License-Identifier: Apache-2.0
#include "program/fates/trial.hpp"

#include <algorithm>
#include <exception>
#include <string_view>
#include <variant>

#include "core/sim/node_faults.hpp"

namespace posse {
namespace {

bool has_asynchronous_order(const AlgorithmEntry& entry) {
  const auto& all = entry.parameters.all();
  const auto has_text = [&](const char* name, std::string_view text) {
    const auto it = all.find(name);
    return it != all.end() && std::holds_alternative<std::string>(it->second) &&
           std::get<std::string>(it->second) == text;
  };
  const auto parallel = [&] {
    const auto it = all.find("parallel");
    return it == all.end() || !std::holds_alternative<std::int64_t>(it->second) ||
           std::get<std::int64_t>(it->second) > 1;
  };
  return has_text("order", "asynchronous") || (entry.spec->kind == "asha" && parallel());
}

bool waits_for_all_messages(const Scenario& scenario, const AlgorithmEntry& entry) {
  const Workload workload = make_workload(scenario, entry, 0);
  return make_protocol(scenario, entry, workload, 0)->waits_for_all();
}

bool is_endless(const NodeFault& fault) { return may_last_for_good(fault); }
bool is_endless(const LinkFault& fault) { return !fault.when.lasting; }
bool is_endless(const CorruptFault& fault) { return !fault.when.lasting; }

}  // namespace

Trial make_trial(const std::string& text) {
  Trial trial;
  trial.text = text;
  Diagnostics diagnostics;
  try {
    const Value root = parse_toml(text, "drawn.toml", diagnostics);
    if (diagnostics.empty()) trial.scenario = read_scenario(root, "drawn.toml", diagnostics);
    trial.mistakes = diagnostics.text();
  } catch (const std::exception& problem) {
    trial.mistakes = std::string("the reader fails: ") + problem.what();
  }
  if (trial.mistakes.empty()) trial.result = run_on(Kernel::serial, trial.scenario, 1, true);
  return trial;
}

ScenarioResult run_on(Kernel kernel, const Scenario& scenario, std::size_t threads, bool traced) {
  RunOptions options;
  options.kernel = kernel;
  options.threads = threads;
  options.traces.messages = traced;
  RunMonitor monitor(number_of_runs(scenario, options));
  return run_scenario(scenario, options, monitor);
}

bool is_reliable(const Scenario& scenario) {
  return scenario.network.transport == Transport::reliable;
}

bool waits_for_all(const Scenario& scenario) {
  return !scenario.policy || scenario.policy->rule.kind == PolicyKind::all;
}

bool has_endless_fault(const Scenario& scenario) {
  return std::any_of(scenario.faults.begin(), scenario.faults.end(), [](const FaultConfig& fault) {
    return std::visit([](const auto& what) { return is_endless(what); }, fault.what);
  });
}

bool loses_state(const Scenario& scenario) {
  return std::any_of(scenario.faults.begin(), scenario.faults.end(), [](const FaultConfig& fault) {
    const auto* nodes = std::get_if<NodeFault>(&fault.what);
    return nodes != nullptr && nodes->loses_state;
  });
}

bool has_liars(const Scenario& scenario) {
  return std::any_of(scenario.faults.begin(), scenario.faults.end(), [](const FaultConfig& fault) {
    return std::holds_alternative<CorruptFault>(fault.what);
  });
}

bool reached_event_limit(const Scenario& scenario, const RunRecord& run) {
  return run.result.outcome.events >= scenario.limits.events;
}

bool order_may_decide(const Scenario& scenario, const AlgorithmEntry& entry) {
  return has_asynchronous_order(entry) ||
         (is_from_outside(*entry.spec) && !waits_for_all_messages(scenario, entry));
}

bool all_messages_arrive(const Scenario& scenario, const RunOutcome& outcome) {
  return is_reliable(scenario) ? scenario.network.retransmission.max_tries >= 1000
                               : outcome.lossless;
}

bool promises_equal_decisions(const Scenario& scenario, const RunRecord& run) {
  const RunOutcome& outcome = run.result.outcome;
  return outcome.status == RunStatus::finished && all_messages_arrive(scenario, outcome) &&
         waits_for_all(scenario) && !has_endless_fault(scenario) && !loses_state(scenario) &&
         !has_liars(scenario) && !order_may_decide(scenario, scenario.algorithms[run.algorithm]);
}

}  // namespace posse
