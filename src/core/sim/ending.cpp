// SPDX-License-Identifier: Apache-2.0
#include "core/sim/ending.hpp"

#include <algorithm>

#include "core/base/check.hpp"

namespace posse {
namespace {

void raise_to(std::atomic<std::int64_t>& latest, Time time) {
  auto known = latest.load(std::memory_order_relaxed);
  while (known < time.ns &&
         !latest.compare_exchange_weak(known, time.ns, std::memory_order_relaxed)) {
  }
}

}  // namespace

void Ending::round_closed(const RoundEnded& round) {
  if (!star_) return;
  round_was_closed_ = true;
  last_round_.first_asked = round.first_asked;
  last_round_.expected = round.first_asked ? round.expected : 0;
  if (!round.late.empty() || !last_round_.late.empty()) last_round_.late = round.late;
  if (round.first_asked)
    asked_below_ = std::max(asked_below_, round.first_asked->value + round.expected);
}

void Ending::decided(Time at) {
  raise_to(latest_decision_, at);
  undecided_.fetch_sub(1, std::memory_order_relaxed);
}

void Ending::begin() {
  POSSE_CHECK(answer_known() && !begun_);
  begun_ = true;
  raise_to(end_, answered_at());
  if (!has_hub_) return;
  state_.assign(nodes_, round_was_closed_ ? State::out : State::unsettled);
  if (round_was_closed_) {
    for (std::uint32_t i = 0; i < last_round_.expected; ++i)
      state_.at(last_round_.first_asked->value + i) = State::unsettled;
    for (const NodeId node : last_round_.late) state_.at(node.value) = State::out;
  }
  state_[kHub.value] = State::out;
  const auto count = std::count(state_.begin(), state_.end(), State::unsettled);
  waiting_.store(static_cast<std::uint32_t>(count), std::memory_order_relaxed);
}

void Ending::add_participant(NodeId node) {
  if (state_[node.value] != State::out) return;
  state_[node.value] = State::unsettled;
  waiting_.fetch_add(1, std::memory_order_relaxed);
}

void Ending::settle(NodeId node, Time at, bool down) {
  state_[node.value] = down ? State::down : State::settled;
  raise_to(end_, at);
  waiting_.fetch_sub(1, std::memory_order_relaxed);
}

bool Ending::unsettle(NodeId node, State from) {
  if (state_.empty() || state_[node.value] != from) return false;
  state_[node.value] = State::unsettled;
  waiting_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

}  // namespace posse
