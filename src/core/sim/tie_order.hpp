// SPDX-License-Identifier: Apache-2.0
// The order in which what is due at one node and instant takes effect.
//
// Everywhere: faults, then all other events in the order of their sources (event.hpp). Latencies
// are often equal. Where only some of the answers count, nodes with small numbers would therefore
// always be among them, a bias that all repetitions share. Where order can matter, that is
//
//   - at nodes of which the protocol says so (Protocol::why_order_matters), for their roles, and
//   - at incoming lines that drop what finds too long a queue,
//
// messages that come at instant t to node v take effect in the order of (h, source, sequence), with
// h the first word of stream `tie/v` at (t, source): every source is as often first as any other,
// and so for pairs. The role's timers of that instant follow: what comes exactly at a deadline
// counts. The transport handles copies in the order of sources all the same, since only the order
// in which roles and lines get them can decide something.
//
// Kernels say whether another event follows at the same node and instant. If none does, there is no
// tie and nothing is drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/ids.hpp"
#include "core/network/network.hpp"
#include "core/network/nodes.hpp"
#include "core/sim/simulation.hpp"
#include "core/sim/tied_events.hpp"

namespace posse {

class TieOrder {
 public:
  /// `nodes` must outlive it.
  TieOrder(const SimulationSpec& spec, const Nodes& nodes, const Network& network);

  /// Whether order can matter at any node.
  bool any() const { return !matters_.empty(); }
  bool matters(NodeId node) const { return any() && matters_[node.value] != 0; }
  bool matters_to_role(NodeId node) const { return (matters_[node.value] & kRole) != 0; }
  bool matters_to_line(NodeId node) const { return (matters_[node.value] & kLine) != 0; }

  /// Puts the arrivals, at least one, in the order in which they take effect: those that came at
  /// `instant`.
  void sort(TiedEvents& tied, Time instant) const;

 private:
  static constexpr std::uint8_t kRole = 1, kLine = 2;

  const Nodes& nodes_;
  Ties ties_;
  std::uint64_t purpose_;
  std::vector<std::uint8_t> matters_;  // by node; empty if nowhere
};

}  // namespace posse
