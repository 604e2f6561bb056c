// A distributed algorithm: the roles of its nodes, its messages, and what theory says of a run.
//
// An algorithm is one file pair that defines an `AlgorithmSpec`; the catalogue lists it. Nothing
// else names it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/parameters.hpp"
#include "core/role/measurement.hpp"
#include "core/role/policy.hpp"
#include "core/role/role.hpp"

namespace posse {

struct ArmSet;      // functional/arm.hpp: the arms of a functional bandit and its budget of pulls
class Partition;    // domain/partition.hpp: a hierarchical partition of the domain
class Problem;      // objective/problem.hpp: what is maximised, by whom, with what noise and budget
struct RunOutcome;  // role/outcome.hpp: what a run did, for measurements

/// star: one hub (node 0) and leaves. full_mesh: every node to every other. none: nodes that have
/// nothing to say to each other.
enum class Topology { star, full_mesh, none };

constexpr std::string_view to_string(Topology topology) {
  return topology == Topology::star        ? "star"
         : topology == Topology::full_mesh ? "full-mesh"
                                           : "none";
}

/// `size` nodes with consecutive ids, named `name` if alone in kind (`numbered` false), else
/// `name-0`, `name-1`, … (from `first_number`).
struct NodeGroup {
  std::string_view name;
  std::uint32_t size = 1;
  bool numbered = true;
  std::uint32_t first_number = 0;
};

/// What a run will cost, before it starts. Ceilings, except where the protocol knows exactly.
struct Forecast {
  double evaluations = 0;
  double rounds = 0;    // ceiling
  double messages = 0;  // ceiling, without acknowledgements and repeats
  double bytes = 0;     // ceiling, payload
};

/// What an algorithm is built from.
struct ProtocolContext {
  std::uint32_t clients = 1;  // population.clients: clients, players, …
  Seed seed;                  // of this repetition
  Policy policy;
  const Problem* problem = nullptr;  // null only if the spec says needs_problem = false
  const ArmSet* arms = nullptr;      // not null if the spec says needs_arms
};

/// Outlives its roles, which may point into it.
class Protocol {
 public:
  virtual ~Protocol() = default;
  /// The nodes, in id order. In a star the hub's group comes first and has size 1.
  virtual std::vector<NodeGroup> groups() const = 0;
  /// The role of one node. Called once per node, maybe from several threads at once.
  virtual std::unique_ptr<Role> make_role(NodeId node) const = 0;
  /// Measured measurements beside their bounds, in the order in which to print them.
  virtual std::vector<Measurement> measurements(const RunOutcome& outcome) const = 0;
  virtual Forecast forecast() const = 0;
  /// True if several nodes evaluate for the same client (instances of a meta-algorithm): its
  /// evaluations are then put in the order of time and node before regrets are summed.
  virtual bool several_evaluators() const { return false; }
  /// That of the cells which its rounds compare (RoundEnded::cells); null if they compare none.
  virtual const Partition* partition() const { return nullptr; }
  /// Where the parameters choose it: a topology other than AlgorithmSpec's.
  virtual std::optional<Topology> topology() const { return std::nullopt; }
};

struct AlgorithmSpec {
  std::string_view kind;     // "fed-pne"
  std::string_view summary;  // one line
  std::string_view source;   // paper, section, algorithm
  std::vector<ParameterSpec> parameters;
  Topology topology = Topology::star;
  bool needs_problem = true;  // objective, noise and budget
  bool needs_arms = false;    // [[arm]] and a budget of pulls, instead
  bool uses_policy = false;   // [server] policy
  std::vector<const MessageType*> messages;
  std::unique_ptr<Protocol> (*make)(const Parameters&, const ProtocolContext&) = nullptr;
  /// Checks that need more than one parameter; returns messages for the user.
  std::vector<std::string> (*validate)(const Parameters&, const ProtocolContext&) = nullptr;
};

inline Topology topology_of(const AlgorithmSpec& spec, const Protocol& protocol) {
  return protocol.topology().value_or(spec.topology);
}

}  // namespace posse
