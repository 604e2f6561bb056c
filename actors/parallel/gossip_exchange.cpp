// SPDX-License-Identifier: Apache-2.0
#include "actors/parallel/gossip_exchange.hpp"

#include <utility>

#include "actors/parallel/messages.hpp"
#include "core/base/check.hpp"

namespace posse {

GossipExchange::GossipExchange(const ExchangeSetup& setup, std::uint32_t self)
    : players_(setup.players), self_{self}, plan_(*setup.gossip) {}

void GossipExchange::start(std::vector<double> own, Reaction& reaction) {
  own_ = std::move(own);
  averages_.clear();
  step_ = 0;
  partners_.clear();
  for (std::uint32_t step = 0; step < plan_.steps(); ++step)
    partners_.push_back(plan_.partner(depth(), step, self_));
  arrived_.assign(partners_.size(), {});
  decider_ = plan_.decider(depth());
  send_own(reaction);
  advance(reaction);
}

bool GossipExchange::in_turn(const Message& message) const {
  const auto* theirs = message.get<GossipMeans>();
  return theirs != nullptr ? theirs->step <= step_ : step_ == partners_.size();
}

bool GossipExchange::accept(const Message& message, Reaction& reaction) {
  if (const auto* theirs = message.get<GossipMeans>()) {
    POSSE_CHECK(theirs->step < partners_.size() && theirs->means.size() == own_.size(),
                "step {} of {}, {} means of {}",
                theirs->step,
                partners_.size(),
                theirs->means.size(),
                own_.size());
    if (arrived_[theirs->step] || partners_[theirs->step] != message.from) return false;
    arrived_[theirs->step] = message.payload;
    advance(reaction);
    return true;
  }
  const auto* averages = message.get<Averages>();
  if (averages == nullptr || !averages_.empty() || message.from != decider_) return false;
  POSSE_CHECK(averages->means.size() == own_.size(),
              "{} averages of {}",
              averages->means.size(),
              own_.size());
  averages_ = averages->means;
  return true;
}

void GossipExchange::advance(Reaction& reaction) {
  while (step_ < partners_.size()) {
    if (partners_[step_]) {
      const Payload& payload = arrived_[step_];
      if (!payload) return;
      const auto& theirs = payload.get<GossipMeans>()->means;
      for (std::size_t i = 0; i < own_.size(); ++i) own_[i] = (own_[i] + theirs[i]) / 2;
    }
    ++step_;
    send_own(reaction);
  }
  if (!decides() || !averages_.empty()) return;
  averages_ = own_;
  const Payload result = Payload::make(Averages{depth(), 0, own_});
  if (self_.value > 0) reaction.send_payload(NodeId{0}, self_.value, round(), result);
  const std::uint32_t next = self_.value + 1;
  if (next < players_) reaction.send_payload(NodeId{next}, players_ - next, round(), result);
}

void GossipExchange::send_own(Reaction& reaction) const {
  if (step_ == partners_.size() || !partners_[step_]) return;
  reaction.send(
      *partners_[step_], round(), GossipMeans{depth(), static_cast<std::uint32_t>(step_), own_});
}

Exchange::Missing GossipExchange::missing() const {
  if (step_ < partners_.size()) return {GossipMeans::kName, {*partners_[step_]}};
  return {Averages::kName, {decider_}};
}

}  // namespace posse
