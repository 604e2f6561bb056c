// SPDX-License-Identifier: Apache-2.0
#include "actors/fn_ucb/client.hpp"

#include <fmt/format.h>

#include <utility>

#include "actors/common/star.hpp"
#include "actors/fn_ucb/messages.hpp"

namespace posse {

FnUcbClient::FnUcbClient(const FnUcbSetup& setup, std::uint32_t client)
    : setup_(&setup), bandit_(setup.features, setup.options), rewards_(*setup.problem, client) {}

void FnUcbClient::on_start(Reaction& reaction) { play(reaction); }

void FnUcbClient::on_message(const Message& message, Reaction& reaction) {
  // A message of another step is a duplicate.
  if (message.round != round()) return;
  if (message.get<SendUpdate>() != nullptr) {
    if (!updated_) send_update(reaction);
  } else if (message.get<NextStep>() != nullptr) {
    bandit_.go_on();
    play(reaction);
  } else if (const auto* model = message.get<SyncedModel>()) {
    bandit_.synchronise(*model);
    play(reaction);
  }
}

void FnUcbClient::play(Reaction& reaction) {
  auto point = setup_->arms.point(bandit_.choose());
  const double reward = rewards_.pull(point, 1);
  reaction.observe(PullsObserved{
      static_cast<std::uint32_t>(rewards_.client()), std::move(point), 1, rewards_.value()});
  updated_ = false;
  if (bandit_.tell(reward))
    send_update(reaction);
  else
    reaction.send(kServer, round(), StepDone{static_cast<std::uint32_t>(bandit_.step())});
  if (is_last()) reaction.finish();
}

void FnUcbClient::send_update(Reaction& reaction) {
  updated_ = true;
  reaction.send(kServer, round(), bandit_.update());
}

std::optional<Waiting> FnUcbClient::waiting() const {
  if (is_last()) return std::nullopt;
  return Waiting{
      fmt::format("{} of step {}", updated_ ? "SyncedModel" : "NextStep", bandit_.step()),
      updated_ ? SyncedModel::kName : NextStep::kName,
      round(),
      {kServer}};
}

}  // namespace posse
