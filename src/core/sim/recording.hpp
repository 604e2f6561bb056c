// SPDX-License-Identifier: Apache-2.0
// What the nodes of a run did, without its times: enough to let the same run happen on another
// network without its roles and evaluations.
//
// That is exact if the order in which messages arrive decides nothing: if every node waits for all
// the messages of a round before it goes on (Protocol::waits_for_all) and gets each of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/role/observation.hpp"
#include "core/role/protocol.hpp"
#include "core/role/role.hpp"
#include "core/sim/role_host.hpp"

namespace posse {

struct SimulationSpec;

/// Goes on when it has the message that `from` sent as its `number`th.
struct RecordedAwait {
  NodeId from;
  std::uint32_t number = 0;
  bool needed = true;  // false: the role says that the run may end without it (Role::waiting)
};
/// Sends a message of which only the size and the hash are known.
struct RecordedSend {
  NodeId first;
  std::uint32_t count = 1;
  Round round;
  std::uint16_t type = 0;  // position in AlgorithmSpec::messages
  std::uint64_t bytes = 0, values = 0, hash = 0;
};
/// The part of RoundEnded that accounts depend on. All answers were used.
struct RecordedRoundEnd {
  Round round;
  std::uint64_t steps = 0;
  std::uint32_t answers = 0;
  std::optional<NodeId> first_asked;
};
using RecordedAction = std::variant<RecordedAwait,
                                    RecordedSend,
                                    EvaluateEffect,
                                    WorkEffect,
                                    RoundBegan,
                                    RecordedRoundEnd,
                                    FinishEffect>;

struct RecordedNode {
  std::vector<RecordedAction> actions;  // in order
  bool waits = false;                   // for more messages, after its last action
  std::uint32_t sent = 0;               // messages, which are numbered
  std::string_view obstacle;            // why it cannot be repeated without its role; else empty
};

struct RecordedRun {
  Topology topology = Topology::none;
  std::vector<NodeGroup> groups;
  std::vector<RecordedNode> nodes;  // by id
  std::string obstacle;             // why the run cannot happen on another network; else empty
};

/// Adds what a node did in a reaction, before it takes effect.
void record(const Stimulus& stimulus,
            const Reaction& reaction,
            const AlgorithmSpec& algorithm,
            RecordedNode& node);

/// Why runs of this kind cannot be repeated without their roles: the order of messages decides,
/// nodes lie or lose their state. Empty if they can.
std::string obstacle_to_retiming(const SimulationSpec& spec);
/// Why a run, recorded or repeated, is not exact: its kind cannot be repeated, something was lost,
/// or how it ended. Else empty.
std::string obstacle_to_retiming(const SimulationSpec& spec, const RunOutcome& outcome);

/// The protocol's nodes, with roles that do what was recorded. Both arguments must outlive it.
std::unique_ptr<Protocol> make_recorded_protocol(const AlgorithmSpec& algorithm,
                                                 const RecordedRun& recorded);

}  // namespace posse
