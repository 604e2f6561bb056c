// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_ucb/client.hpp"

#include <algorithm>
#include <utility>

#include "actors/common/star.hpp"
#include "actors/fed_ucb/messages.hpp"

namespace posse {

FedUcbClient::FedUcbClient(const FedUcbSetup& setup, std::uint32_t client)
    : setup_(&setup),
      rewards_(*setup.problem, client),
      horizon_(setup.budget),
      sums_(setup.arms.size()) {}

void FedUcbClient::on_message(const Message& message, Reaction& reaction) {
  if (const auto* join = message.get<Join>()) {
    if (plans_.newest() == Round{0}) horizon_ = setup_->budget - join->steps;
    play(message, join->phase, join->pulls, join->arms, reaction);
  } else if (const auto* plan = message.get<ActiveArms>()) {
    play(message, plan->phase, plan->pulls, plan->arms, reaction);
  }
}

void FedUcbClient::play(const Message& message,
                        std::uint32_t phase,
                        std::uint64_t pulls,
                        std::span<const std::uint32_t> arms,
                        Reaction& reaction) {
  const Sight sight = plans_.see(message.round);
  if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
  if (sight != Sight::newest || left() == 0) return;

  const bool cut = pulls > left() / arms.size();
  for (const auto arm : arms) {
    const auto count = std::min(pulls, left());
    if (count == 0) break;
    pull(arm, count, reaction);
  }
  pulls_per_arm_ += pulls;
  if (!cut) {
    ArmMeans local{phase, {}};
    local.means.reserve(arms.size());
    for (const auto arm : arms)
      local.means.push_back(sums_[arm - 1] / static_cast<double>(pulls_per_arm_));
    reaction.send(kServer, message.round, std::move(local));
  }
  if (left() == 0) reaction.finish();
}

void FedUcbClient::pull(std::uint32_t arm, std::uint64_t count, Reaction& reaction) {
  auto point = setup_->arms.point(arm);
  sums_[arm - 1] += rewards_.pull(point, count);
  reaction.observe(PullsObserved{
      static_cast<std::uint32_t>(rewards_.client()), std::move(point), count, rewards_.value()});
}

std::optional<Waiting> FedUcbClient::waiting() const {
  if (left() == 0 || setup_->policy.kind != PolicyKind::all) return std::nullopt;
  // A client of Fed2-UCB does not know whether and when it will join.
  if (setup_->joining && plans_.newest() == Round{0}) return std::nullopt;
  const Round next{plans_.newest().value + 1};
  return Waiting{
      fmt::format("ActiveArms of phase {}", next.value), ActiveArms::kName, next, {kServer}};
}

}  // namespace posse
