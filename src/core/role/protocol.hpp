// SPDX-License-Identifier: Apache-2.0
// A distributed algorithm: the roles of its nodes, its messages and its theoretical bounds.
//
// A system in actors/ defines one or more `AlgorithmSpec`s. The program finds them through the
// catalogue only.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/named.hpp"
#include "core/base/parameters.hpp"
#include "core/role/measurement.hpp"
#include "core/role/policy.hpp"
#include "core/role/role.hpp"

namespace posse {

struct ArmSet;      // arm/arm.hpp: the arms of a functional bandit and its budget of pulls
class LearnerKind;  // actors/learners/learner_kind.hpp: makes single learners
class Partition;    // domain/partition.hpp: a hierarchical partition of the domain
class Problem;      // objective/problem.hpp: objectives, noise and budget
struct RunOutcome;  // role/outcome.hpp: the outcome of a run, for measurements

/// star: one hub (node 0) and leaves. hierarchy: a star with edges between hub and leaves
/// (hierarchy.hpp); the groups of nodes are hub, edges and leaves. full_mesh: every node is linked
/// to every other. none: no links.
enum class Topology { star, hierarchy, full_mesh, none };

constexpr std::string_view to_string(Topology topology) {
  return topology == Topology::star        ? "star"
         : topology == Topology::hierarchy ? "hierarchy"
         : topology == Topology::full_mesh ? "full-mesh"
                                           : "none";
}

constexpr std::optional<Topology> topology_named(std::string_view name) {
  return named(std::array{Topology::star, Topology::hierarchy, Topology::full_mesh, Topology::none},
               name);
}

/// Whether node 0 decides for all.
constexpr bool has_hub(Topology topology) {
  return topology == Topology::star || topology == Topology::hierarchy;
}

/// `size` nodes with consecutive ids. The name is `name` if `numbered` is false (size 1), else
/// `name-0`, `name-1`, … (from `first_number`).
struct NodeGroup {
  std::string name;
  std::uint32_t size = 1;
  bool numbered = true;
  std::uint32_t first_number = 0;
};

/// The group of the edges of a hierarchy.
inline constexpr const char* kEdgeGroup = "edge";

/// The number of edges of a hierarchy; else 0.
inline std::uint32_t edges_of(Topology topology, const std::vector<NodeGroup>& groups) {
  return topology == Topology::hierarchy ? groups.at(1).size : 0;
}

/// Upper bounds on the cost of a run, computed before it starts; exact where the protocol can know.
struct Forecast {
  double evaluations = 0;  // of all nodes
  double rounds = 0;
  double messages = 0;    // without acknowledgements and repetitions
  double bytes = 0;       // payload of first transmissions, without headers
  double last_round = 0;  // of messages, if they number anything but these rounds

  /// The largest round that a message can have; infinite if it is unknown. The hub may tell of the
  /// end in another round than the last that counts.
  double largest_round() const {
    if (last_round > 0) return last_round;
    return rounds > 0 ? std::floor(rounds) + 1 : std::numeric_limits<double>::infinity();
  }
};

/// The input from which an algorithm is built.
struct ProtocolContext {
  std::uint32_t clients = 1;  // population.clients: clients, players, …
  Seed seed;                  // of this repetition
  Policy policy;
  const Problem* problem = nullptr;  // null only if needs_problem = false
  const ArmSet* arms = nullptr;      // not null if needs_arms
};

/// Confidence widths: as wide as the guarantees need, or the narrower ones that experiments use.
enum class Widths { theory, practical };
constexpr std::string_view to_string(Widths widths) {
  return widths == Widths::theory ? "theory" : "practical";
}

/// The widths of that name, if there are any.
constexpr std::optional<Widths> widths_of(std::string_view name) {
  return named(std::array{Widths::theory, Widths::practical}, name);
}

/// What has to be alike in algorithms that are compared, or else be said.
struct ComparisonFacts {
  std::optional<Widths> widths;        // nothing: there are none, or the theory doesn't say
  bool random_recommendation = false;  // the recommendation is one of the plays, drawn at random
  std::uint32_t pulls_at_once = 0;     // of a functional bandit; 0: another protocol
  std::optional<double> nu1, rho;      // the smoothness that it is told, if it is
};

/// Must outlive its roles, which may refer to it.
class Protocol {
 public:
  virtual ~Protocol() = default;
  /// The nodes, in id order. A hub's group comes first and has size 1.
  virtual std::vector<NodeGroup> groups() const = 0;
  /// The role of one node. Called once per node, possibly from several threads at once.
  virtual std::unique_ptr<Role> make_role(NodeId node) const = 0;
  /// Whether the node can take part again after a crash in which it lost its state. A hub cannot.
  virtual bool can_lose_state(NodeId) const { return false; }
  /// The role of such a node, which has made `evaluations` evaluations. They count against its
  /// budget and their samples must not be drawn again. It begins with `on_restart`.
  virtual std::unique_ptr<Role> make_role_anew(NodeId, std::uint64_t /*evaluations*/) const {
    return nullptr;
  }
  /// Measurements with their bounds, in the order of printing.
  virtual std::vector<Measurement> measurements(const RunOutcome& outcome) const = 0;
  virtual Forecast forecast() const = 0;
  /// Which shares of the budget are given out when, where a plan says so: a short text.
  virtual std::string allocation() const { return {}; }
  /// True if several nodes evaluate for the same client (instances of a meta-algorithm). The
  /// client's evaluations are then sorted by time and node before regrets are summed.
  virtual bool several_evaluators() const { return false; }
  /// True if every reaction depends on all messages that its node got before, apart from those put
  /// aside (Reaction::keep_message), and on no others: then the order in which messages arrive
  /// decides nothing, as long as each arrives once.
  virtual bool waits_for_all() const { return false; }
  /// Why it can decide something at this node in which order messages of different senders come at
  /// one instant, or whether they come before a timer of that instant: a sentence, which stands in
  /// the protocol's header, too. Empty: it decides nothing. Chance orders what comes at one instant
  /// where it can matter (core/sim/tie_order.hpp).
  virtual std::string_view why_order_matters(NodeId) const {
    return waits_for_all() ? "" : "the protocol does not say that it does not";
  }
  /// Why a timer of this protocol may fire while its node evaluates and let the node evaluate, send
  /// or finish, without what arrives meanwhile: a sentence, which stands in the protocol's header,
  /// too. Empty: it must not, and runs say how often it did (core/sim/early_decisions.hpp).
  virtual std::string_view why_timers_decide_early() const { return {}; }
  /// The partition of the cells in RoundEnded::cells; null if rounds compare no cells.
  virtual const Partition* partition() const { return nullptr; }
  virtual ComparisonFacts comparison_facts() const { return {}; }
  /// The topology, if parameters select another one than AlgorithmSpec's.
  virtual std::optional<Topology> topology() const { return std::nullopt; }
};

struct AlgorithmSpec {
  std::string_view kind;     // "fed-pne"
  std::string_view summary;  // one line
  std::string_view source;   // paper, section, algorithm
  std::vector<ParameterSpec> parameters;
  Topology topology = Topology::star;
  // At most one of the next two; none: the run evaluates nothing.
  bool needs_problem = true;  // objective, noise and budget
  bool needs_arms = false;    // [[arm]] and a budget of pulls, instead
  bool uses_policy = false;   // has the parameter [server] policy
  bool averages = false;      // … and aggregate: the server averages what the clients upload
  /// How a node takes part again after it lost its state in a crash, or why it can't: a sentence.
  std::string_view state_loss = "no node can lose its state: the others rely on what it remembers";
  std::vector<const MessageType*> messages;
  std::function<std::unique_ptr<Protocol>(const Parameters&, const ProtocolContext&)> make;
  /// Checks that involve more than one parameter: error texts for the user.
  std::function<std::vector<std::string>(const Parameters&, const ProtocolContext&)> validate;
  /// The algorithm as a single learner without a network, which programs ask for points; null if it
  /// isn't one.
  std::shared_ptr<const LearnerKind> (*make_learner)(const Parameters&,
                                                     const ProtocolContext&) = nullptr;
  std::vector<OwnMeasure> measures = {};
};

inline Topology topology_of(const AlgorithmSpec& spec, const Protocol& protocol) {
  return protocol.topology().value_or(spec.topology);
}

}  // namespace posse
