// SPDX-License-Identifier: Apache-2.0
#include "program/fates/random_environment.hpp"

#include <algorithm>
#include <utility>

#include "program/fates/random_network.hpp"
#include "program/fates/trial.hpp"

namespace posse::fates {
namespace {

Table draw_limits(Draws& draws, const Surroundings& around, std::uint64_t events) {
  Table limits{{"events", whole_value(events)}};
  if (draws.chance(0.04))
    limits["virtual_time"] = milliseconds(around.duration_ms * draws.scale(0.05, 2));
  return limits;
}

/// Adds a fault near the end that the run has without it, if it has one.
void add_fault_near_the_end(Draws& draws, const Surroundings& around, Table& root) {
  Diagnostics diagnostics;
  Scenario scenario = read_scenario(table_value(root), "drawn.toml", diagnostics);
  if (!diagnostics.empty()) return;
  scenario.repeat = 1;
  const SimulationResult result = run_on(Kernel::serial, scenario).runs.front().result;
  if (result.outcome.status != RunStatus::finished) return;
  const double end_ms = 1e3 * result.outcome.finished_at.to_seconds();
  const double window_ms = std::max(1e-3, 1e3 * result.smallest_latency.to_seconds());
  Value fault = draw_fault_near_the_end(draws, around, end_ms, window_ms);
  Value& faults = root.try_emplace("fault", array_value({})).first->second;
  std::get<Array>(faults.data).push_back(std::move(fault));
}

Value draw_ties(Draws& draws) {
  return draws.chance(0.4) ? whole_value(draws.below(1000))
                           : text_value(draws.one_of({"source", "reversed"}));
}

}  // namespace

std::optional<Surroundings> surroundings_of(const Table& root) {
  Diagnostics diagnostics;
  const Scenario scenario = read_scenario(table_value(root), "drawn.toml", diagnostics);
  if (!diagnostics.empty()) return std::nullopt;
  const AlgorithmEntry& entry = scenario.algorithms.front();
  const Workload workload = make_workload(scenario, entry, 0);
  const auto protocol = make_protocol(scenario, entry, workload, 0);
  Surroundings around;
  around.groups = protocol->groups();
  for (const auto* type : entry.spec->messages) around.types.emplace_back(type->name);
  around.clients = entry.clients;
  around.evaluates = entry.spec->needs_problem || entry.spec->needs_arms;
  // Leaves come last, and all of a group are alike.
  const NodeNames names(around.groups);
  const std::string last(around.groups.back().name);
  if (protocol->can_lose_state(NodeId{names.size() - 1})) around.forgetful = last;
  if (entry.spec->averages && names.size() > 1 && around.groups.size() > 1) around.liars = last;
  return around;
}

void draw_environment(Draws& draws,
                      std::uint64_t seed,
                      const Surroundings& around,
                      const EnvironmentOptions& options,
                      Table& root) {
  Inputs inputs;
  if (const auto held = root.find("inputs"); held != root.end())
    inputs = std::get<Table>(held->second.data);
  Table network =
      options.one_by_one ? draw_latency_alone(draws, around) : draw_network(draws, around, inputs);
  root["compute"] = table_value(draw_compute(draws, around));
  if (options.draws_policy && draws.chance(0.7))
    root["server"] = table_value(draw_server(draws, around));
  draw_several(draws, options.one_by_one ? 0 : 0.6, 4, root, "fault", [&] {
    Value fault = draw_fault(draws, around, inputs);
    if (draws.chance(0.05))
      std::get<Table>(fault.data)["algorithm"] = text_value(options.algorithm);
    if (options.repeats && draws.chance(0.3))
      std::get<Table>(fault.data)["repetition"] = whole_value(1);
    return fault;
  });
  Draws order(seed, "ties");
  if (order.chance(0.3)) network["ties"] = draw_ties(order);
  Draws waits(seed, "time-outs");
  draw_time_outs(waits, around.scale_ms, network);
  root["network"] = table_value(std::move(network));
  root["limits"] = table_value(draw_limits(draws, around, options.events));
  if (!inputs.empty()) root["inputs"] = table_value(std::move(inputs));
  if (draws.chance(0.2)) add_fault_near_the_end(draws, around, root);
}

}  // namespace posse::fates
