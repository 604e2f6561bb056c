// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/agent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "actors/common/restarted.hpp"
#include "actors/common/star.hpp"
#include "actors/f_lcb/messages.hpp"

namespace posse {

FunctionalAgent::FunctionalAgent(const ArmSet& arms, std::unique_ptr<Allocation> allocation)
    : arms_(&arms), allocation_(std::move(allocation)) {}

void FunctionalAgent::decide(Reaction& reaction) {
  starting_.clear();
  allocation_->start(starting_);
  if (!starting_.empty()) {
    round_ = Round{round_.value + 1};
    const auto pulls = static_cast<std::uint32_t>(starting_.size());
    open_.push_back({round_, pulls, pulls});
    reaction.observe(RoundBegan{round_});
  }
  for (const auto& pull : starting_) {
    under_way_.push_back({round_, pull});
    reaction.send(node_of_arm(pull.arm), round_, Step{pull.instance});
  }
  if (under_way_.empty() && !done_) {
    done_ = true;
    reaction.observe(ArmAnswered{allocation_->answer()});
    reaction.finish();
  }
}

void FunctionalAgent::on_message(const Message& message, Reaction& reaction) {
  if (message.get<Restarted>() != nullptr)
    for (const auto& u : under_way_)
      if (node_of_arm(u.pull.arm) == message.from)
        reaction.send(message.from, u.round, Step{u.pull.instance});
  const auto* stepped = message.get<Stepped>();
  if (stepped == nullptr) return;
  const auto asked = std::find_if(under_way_.begin(), under_way_.end(), [&](const UnderWay& u) {
    return u.round == message.round && node_of_arm(u.pull.arm) == message.from &&
           u.pull.instance == stepped->instance;
  });
  if (asked == under_way_.end()) return;  // a duplicate
  const UnderWay answered = *asked;
  under_way_.erase(asked);
  ++pulls_;
  reaction.observe(ArmPulled{
      answered.pull.arm, stepped->instance, stepped->pulls, stepped->value, stepped->bound});
  allocation_->take(answered.pull, {stepped->pulls, stepped->value, stepped->bound});
  take_reply_of(answered.round, reaction);
  decide(reaction);
}

void FunctionalAgent::take_reply_of(Round round, Reaction& reaction) {
  const auto open = std::lower_bound(
      open_.begin(), open_.end(), round, [](const OpenRound& a, Round b) { return a.round < b; });
  if (--open->missing > 0) return;
  end_round(*open, reaction);
  open_.erase(open);
}

void FunctionalAgent::end_round(const OpenRound& round, Reaction& reaction) {
  auto& ended = reaction.observe<RoundEnded>();
  ended.round = round.round;
  ended.best = Cell{0, allocation_->answer() + 1};
  ended.active_cells = arms_->size();
  ended.steps = pulls_;
  ended.arrived = ended.expected = round.pulls;
}

std::optional<Waiting> FunctionalAgent::waiting() const {
  if (under_way_.empty()) return std::nullopt;
  const Round oldest = under_way_.front().round;
  Waiting waiting{fmt::format("Stepped of round {}", oldest.value), Stepped::kName, oldest, {}};
  for (const auto& u : under_way_)
    if (u.round == oldest) waiting.from.push_back(node_of_arm(u.pull.arm));
  return waiting;
}

}  // namespace posse
