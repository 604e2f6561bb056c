// SPDX-License-Identifier: Apache-2.0
// When a run has finished.
//
// The answer is known once every deciding node has finished: the hub if there is one, else all
// nodes. The run then goes on for the participants: in a star, the nodes that took part in the last
// round that the hub closed, and those that joined after it; or all nodes if it closed none. In a
// hierarchy all nodes take part, and say themselves what they wait for. A participant is settled
// when it has finished, or when it has nothing left to do (World::settle_if_done decides): an arm
// never says that it has finished, and neither does a client that is cut off. A pause or crash of a
// settled node whose work is not done yet delays that work, and unsettles the node. The run ends
// when the last participant is settled. What would happen later does not take place, on any kernel.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/role/observation.hpp"
#include "core/role/protocol.hpp"

namespace posse {

class Ending {
 public:
  Ending(Topology topology, std::uint32_t nodes)
      : has_hub_(posse::has_hub(topology)),
        star_(topology == Topology::star),
        nodes_(nodes),
        undecided_(has_hub_ ? 1 : nodes) {}

  bool has_hub() const { return has_hub_; }
  bool decides(NodeId node) const { return !has_hub_ || node == kHub; }

  /// A deciding node has closed a round.
  void round_closed(const RoundEnded& round);
  /// A deciding node has finished at `at`. Thread-safe.
  void decided(Time at);
  bool answer_known() const { return undecided_.load(std::memory_order_relaxed) == 0; }
  /// When the last deciding node finished, if all have.
  Time answered_at() const { return Time{latest_decision_.load(std::memory_order_relaxed)}; }

  /// The answer is known: from now on `waits_for` tells the participants that are not settled.
  void begin();
  bool begun() const { return begun_; }
  bool a_round_was_closed() const { return round_was_closed_; }
  bool leaves_out_late_members() const { return !last_round_.late.empty(); }
  /// Members that joined after the last closed round: the nodes from this one on, if any.
  std::uint32_t first_newcomer() const {
    return round_was_closed_ && last_round_.first_asked ? asked_below_ : nodes_;
  }
  /// The run waits for this node, too.
  void add_participant(NodeId node);
  bool waits_for(NodeId node) const {
    return !state_.empty() && state_[node.value] == State::unsettled;
  }
  /// A participant is settled at `at`; if `down`, only because it stands still, as far as is known
  /// for good. Thread-safe for distinct nodes.
  void settle(NodeId node, Time at, bool down = false);
  /// The node goes on, against what was known when it was settled as standing still for good.
  /// Thread-safe for distinct nodes.
  void goes_on(NodeId node) { unsettle(node, State::down); }
  /// The node's work ends later than was known when it was settled; false if it was not settled.
  /// Thread-safe for distinct nodes.
  bool works_longer(NodeId node) { return unsettle(node, State::settled); }
  /// Until when those work that are settled.
  Time settled_until() const { return Time{end_.load(std::memory_order_relaxed)}; }
  /// When the run has finished, if all participants are settled.
  std::optional<Time> end() const {
    if (!begun_ || waiting_.load(std::memory_order_relaxed) > 0) return std::nullopt;
    return Time{end_.load(std::memory_order_relaxed)};
  }

  static constexpr NodeId kHub{0};

 private:
  bool has_hub_, star_;
  std::uint32_t nodes_;
  std::atomic<std::uint32_t> undecided_;
  std::atomic<std::int64_t> latest_decision_{0};
  bool round_was_closed_ = false;
  RoundEnded last_round_;          // only its members and those who were late
  std::uint32_t asked_below_ = 0;  // no later node was asked in a closed round
  bool begun_ = false;
  enum class State : std::uint8_t { out, unsettled, settled, down };
  bool unsettle(NodeId node, State from);
  std::vector<State> state_;  // by node; empty without a hub; out: no participant
  std::atomic<std::uint32_t> waiting_{0};
  std::atomic<std::int64_t> end_{0};
};

}  // namespace posse
