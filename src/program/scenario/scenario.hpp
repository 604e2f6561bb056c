// A scenario, read and checked, with every default filled in.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/arm/arm_family.hpp"
#include "core/network/config.hpp"
#include "core/role/protocol.hpp"
#include "core/sim/simulation.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/input_files.hpp"

namespace posse {

/// Something of the catalogue with its parameters.
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
  std::string path;  // "algorithm.0"
};

struct ProblemConfig {
  Component objective, heterogeneity, noise;
  // Made once for all repetitions, so that what they remember is shared.
  std::shared_ptr<const Objective> base;          // null if the objective has clients of its own
  std::shared_ptr<const ObjectiveFamily> family;  // the objective's or the heterogeneity's own
  std::uint64_t budget = 1;
  SourceLocation location;
};

/// One [[arm]]: an arm, or a set of them that belongs together.
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
/// K, of all entries.
std::size_t number_of_arms(const ArmsConfig& arms);

/// Libraries and programs that compute values of the scenario's objective or arms with the
/// machine's own mathematics, each once: there the last bits of results may depend on the
/// processor.
std::vector<std::string_view> foreign_mathematics(const Scenario& scenario);

/// What a run of one algorithm works on: at most one of them.
struct Workload {
  std::shared_ptr<const Problem> problem;
  std::shared_ptr<const ArmSet> arms;
};

/// The properties of [network] or of one [[network.link]], as written.
struct LinkConfig {
  std::string from = "*", to = "*";
  std::optional<Component> latency;
  std::optional<Component> loss;
  std::optional<LossByType> loss_by_type;  // instead of `loss`
  std::optional<double> duplication;
  std::optional<bool> fifo;
  std::optional<Rate> rate;
};

struct NetworkScenario {
  LinkConfig defaults;  // all of it present, but for the rate
  std::vector<LinkConfig> links;
  std::vector<NodeRule> nodes;  // rates only
  std::vector<ListedLoss> drops;
  std::shared_ptr<const LatencyMatrix> matrix;
  std::optional<Topology> topology;
  Transport transport = Transport::datagram;
  Retransmission retransmission;
  std::uint64_t header_bytes = 0;
};

/// One [[fault]].
struct FaultConfig {
  NetworkPartition partition;
  std::optional<std::string> algorithm;     // label of the one it is for; else for all
  std::optional<std::uint32_t> repetition;  // the one it is for; else for all
  SourceLocation location;
};

struct PolicyConfig {
  PolicyKind kind = PolicyKind::all;
  std::optional<std::uint32_t> quorum;  // answers
  std::optional<double> quorum_share;   // or a share of the clients, rounded up
  Duration deadline{};
};

struct Scenario {
  std::string file;  // as given
  std::string name;
  std::uint64_t seed = 1;
  std::uint32_t repeat = 1;
  std::vector<AlgorithmEntry> algorithms;
  std::optional<std::uint32_t> clients;
  std::optional<ProblemConfig> problem;
  std::optional<ArmsConfig> arms;
  NetworkScenario network;
  std::optional<Component> evaluation;  // present iff some algorithm evaluates
  std::vector<NodeRule> stragglers;
  std::optional<PolicyConfig> policy;  // present iff some algorithm uses one
  std::vector<FaultConfig> faults;
  Limits limits;
  InputFiles inputs;
};

/// Reads a scenario from a parsed file. Whatever is wrong ends up in `diagnostics`; the scenario
/// may be used only if that stays empty.
Scenario read_scenario(const Value& root, const std::string& file, Diagnostics& diagnostics);

/// Flags and environment on top of the file: `a.b=v` with the origin that errors name.
struct Override {
  std::string origin;
  std::string assignment;
};
Scenario load_scenario(const std::string& file,
                       const std::vector<Override>& overrides,
                       Diagnostics& diagnostics);

/// The resolved scenario as TOML; runnable as it is next to its `inputs/`.
std::string to_toml(const Scenario& scenario);

// Conversions to what the core takes.
DurationDistribution make_duration(const Component& component);
/// With all faults.
NetworkConfig make_network(const Scenario& scenario);
/// With the faults of one run.
NetworkConfig make_network(const Scenario& scenario,
                           const AlgorithmEntry& entry,
                           std::uint32_t repetition);
ComputeConfig make_compute(const Scenario& scenario);
Policy make_policy(const Scenario& scenario, std::uint32_t clients);

/// Repetition r (from 0) of seed s runs under Seed{hash_combine(mix64(s), r)}, whatever the
/// algorithm: algorithms of one repetition see common random numbers.
Seed repetition_seed(std::uint64_t seed, std::uint32_t repetition);

/// The problem of one repetition for so many clients, if the scenario has one.
std::shared_ptr<const Problem> make_problem(const Scenario& scenario,
                                            std::uint32_t clients,
                                            std::uint32_t repetition);
/// Every [[arm]] but the first draws from streams of its own; number `entry` from 0. With several,
/// arms are called by its number and their name: "2.f1".
Repetition arms_repetition(Repetition repetition, std::size_t entry);
/// What the algorithm works on in one repetition: the scenario's problem for its clients, or its
/// arms, or nothing. Throws InputError if a family can't provide for this repetition.
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
