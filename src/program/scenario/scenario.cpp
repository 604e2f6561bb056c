// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/hash.hpp"
#include "core/base/overload.hpp"
#include "core/objective/problem.hpp"
#include "program/base/units.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/external_objective.hpp"
#include "program/scenario/network_values.hpp"

namespace posse {
namespace {

LinkRule make_rule(const LinkConfig& config) {
  LinkRule rule = config.rule;
  if (config.latency) rule.latency = make_duration(*config.latency);
  if (config.loss) rule.loss = find_loss_spec(config.loss->kind)->make(config.loss->parameters);
  return rule;
}

ServiceRule make_rule(const ServiceConfig& config) {
  ServiceRule rule = config.rule;
  if (config.dispatch) rule.dispatch = make_duration(*config.dispatch);
  if (config.decode) rule.decode = make_duration(*config.decode);
  if (config.compute) rule.compute = make_duration(*config.compute);
  if (config.encode) rule.encode = make_duration(*config.encode);
  return rule;
}

void add(const FaultConfig& fault, NetworkConfig& network) {
  std::visit(Overload{[&](const LinkFault& links) { network.link_faults.push_back(links); },
                      [&](const NodeFault& nodes) { network.node_faults.push_back(nodes); },
                      [&](const CorruptFault& nodes) { network.corrupt_faults.push_back(nodes); }},
             fault.what);
}

}  // namespace

DurationDistribution make_duration(const Component& component) {
  return find_duration_spec(component.kind)->make(component.parameters);
}

LinkConfig default_link() {
  LinkConfig link;
  link.latency = constant_duration(Duration{});
  link.loss = Component{"none", &find_loss_spec("none")->parameters, {}};
  link.rule.duplication = 0.0;
  link.rule.fifo = false;
  return link;
}

std::string text_of(const Ties& ties) {
  for (const auto& [name, rule] : kTieRules)
    if (rule == ties.rule) return std::string(name);
  return std::to_string(ties.key);
}

bool RuleScope::is_for(std::string_view label) const {
  return algorithms.empty() || std::ranges::find(algorithms, label) != algorithms.end();
}

bool RuleScope::affects(std::string_view label) const {
  return is_for(label) && std::ranges::none_of(without_effect, [label](const WithoutEffect& of) {
           return of.wholly && of.algorithm == label;
         });
}

bool has_time_out(const NetworkScenario& network, TimeOut::Rule rule) {
  return network.retransmission.timeout.rule == rule ||
         std::ranges::any_of(network.links, [rule](const LinkConfig& link) {
           return link.rule.timeout && link.rule.timeout->rule == rule;
         });
}

std::string text_of(const TimeOut& timeout) {
  for (const auto& [name, rule] : kTimeOutRules)
    if (rule == timeout.rule) return std::string(name);
  return format_duration(timeout.stated);
}

bool is_of_run(const FaultConfig& fault, const AlgorithmEntry& entry, std::uint32_t repetition) {
  return fault.scope.affects(entry.label) && fault.repetition.value_or(repetition) == repetition;
}

NetworkConfig make_network(const Scenario& scenario,
                           const AlgorithmEntry& entry,
                           std::uint32_t repetition) {
  const NetworkScenario& from = scenario.network;
  NetworkConfig network{from};
  network.links.push_back(make_rule(from.defaults));
  for (const LinkConfig& link : from.links)
    if (link.scope.affects(entry.label)) network.links.push_back(make_rule(link));
  for (const auto* rules : {&from.nodes, &scenario.stragglers})
    for (const NodeConfig& node : *rules)
      if (node.scope.affects(entry.label)) network.nodes.push_back(node.rule);
  for (const DropConfig& drop : from.drops)
    if (drop.scope.affects(entry.label)) network.drops.push_back(drop.drop);
  for (const FaultConfig& fault : scenario.faults)
    if (is_of_run(fault, entry, repetition)) add(fault, network);
  if (from.derives_from)
    network.derives_from =
        std::make_shared<const NetworkConfig>(make_network(*from.derives_from, entry, repetition));
  return network;
}

ComputeConfig make_compute(const Scenario& scenario, const AlgorithmEntry& entry) {
  ComputeConfig compute;
  if (scenario.evaluation) compute.evaluation = make_duration(*scenario.evaluation);
  for (const ServiceConfig& service : scenario.service)
    if (service.scope.affects(entry.label)) compute.service.push_back(make_rule(service));
  return compute;
}

Policy make_policy(const Scenario& scenario, std::uint32_t clients) {
  if (!scenario.policy) return {};
  Policy policy = scenario.policy->rule;
  if (scenario.policy->quorum) policy.quorum = *scenario.policy->quorum;
  if (scenario.policy->quorum_share) {
    // The small slack keeps 80 % of 10 at 8 although 0.8 is not a double.
    const double answers = *scenario.policy->quorum_share * clients;
    policy.quorum = std::max(1U, static_cast<std::uint32_t>(std::ceil(answers - 1e-9 * answers)));
  }
  return policy;
}

Repetition arms_repetition(Repetition repetition, std::size_t entry) {
  if (entry > 0) repetition.seed = Seed{hash_combine(repetition.seed.value, entry)};
  return repetition;
}

Seed repetition_seed(std::uint64_t seed, std::uint32_t repetition) {
  return Seed{hash_combine(mix64(seed), repetition)};
}

std::shared_ptr<const Problem> make_problem(const Scenario& scenario,
                                            std::uint32_t clients,
                                            std::uint32_t repetition) {
  const auto& config = *scenario.problem;
  const Seed seed = repetition_seed(scenario.seed, repetition);
  auto locals = config.family != nullptr
                    ? config.family->clients(clients, {seed, scenario.seed + repetition})
                    : find_heterogeneity(config.heterogeneity.kind)
                          ->make(config.base, config.heterogeneity.parameters, clients, seed);
  return std::make_shared<const Problem>(
      std::move(locals),
      find_noise(config.noise.kind)->make(config.noise.parameters),
      config.budget,
      seed);
}

namespace {

std::shared_ptr<const ArmSet> make_arms(const Scenario& scenario, std::uint32_t repetition) {
  const auto& config = *scenario.arms;
  const Repetition which{repetition_seed(scenario.seed, repetition), scenario.seed + repetition};
  auto all = std::make_shared<ArmSet>();
  all->budget = config.budget;
  for (std::size_t i = 0; i < config.entries.size(); ++i) {
    const bool several = config.entries.size() > 1;
    const auto some = config.entries[i].family->arms(arms_repetition(which, i), config.budget);
    all->maximized = some->maximized;  // that of all entries
    for (auto arm : some->arms) {
      if (several) arm.name = fmt::format("{}.{}", i + 1, arm.name);
      all->arms.push_back(std::move(arm));
    }
  }
  return all;
}

}  // namespace

std::size_t number_of_arms(const ArmsConfig& arms) {
  std::size_t number = 0;
  for (const auto& entry : arms.entries) number += entry.family->size();
  return number;
}

std::vector<std::string_view> foreign_mathematics(const Scenario& scenario) {
  std::vector<std::string_view> names;
  const auto add = [&](std::string_view name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  };
  if (scenario.problem)
    if (const auto* spec = find_objective_spec(scenario.problem->objective.kind))
      add(spec->foreign_mathematics);
  if (scenario.arms)
    for (const auto& entry : scenario.arms->entries)
      if (const auto* spec = find_arm_family(entry.arms.kind)) add(spec->foreign_mathematics);
  return names;
}

Workload make_workload(const Scenario& scenario,
                       const AlgorithmEntry& entry,
                       std::uint32_t repetition) {
  Workload workload;
  if (entry.spec->needs_problem && scenario.problem)
    workload.problem = make_problem(scenario, entry.clients, repetition);
  if (entry.spec->needs_arms && scenario.arms) workload.arms = make_arms(scenario, repetition);
  return workload;
}

ProtocolContext make_context(const Scenario& scenario,
                             const AlgorithmEntry& entry,
                             const Workload& workload,
                             std::uint32_t repetition) {
  ProtocolContext context;
  context.clients = entry.clients;
  context.seed = repetition_seed(scenario.seed, repetition);
  context.policy = make_policy(scenario, entry.clients);
  context.problem = workload.problem.get();
  context.arms = workload.arms.get();
  return context;
}

std::unique_ptr<Protocol> make_protocol(const Scenario& scenario,
                                        const AlgorithmEntry& entry,
                                        const Workload& workload,
                                        std::uint32_t repetition) {
  return entry.spec->make(entry.parameters, make_context(scenario, entry, workload, repetition));
}

SimulationSpec make_simulation(const Scenario& scenario,
                               const AlgorithmEntry& entry,
                               const Workload& workload,
                               const Protocol& protocol,
                               std::uint32_t repetition) {
  if (workload.problem && scenario.problem->objective.kind == "external")
    refuse_foreign_command(scenario.file);
  SimulationSpec spec;
  spec.algorithm = entry.spec;
  spec.protocol = &protocol;
  spec.problem = workload.problem.get();
  spec.arms = workload.arms.get();
  spec.clients = entry.clients;
  spec.seed = repetition_seed(scenario.seed, repetition);
  spec.network = make_network(scenario, entry, repetition);
  spec.compute = make_compute(scenario, entry);
  spec.limits = scenario.limits;
  return spec;
}

}  // namespace posse
