// SPDX-License-Identifier: Apache-2.0
#include "program/chaos/random_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "program/chaos/random_parts.hpp"
#include "program/chaos/trial.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {
namespace {

using namespace chaos;

Table draw_limits(Draws& draws, const Surroundings& around) {
  Table limits{{"events", whole_value(60'000)}};
  if (draws.chance(0.04))
    limits["virtual_time"] = milliseconds(around.duration_ms * draws.scale(0.05, 2));
  return limits;
}

/// One client evaluates for all instances of these.
bool has_one_client(const AlgorithmSpec& spec) {
  return std::any_of(
      spec.messages.begin(), spec.messages.end(), [](const auto* m) { return m->name == "Found"; });
}

/// The nodes and messages of a scenario without network and faults; no nodes if it is not valid.
Surroundings surroundings_of(const Value& root) {
  Surroundings around;
  Diagnostics diagnostics;
  const Scenario scenario = read_scenario(root, "chaos.toml", diagnostics);
  if (!diagnostics.empty()) return around;
  const AlgorithmEntry& entry = scenario.algorithms.front();
  const Workload workload = make_workload(scenario, entry, 0);
  const auto protocol = make_protocol(scenario, entry, workload, 0);
  around.groups = protocol->groups();
  for (const auto* type : entry.spec->messages) around.types.emplace_back(type->name);
  // Leaves come last, and all of a group are alike.
  const NodeNames names(around.groups);
  const std::string last(around.groups.back().name);
  if (protocol->can_lose_state(NodeId{names.size() - 1})) around.forgetful = last;
  if (entry.spec->averages && names.size() > 1 && around.groups.size() > 1) around.liars = last;
  return around;
}

/// Adds a fault near the end that the run has without it, if it has one.
void add_fault_near_the_end(Draws& draws, const Surroundings& around, Table& root) {
  Diagnostics diagnostics;
  Scenario scenario = read_scenario(table_value(root), "chaos.toml", diagnostics);
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

std::string random_scenario(std::uint64_t seed) {
  Draws draws(seed, "scenario");
  const AlgorithmSpec& spec = *draws.element_of(algorithms());
  // One client without faults: in a star, no more than one event is under way for most of the run.
  const bool one_by_one = draws.chance(0.06);
  const std::uint64_t clients = has_one_client(spec) || one_by_one ? 1 : draws.whole(1, 8);
  const std::uint64_t arms = draws.whole(kFewestArms, kMostArms);
  const bool evaluates = spec.needs_problem || spec.needs_arms;

  Table algorithm = draw_algorithm(draws, spec, arms);
  const bool has_edges = algorithm.contains("edges");
  if (has_edges && std::get<std::int64_t>(algorithm["edges"].data) > std::int64_t(clients))
    algorithm["edges"] = whole_value(clients);
  Table root{{"name", text_value(fmt::format("chaos-{}", seed))},
             {"seed", whole_value(seed)},
             {"algorithm", array_value({table_value(algorithm)})}};
  const bool again = draws.chance(0.05);
  if (again) root["repeat"] = whole_value(2);
  double budget = 20;
  if (spec.needs_arms) {
    budget = std::floor(draws.scale(30, 150));
    root["arm"] = array_value({table_value(draw_arms(draws, spec, arms))});
    root["budget"] = table_value({{"pulls", whole_value(static_cast<std::uint64_t>(budget))}});
  } else {
    root["population"] = table_value({{"clients", whole_value(clients)}});
  }
  if (spec.needs_problem) {
    const bool a_round_each = spec.uses_policy || spec.kind == "fn-ucb";
    budget = std::floor(a_round_each ? draws.scale(8, 120) : draws.scale(10, 400));
    if (spec.kind == "fn-ucb") budget = std::floor(draws.scale(4, 20));
    root["objective"] = table_value(draw_objective(draws, clients));
    root["budget"] =
        table_value({{"evaluations_per_client", whole_value(static_cast<std::uint64_t>(budget))}});
  }

  Surroundings around = surroundings_of(table_value(root));
  if (around.groups.empty()) return toml_text(table_value(root));
  around.scale_ms = draws.scale(0.3, 60);
  around.duration_ms = around.scale_ms * draws.scale(4, 80);

  Inputs inputs;
  root["network"] = table_value(one_by_one ? draw_latency_alone(draws, around)
                                           : draw_network(draws, around, inputs));
  root["compute"] = table_value(draw_compute(draws, around, evaluates));
  const auto compact = algorithm.find("compact_plan");
  const auto sums = algorithm.find("sums");
  const bool waits_for_all =
      has_edges || (compact != algorithm.end() && std::get<bool>(compact->second.data)) ||
      (sums != algorithm.end() && std::get<std::string>(sums->second.data) == "exact");
  if (spec.uses_policy && !waits_for_all && draws.chance(0.7))
    root["server"] = table_value(draw_server(draws, around, clients));
  draw_several(draws, one_by_one ? 0 : 0.6, 4, root, "fault", [&] {
    auto fault = draw_fault(draws, around, inputs);
    if (draws.chance(0.05))
      std::get<Table>(fault.data)["algorithm"] = text_value(std::string(spec.kind));
    if (again && draws.chance(0.3)) std::get<Table>(fault.data)["repetition"] = whole_value(1);
    return fault;
  });
  Draws order(seed, "ties");
  if (order.chance(0.3)) std::get<Table>(root["network"].data)["ties"] = draw_ties(order);
  Draws waits(seed, "time-outs");
  draw_time_outs(waits, around.scale_ms, std::get<Table>(root["network"].data));
  root["limits"] = table_value(draw_limits(draws, around));
  if (!inputs.empty()) root["inputs"] = table_value(std::move(inputs));
  if (draws.chance(0.2)) add_fault_near_the_end(draws, around, root);
  return toml_text(table_value(root));
}

}  // namespace posse
