// SPDX-License-Identifier: Apache-2.0
// The faults of nodes in a run: the scenario's, then those from outside. Which nodes each of them
// stops, and when.
//
// Random times: stream `node-fault`, fault and node. Shares: stream `node-share`, fault.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "core/network/nodes.hpp"
#include "core/random/stream.hpp"
#include "core/sim/event.hpp"
#include "core/sim/intervention.hpp"
#include "core/sim/simulation.hpp"

namespace posse {

/// Whether a node may never go on.
bool may_last_for_good(const NodeFault& fault);

class NodeFaults {
 public:
  NodeFaults(const SimulationSpec& spec, const Nodes& nodes);

  std::size_t size() const { return faults_.size(); }
  const NodeFault& operator[](std::size_t fault) const { return faults_[fault]; }
  bool is_from_outside(std::size_t fault) const { return fault >= scheduled_; }
  std::set<std::uint32_t> members(std::size_t fault) const;

  /// The event with which occurrence `i`, from 0, of the fault begins at the node, if there are so
  /// many. `free`: the end of the one before.
  std::optional<Event> beginning(std::size_t fault, NodeId node, std::uint32_t i, Time free) const;
  /// The event that ends the occurrence which begins with `event`, as far as is known now.
  std::optional<Event> end(const Event& event) const;

  /// Adds the fault that halt, crash or forget begins. Returns its number.
  std::size_t add(const Intervention& stop);
  /// The events that end what `add` has begun for the same nodes and nobody has ended.
  std::vector<Event> end_all(const Intervention& restart);

 private:
  static Event event_at(NodeId node, Time time, FaultEvent fault);
  StreamKey stream(std::size_t fault, NodeId node) const;
  const Nodes& nodes_;
  Seed seed_;
  std::size_t scheduled_;
  std::vector<NodeFault> faults_;
};

}  // namespace posse
