// SPDX-License-Identifier: Apache-2.0
// Counts decisions that were made before the evaluations that they rest on were done.
//
// A role knows the rewards of its evaluations as soon as it asks for them, but in virtual time they
// are known only when the evaluations are over. What a node sends leaves after its work, and so
// does its answer to a message, which may be acted on while it works. A timer, however, that fires
// while its node evaluates and lets it evaluate, send or finish has decided without what arrives
// meanwhile: its role most likely took `set_timer_from_now` for `set_timer_after_work`. A protocol
// that means it says why (Protocol::why_timers_decide_early).
//
// Cost: a store per reaction that evaluates, a comparison per timer; 8 bytes per node if
// evaluations take time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/role/role.hpp"

namespace posse {

class EarlyDecisions {
 public:
  /// `nodes`: 0 if nothing is to be counted.
  explicit EarlyDecisions(std::uint32_t nodes) : evaluated_at_(nodes) {}

  /// The node has declared evaluations that are done at `end`.
  void evaluates_until(NodeId node, Time end) {
    if (!evaluated_at_.empty()) evaluated_at_[node.value] = end;
  }
  /// The node stood still from `since` on, for so long.
  void stood(NodeId node, Time since, Duration duration) {
    if (evaluated_at_.empty()) return;
    Time& end = evaluated_at_[node.value];
    if (end > since) end = end + duration;
  }
  /// The node has lost its state at `time`: what it declared is not done.
  void lost(NodeId node, Time time) {
    if (evaluated_at_.empty()) return;
    Time& end = evaluated_at_[node.value];
    end = std::min(end, time);
  }
  /// Whether the reaction to a timer at `now` is a decision that came too early.
  bool is_early(NodeId node, Time now, const Reaction& reaction) const {
    if (evaluated_at_.empty() || evaluated_at_[node.value] <= now) return false;
    return std::any_of(
        reaction.effects().begin(), reaction.effects().end(), [](const Effect& effect) {
          const auto* evaluated = std::get_if<EvaluateEffect>(&effect);
          const auto* sent = std::get_if<SendEffect>(&effect);
          return (evaluated != nullptr && evaluated->count > 0) ||
                 (sent != nullptr && sent->count > 0) ||
                 std::holds_alternative<FinishEffect>(effect);
        });
  }

 private:
  std::vector<Time> evaluated_at_;  // by node: the end of its latest evaluation
};

}  // namespace posse
