// SPDX-License-Identifier: Apache-2.0
// Configuration of the network between nodes, as a scenario states it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/parameters.hpp"
#include "core/base/step_trace.hpp"
#include "core/base/time.hpp"
#include "core/network/fault_times.hpp"
#include "core/network/node_selector.hpp"
#include "core/network/rate_trace.hpp"
#include "core/random/duration_distribution.hpp"

namespace posse {

struct NoLoss {};
struct BernoulliLoss {
  double p = 0;  // [0, 1]
};
/// Two-state Markov chain per link, one step per transmission: good -> bad with p, bad -> good
/// with r; a transmission is lost with `loss_good` or `loss_bad`.
struct GilbertElliottLoss {
  double p = 0;
  double r = 1;
  double loss_good = 0;
  double loss_bad = 1;
};
/// As GilbertElliottLoss, but the chain goes on in virtual time (burst_chain.hpp): a link is good
/// for `mean_good` on average, then bad for `mean_bad`; both at least 1 ns.
struct BurstLoss {
  Duration mean_good, mean_bad;
  double loss_good = 0;
  double loss_bad = 1;
  bool per_pair = true;  // both directions of two nodes share one chain; else each has its own
};
/// Bernoulli with a probability per message type; other types are never lost.
struct LossByType {
  std::map<std::string, double> p;
};
using LossModel = std::variant<NoLoss, BernoulliLoss, GilbertElliottLoss, BurstLoss, LossByType>;

/// A serial transmission line with a finite queue.
struct Rate {
  double bits_per_second = 0;                     // > 0; 0 with a trace
  std::uint64_t queue_bytes = ~std::uint64_t{0};  // a message that finds a longer queue is dropped
  std::shared_ptr<const RateTrace> trace;         // null: the rate does not change
};

/// A factor on latencies that changes over virtual time.
struct LatencyFactor {
  StepTrace<double> factors;  // above 0
  InputText source;           // the file it was read from
};

/// How long the reliable transport waits for an acknowledgement (time_outs.hpp). stated:
/// from the moment of sending; derived, measured: from the moment at which the copy has left its
/// sender's lines.
struct TimeOut {
  enum class Rule { stated, derived, measured } rule = Rule::stated;
  Duration stated{};

  TimeOut(Duration time) : stated(time) {}
  TimeOut(Rule by) : rule(by) {}
  bool operator==(const TimeOut&) const = default;
};
inline constexpr std::pair<std::string_view, TimeOut::Rule> kTimeOutRules[] = {
    {"derived", TimeOut::Rule::derived}, {"measured", TimeOut::Rule::measured}};

/// Properties for the links between two selections of nodes; later rules win, property by property.
struct LinkRule {
  NodeSelector from = "*";
  NodeSelector to = "*";
  std::optional<DurationDistribution> latency;
  std::shared_ptr<const LatencyFactor> latency_factor;  // null: not set by this rule
  std::optional<LossModel> loss;
  std::optional<double> duplication;  // probability that the network makes a duplicate, [0, 1]
  std::optional<bool> fifo;           // a message never overtakes an earlier one on its link
  std::optional<Rate> rate;
  std::optional<TimeOut> timeout;  // else Retransmission::timeout
};

/// Properties of nodes; later rules win, property by property.
struct NodeRule {
  NodeSelector nodes = "*";
  std::optional<Rate> rate_up;      // shared by all of the node's outgoing links
  std::optional<Rate> rate_down;    // shared by all of its incoming links
  std::optional<double> straggler;  // factor on every work time, > 0
  std::optional<double> share;      // the rule applies to each selected node with this probability
};

/// Latencies per pair of node names, one way; pairs not listed keep the rules' latency. Each pair
/// has one, or one for each of the same number of moments: transmission n of every link then takes
/// place in the same one, drawn for n.
using LatencyMatrix = std::map<std::pair<std::string, std::string>, std::vector<Duration>>;

/// Losses of single messages. All given fields must match. They apply to first transmissions and
/// the network's duplicates of them, not to repetitions.
struct ListedLoss {
  std::optional<std::string> type;
  std::optional<Round> round;
  std::optional<NodeSelector> from;
  std::optional<NodeSelector> to;
  std::optional<std::uint32_t> transmission;  // its number on the link, from 0
};

/// partition: messages that leave during an occurrence are dropped; those that left earlier still
/// arrive. clog: they are held, and set out when the occurrence is over.
enum class LinkFaultKind { partition, clog };

constexpr std::string_view to_string(LinkFaultKind kind) {
  return kind == LinkFaultKind::partition ? "partition" : "clog";
}

/// A fault of the links from the nodes of one group to those of another. Nodes in no group are not
/// affected.
struct LinkFault {
  std::vector<std::vector<FaultyNodes>> groups;  // at least two
  FaultTimes when;
  bool one_way = false;  // only from the first group to the others
  LinkFaultKind kind = LinkFaultKind::partition;
  bool operator==(const LinkFault&) const = default;
};

/// pause: the node stands still. What reaches it waits, its timers and its work go on later. crash:
/// as a pause, but messages that reach the node are dropped and its timers are cancelled. If it
/// keeps its state, it goes on with its work when it restarts, and its role sets its timers again.
/// If it loses its state, its work and what it has not sent yet are lost, its transport repeats
/// nothing of what it had sent, and it restarts with a new role (Protocol::make_role_anew). A node
/// that has finished has no state to lose.
enum class NodeFaultKind { pause, crash };

constexpr std::string_view to_string(NodeFaultKind kind) {
  return kind == NodeFaultKind::pause ? "pause" : "crash";
}

struct NodeFault {
  std::vector<FaultyNodes> nodes;
  FaultTimes when;  // random times: each node has its own
  NodeFaultKind kind = NodeFaultKind::pause;
  bool loses_state = false;                          // crash
  std::shared_ptr<const DownTimes> trace = nullptr;  // instead of `when`, of exactly these nodes
  bool operator==(const NodeFault&) const = default;
};

/// What a node that lies sends in place of its own numbers (doubles; counts and indices stay
/// right). constant: `value`; noise: plus a normal variate with standard deviation `value`; sign:
/// with the opposite sign; stale: those of its message of this type before, where it has as many.
enum class Corruption { constant, noise, sign, stale };

constexpr std::string_view to_string(Corruption how) {
  switch (how) {
    case Corruption::constant:
      return "constant";
    case Corruption::noise:
      return "noise";
    case Corruption::sign:
      return "sign";
    case Corruption::stale:
      return "stale";
  }
  return "?";
}

/// Nodes that send wrong numbers for a time.
struct CorruptFault {
  std::vector<FaultyNodes> nodes;
  FaultTimes when;
  Corruption how = Corruption::constant;
  double value = 0;  // constant, noise
  bool operator==(const CorruptFault&) const = default;
};

enum class Transport { datagram, reliable };

/// A protocol stack whose headers and handshakes are counted (wire.hpp).
enum class Wire { udp, tcp, quic, grpc };
inline constexpr Wire kWires[] = {Wire::udp, Wire::tcp, Wire::quic, Wire::grpc};

/// Retransmission n (from 1) of a message follows the previous transmission after
/// `timeout · backoff^(n-1)`, at most `max_timeout`; a derived time-out itself may be longer. After
/// `max_tries` transmissions the message is given up.
struct Retransmission {
  TimeOut timeout = Duration::seconds(1);
  double backoff = 2;
  Duration max_timeout = Duration::seconds(60);
  std::uint32_t max_tries = 1000;
  std::optional<Duration> min_timeout;             // of what isn't stated
  Duration granularity = Duration::seconds(1e-3);  // measured: at least this for variations

  Duration least_timeout(TimeOut::Rule rule) const {
    return min_timeout.value_or(Duration::seconds(rule == TimeOut::Rule::measured ? 0.2 : 1e-3));
  }
};

/// What decides the order in which messages of different senders reach a node at one instant, where
/// it matters (core/sim/tie_order.hpp). fair: chance. keyed: chance, another order for each key.
/// source, reversed: the numbers of the senders, ascending or descending.
struct Ties {
  enum class Rule { fair, keyed, source, reversed } rule = Rule::fair;
  std::uint64_t key = 0;  // keyed
  bool operator==(const Ties&) const = default;
};
inline constexpr std::pair<std::string_view, Ties::Rule> kTieRules[] = {
    {"fair", Ties::Rule::fair}, {"source", Ties::Rule::source}, {"reversed", Ties::Rule::reversed}};

/// What is stated once for a whole network.
struct NetworkSettings {
  std::shared_ptr<const LatencyMatrix> matrix;
  Transport transport = Transport::datagram;
  Retransmission retransmission;
  std::uint64_t header_bytes = 0;  // added to every message, acknowledgements included
  std::optional<Wire> wire;        // in place of header_bytes, which is then 0
  Ties ties;
};

struct NetworkConfig : NetworkSettings {
  std::vector<LinkRule> links;  // the first one usually is the default for all links
  std::vector<NodeRule> nodes;
  std::vector<ListedLoss> drops;
  std::vector<LinkFault> link_faults;
  std::vector<NodeFault> node_faults;
  std::vector<CorruptFault> corrupt_faults;
  std::shared_ptr<const NetworkConfig> derives_from;  // derived time-outs; null: from this one
};

/// What stands in place of a message's type where a node reacts to its start, or to a timer.
inline constexpr std::string_view kServiceOfStart = "start", kServiceOfTimer = "timer";

/// How long nodes take to handle messages of a type; later rules win, property by property. Nothing
/// set: no time.
struct ServiceRule {
  NodeSelector nodes = "*";
  std::string type = "*";     // of the message; kServiceOfStart, kServiceOfTimer; "*": all of these
  std::optional<bool> sends;  // compute, per_evaluation: only of reactions that send, or don't
  std::optional<DurationDistribution> dispatch;  // of one that comes: from the link to the role
  std::optional<DurationDistribution> decode;    // of one that comes
  std::optional<DurationDistribution> compute;   // the role's reaction to it
  std::optional<Duration> per_evaluation;        // beside that, for each that the reaction makes
  std::optional<DurationDistribution> encode;    // of each copy that they send
};

struct ComputeConfig {
  DurationDistribution evaluation = ConstantDuration{};  // one evaluation
  std::vector<ServiceRule> service;                      // none have an effect in wall time
};

/// Limits at which an unfinished run stops with an error.
struct Limits {
  Time virtual_time = Time::max();
  std::uint64_t events = ~std::uint64_t{0};
  double wall_seconds = 0;  // 0: none; enforced by the actors, since the core has no clock
};

}  // namespace posse
