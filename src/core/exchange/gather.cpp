// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/gather.hpp"

#include <algorithm>

#include "core/base/check.hpp"

namespace posse {

Sight RoundsSeen::see(Round round) {
  if (round.value > newest_) {
    const std::uint32_t step = round.value - newest_;
    // The previous newest becomes bit step - 1. There is no round 0, so a fresh window stays empty.
    window_ = step < 32 ? window_ << step : 0;
    if (newest_ > 0 && step <= 32) window_ |= std::uint32_t{1} << (step - 1);
    newest_ = round.value;
    return Sight::newest;
  }
  const std::uint32_t age = newest_ - round.value;
  if (age == 0 || age > 32 || has(round)) return Sight::repeated;
  window_ |= std::uint32_t{1} << (age - 1);
  return Sight::overtaken;
}

bool RoundsSeen::has(Round round) const {
  if (round.value >= newest_) return round.value == newest_ && newest_ > 0;
  const std::uint32_t age = newest_ - round.value;
  return age <= 32 && ((window_ >> (age - 1)) & 1) != 0;
}

Gather::Gather(NodeId first, std::uint32_t members, const Policy& policy)
    : first_(first), policy_(policy), seen_(members) {
  POSSE_CHECK(members >= 1 && policy.quorum >= 1, "{} members, quorum {}", members, policy.quorum);
}

void Gather::admit(std::uint32_t members) {
  POSSE_CHECK(!open_ && members >= seen_.size(), "{} members after {}", members, seen_.size());
  seen_.resize(members);
}

void Gather::open(Round round, Reaction& reaction, std::uint32_t first, std::uint32_t asked) {
  POSSE_CHECK(!open_ && round > round_, "round {} after {}", round.value, round_.value);
  POSSE_CHECK(asked >= 1 && first < seen_.size() && asked <= seen_.size() - first,
              "{} members from number {} on, but there are {}",
              asked,
              first,
              seen_.size());
  round_ = round;
  first_asked_ = first;
  asked_ = asked;
  clock_ = {};
  open_ = true;
  deadline_passed_ = false;
  // The timer carries the round's number, so a late timer cannot close another round.
  if (policy_.kind == PolicyKind::deadline)
    reaction.set_timer_from_now(TimerId{round.value}, policy_.deadline);
}

Answer Gather::take(const Message& message, Reaction& reaction) {
  const std::uint32_t member = message.from.value - first_.value;
  const bool known = message.from >= first_ && member < seen_.size() && message.round.value > 0 &&
                     message.round <= round_;
  if (known && seen_[member].see(message.round) == Sight::repeated) return Answer::duplicate;
  if (!known || !open_ || message.round != round_ || member - first_asked_ >= asked_) {
    // The next round is mostly opened in the reaction that closes one.
    const std::uint32_t closed = round_.value - (open_ ? 1 : 0);
    const bool tied = known && message.round.value == closed && reaction.now() == closed_at_;
    reaction.observe(StaleObserved{message.round, message.from, tied});
    return Answer::stale;
  }
  clock_.add(message.from, reaction.now());
  return Answer::used;
}

bool Gather::on_timer(TimerId timer) {
  if (!open_ || policy_.kind != PolicyKind::deadline || timer.value != round_.value) return false;
  deadline_passed_ = true;
  return true;
}

std::uint32_t Gather::enough() const {
  const bool settles_for_less = policy_.kind == PolicyKind::quorum ||
                                (policy_.kind == PolicyKind::deadline && deadline_passed_);
  return settles_for_less ? std::min(policy_.quorum, asked_) : asked_;
}

bool Gather::ready() const { return open_ && arrived() >= enough(); }

void Gather::close(Reaction& reaction, RoundEnded& record) {
  POSSE_CHECK(ready(), "round {} has {} answers", round_.value, arrived());
  record.arrived = arrived();
  record.waited = clock_.until(reaction.now());
  record.expected = asked_;
  record.first_asked = NodeId{first_.value + first_asked_};
  record.late = missing();
  record.came_last = clock_.came_last();
  closed_at_ = reaction.now();
  open_ = false;
  if (policy_.kind == PolicyKind::deadline && !deadline_passed_)
    reaction.cancel_timer(TimerId{round_.value});
}

std::vector<NodeId> Gather::missing() const {
  std::vector<NodeId> nodes;
  if (!open_ || arrived() == asked_) return nodes;
  nodes.reserve(asked_ - arrived());
  for (std::uint32_t member = first_asked_; member < first_asked_ + asked_; ++member)
    if (!has_answered(member)) nodes.push_back(NodeId{first_.value + member});
  return nodes;
}

}  // namespace posse
