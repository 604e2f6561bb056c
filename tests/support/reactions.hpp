// SPDX-License-Identifier: Apache-2.0
// Reactions of a single role to single messages, and what is in them.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse::test {

/// What `role`, node `self`, does with a message.
template <class T>
Reaction tell(Role& role,
              std::uint32_t self,
              std::uint32_t from,
              std::uint32_t round,
              T what,
              Time now = {}) {
  Reaction reaction(now, NodeId{self});
  role.on_message({NodeId{from}, Round{round}, Payload::make(std::move(what))}, reaction);
  return reaction;
}
inline Reaction start(Role& role, std::uint32_t self) {
  Reaction reaction(Time{}, NodeId{self});
  role.on_start(reaction);
  return reaction;
}
inline Reaction restart(Role& role, std::uint32_t self) {
  Reaction reaction(Time{}, NodeId{self});
  role.on_restart(reaction);
  return reaction;
}

inline bool is_empty(const Reaction& reaction) {
  return reaction.effects().empty() && reaction.observations().empty();
}

/// All effects, or observations, of one kind, in their order.
template <class T>
std::vector<T> effects(const Reaction& reaction) {
  std::vector<T> all;
  for (const auto& effect : reaction.effects())
    if (const auto* value = std::get_if<T>(&effect)) all.push_back(*value);
  return all;
}
template <class T>
std::vector<T> observed(const Reaction& reaction) {
  std::vector<T> all;
  for (const auto& record : reaction.observations())
    if (const auto* value = std::get_if<T>(&record.observation)) all.push_back(*value);
  return all;
}
inline std::vector<SendEffect> sends(const Reaction& reaction) {
  return effects<SendEffect>(reaction);
}
inline bool finishes(const Reaction& reaction) { return !effects<FinishEffect>(reaction).empty(); }

/// `for_what` begins with the name of the message.
inline void check_waiting(const Role& role,
                          const std::string& for_what,
                          std::uint32_t round,
                          const std::vector<NodeId>& from) {
  const auto waiting = role.waiting();
  REQUIRE(waiting);
  CHECK(waiting->for_what == for_what);
  CHECK(waiting->message_type == for_what.substr(0, for_what.find(' ')));
  CHECK(waiting->round == Round{round});
  CHECK(waiting->from == from);
}

}  // namespace posse::test
