// SPDX-License-Identifier: Apache-2.0
// How long nodes take to handle messages: to decode and dispatch them, to react, to encode answers.
//
// Stream `service/<node>`, one draw after the other in the order of the node's work.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/network/config.hpp"
#include "core/network/network.hpp"
#include "core/network/nodes.hpp"
#include "core/random/stream.hpp"
#include "core/sim/message_types.hpp"
#include "core/sim/role_host.hpp"

namespace posse {

/// A message's type; of a start the number of types, of a timer one more.
using ServiceCause = std::uint16_t;
ServiceCause service_cause(const Stimulus& stimulus, const MessageTypes& types);

/// What decides how long a reaction takes.
struct ReactionSize {
  bool sends = false;
  std::uint64_t evaluations = 0;
};
ReactionSize size_of(const Reaction& reaction);

/// By node: how long it typically is busy with a message, as its rules say, else with an
/// evaluation.
std::vector<Duration> typical_handling(const ComputeConfig& compute,
                                       const Nodes& nodes,
                                       const MessageTypes& types,
                                       const Network& network);

class ServiceTimes {
 public:
  /// Selectors that match no node, and types that the algorithm lacks, have no effect.
  ServiceTimes(const std::vector<ServiceRule>& rules,
               const Nodes& nodes,
               const MessageTypes& types,
               Seed seed);

  bool any() const { return !profiles_.empty(); }

  /// How long a node typically takes for a message: of the type that takes longest.
  Duration typical_handling(NodeId node) const;

  /// Until the role reacts.
  Duration before_reaction(NodeId node, const Stimulus& stimulus);
  /// Of the role itself.
  Duration of_reaction(NodeId node, const Stimulus& stimulus, const Reaction& reaction);
  /// Of one copy of a message.
  Duration of_encoding(NodeId node, std::uint16_t type) {
    return draw(node, profile(node).encode[type]);
  }

 private:
  using Chosen = const DurationDistribution*;  // null: takes no time
  /// Of a reaction that sends nothing, and of one that sends.
  struct Computing {
    Chosen time = nullptr;
    Duration per_evaluation{};
  };
  struct Profile {
    explicit Profile(std::size_t types)
        : encode(types), decode(types), dispatch(types + 2), compute(types + 2) {}
    std::vector<Chosen> encode, decode;             // by type
    std::vector<Chosen> dispatch;                   // by cause
    std::vector<std::array<Computing, 2>> compute;  // by cause, and whether the reaction sends
  };

  void apply(const ServiceRule& rule, Profile& profile) const;
  const Profile& profile(NodeId node) const { return profiles_[profile_of_[node.value]]; }
  Duration draw(NodeId node, Chosen time);

  const MessageTypes& types_;
  std::vector<ServiceRule> rules_;  // to which profiles point
  std::vector<Profile> profiles_;   // empty without rules
  std::vector<std::uint16_t> profile_of_;
  std::vector<std::uint64_t> draws_;  // by node
  std::vector<StreamKey> streams_;    // by node
};

}  // namespace posse
