// SPDX-License-Identifier: Apache-2.0
// A scenario, read and checked, with all defaults.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/arm/arm_family.hpp"
#include "core/network/config.hpp"
#include "core/role/protocol.hpp"
#include "core/sim/simulation.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/input_files.hpp"
#include "program/scenario/thresholds.hpp"

namespace posse {

/// A component of the catalogue with its parameters.
struct Component {
  std::string kind;
  const std::vector<ParameterSpec>* specs = nullptr;
  Parameters parameters;
};

struct Scenario;

struct AlgorithmEntry {
  const AlgorithmSpec* spec = nullptr;
  Parameters parameters;
  std::string label;          // unique in the scenario; the kind unless given
  std::uint32_t clients = 1;  // population.clients unless the entry says otherwise
  bool own_clients = false;
  SourceLocation location;
  std::string path;     // "algorithm.0"
  std::string warning;  // what would mislead about it: a sentence, or nothing
};

struct ProblemConfig {
  Component objective, heterogeneity, noise;
  // Made once for all repetitions, so that they share cached data.
  std::shared_ptr<const Objective> base;          // null if the objective has clients of its own
  std::shared_ptr<const ObjectiveFamily> family;  // the objective's or the heterogeneity's own
  std::uint64_t budget = 1;
  SourceLocation location;
};

/// One [[arm]]: an arm or a family of arms.
struct ArmEntry {
  Component arms;
  std::shared_ptr<const ArmFamily> family;  // made once for all repetitions
  SourceLocation location;
  std::string path;  // "arm.0"
};

struct ArmsConfig {
  std::vector<ArmEntry> entries;
  std::uint64_t budget = 1;  // pulls
};
/// K, the number of arms of all entries.
std::size_t number_of_arms(const ArmsConfig& arms);

/// Libraries and programs that compute values of the objective or the arms with the machine's
/// mathematics: the last bits of their results may depend on the processor.
std::vector<std::string_view> foreign_mathematics(const Scenario& scenario);

/// The problem or the arms of a run; at most one of them.
struct Workload {
  std::shared_ptr<const Problem> problem;
  std::shared_ptr<const ArmSet> arms;
};

/// An algorithm on which a rule for it has no effect, or some of the rule's names have none.
struct WithoutEffect {
  std::string algorithm;           // label
  bool wholly = true;              // the rule does nothing; else only its `names` do nothing
  std::vector<std::string> names;  // of the rule, which the algorithm doesn't have
  std::string what;                // "network.node.0 (nodes = \"client\")"
  std::string warning;             // may be empty: nobody could be misled
};

/// A name in a rule, which an algorithm may lack: of nodes, of a message type, or a round.
struct NameInRule {
  enum class Of { nodes, message, round };
  Of of = Of::nodes;
  std::string key;  // "from"
  std::string name;
  SourceLocation location;
};

/// Where a rule takes effect. A rule is a table of [[network.link]], [[network.node]],
/// [[network.drop]], [[compute.stragglers]], [[compute.service]] or [[fault]].
struct RuleScope {
  std::string path;  // "network.link.0"
  SourceLocation location;
  std::vector<std::string> algorithms;  // labels; none: all
  std::vector<NameInRule> names;
  std::vector<WithoutEffect> without_effect;  // found by check_scenario

  bool is_for(std::string_view label) const;
  /// Whether it is for the algorithm and does something to it.
  bool affects(std::string_view label) const;
};

// A rule of the core is a member of what a scenario says beside it. Distributions and loss models
// stand there as written, since scenarios are written back; the rule's members for them are empty
// until make_network or make_compute sets them.

/// The properties of [network] or of one [[network.link]].
struct LinkConfig {
  RuleScope scope;
  LinkRule rule;
  std::optional<Component> latency;
  std::optional<Component> loss;  // nothing where the rule has a LossByType

  const LossByType* loss_by_type() const {
    return rule.loss ? std::get_if<LossByType>(&*rule.loss) : nullptr;
  }
};

/// Whether it has a key of [[network.link]] that does not only select links.
bool sets_property(const LinkConfig& link);

/// One [[network.node]], which has rates only, or one [[compute.stragglers]].
struct NodeConfig {
  RuleScope scope;
  NodeRule rule;
};

/// One [[network.drop]].
struct DropConfig {
  RuleScope scope;
  ListedLoss drop;
};

/// One [[compute.service]].
struct ServiceConfig {
  RuleScope scope;
  ServiceRule rule;
  std::optional<Component> dispatch, decode, compute, encode;
};

/// What [network] says of all links if it says nothing.
LinkConfig default_link();

struct NetworkScenario : NetworkSettings {
  NetworkScenario() { retransmission.timeout = TimeOut::Rule::derived; }

  LinkConfig defaults = default_link();  // all present except the rate
  std::vector<LinkConfig> links;
  std::vector<NodeConfig> nodes;
  std::vector<DropConfig> drops;
  std::optional<Topology> topology;
  /// Whose network derived time-outs follow from; null: this one's. Not in files.
  std::shared_ptr<const Scenario> derives_from;
};
/// Whether some link has a time-out of this rule.
bool has_time_out(const NetworkScenario& network, TimeOut::Rule rule);

/// One [[fault]].
struct FaultConfig {
  RuleScope scope;  // a storm is several faults of one scope
  std::variant<LinkFault, NodeFault, CorruptFault> what;
  std::optional<std::uint32_t> repetition;  // nothing: all repetitions
  std::optional<InputText> trace;           // the file of a NodeFault with a trace

  LinkFault& links() { return std::get<LinkFault>(what); }
  const LinkFault& links() const { return std::get<LinkFault>(what); }
};

/// [server]. make_policy sets the rule's quorum.
struct PolicyConfig {
  Policy rule;
  std::optional<std::uint32_t> quorum;  // answers
  std::optional<double> quorum_share;   // or a share of the clients, rounded up
};

struct Scenario {
  std::string file;  // as given
  std::string name;
  std::string label;  // a user's note on the run; may be empty, decides nothing
  std::uint64_t seed = 1;
  std::uint32_t repeat = 1;
  std::vector<AlgorithmEntry> algorithms;
  std::optional<std::uint32_t> clients;
  std::optional<ProblemConfig> problem;
  std::optional<ArmsConfig> arms;
  NetworkScenario network;
  std::optional<Component> evaluation;  // present if and only if some algorithm evaluates
  std::vector<NodeConfig> stragglers;
  std::vector<ServiceConfig> service;
  std::optional<PolicyConfig> policy;  // present if and only if some algorithm uses it
  std::vector<FaultConfig> faults;
  Limits limits;
  std::vector<Threshold> thresholds;
  InputFiles inputs;
  std::vector<std::string> left_out;  // what its algorithms lack (with_algorithms.hpp): sentences
};

/// Calls `visit` with every rule of a scenario, which may be const, in the order of
/// docs/scenario.md.
template <class AnyScenario, class Visit>
void for_each_rule(AnyScenario& scenario, const Visit& visit) {
  for (auto& rule : scenario.network.links) visit(rule);
  for (auto& rule : scenario.network.nodes) visit(rule);
  for (auto& rule : scenario.network.drops) visit(rule);
  for (auto& rule : scenario.stragglers) visit(rule);
  for (auto& rule : scenario.service) visit(rule);
  for (auto& rule : scenario.faults) visit(rule);
}

/// Reads a scenario from a parsed file. Mistakes are added to `diagnostics`; the scenario may be
/// used only without mistakes.
Scenario read_scenario(const Value& root, const std::string& file, Diagnostics& diagnostics);

/// An override from flags or environment: `a.b=v`, with the origin for errors.
struct Override {
  std::string origin;
  std::string assignment;
};
Scenario load_scenario(const std::string& file,
                       const std::vector<Override>& overrides,
                       Diagnostics& diagnostics);

/// The resolved scenario as TOML; runnable as it is next to its `inputs/`.
std::string to_toml(const Scenario& scenario);
/// Only what decides the workload of its first algorithm.
std::string workload_toml(const Scenario& scenario);

// Conversions to types of the core.
DurationDistribution make_duration(const Component& component);
/// "fair", "source", "reversed", or the key.
std::string text_of(const Ties& ties);
/// "derived", "measured", or the stated duration.
std::string text_of(const TimeOut& timeout);
/// Whether an algorithm's run in this repetition has the fault.
bool is_of_run(const FaultConfig& fault, const AlgorithmEntry& entry, std::uint32_t repetition);
/// With the rules that affect the algorithm in this repetition.
NetworkConfig make_network(const Scenario& scenario,
                           const AlgorithmEntry& entry,
                           std::uint32_t repetition);
ComputeConfig make_compute(const Scenario& scenario, const AlgorithmEntry& entry);
Policy make_policy(const Scenario& scenario, std::uint32_t clients);

/// Repetition r (from 0) of seed s runs under Seed{hash_combine(mix64(s), r)}, whatever the
/// algorithm: algorithms of one repetition see common random numbers.
Seed repetition_seed(std::uint64_t seed, std::uint32_t repetition);

/// The scenario's problem in one repetition, for this number of clients.
std::shared_ptr<const Problem> make_problem(const Scenario& scenario,
                                            std::uint32_t clients,
                                            std::uint32_t repetition);
/// Every [[arm]] except the first has streams of its own; `entry` counts from 0. With several,
/// names of arms begin with the entry's number: "2.f1".
Repetition arms_repetition(Repetition repetition, std::size_t entry);
/// The algorithm's workload in one repetition: the scenario's problem for its clients, or its arms,
/// or nothing. Throws InputError if a family has no data for this repetition.
Workload make_workload(const Scenario& scenario,
                       const AlgorithmEntry& entry,
                       std::uint32_t repetition);
ProtocolContext make_context(const Scenario& scenario,
                             const AlgorithmEntry& entry,
                             const Workload& workload,
                             std::uint32_t repetition);
/// `workload` must outlive the protocol.
std::unique_ptr<Protocol> make_protocol(const Scenario& scenario,
                                        const AlgorithmEntry& entry,
                                        const Workload& workload,
                                        std::uint32_t repetition);

/// The run of `protocol`; it, `workload` and `entry` must outlive the run.
SimulationSpec make_simulation(const Scenario& scenario,
                               const AlgorithmEntry& entry,
                               const Workload& workload,
                               const Protocol& protocol,
                               std::uint32_t repetition);

}  // namespace posse
