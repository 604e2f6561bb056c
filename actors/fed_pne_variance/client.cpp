// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne_variance/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "actors/common/local_moments.hpp"
#include "actors/common/star.hpp"
#include "actors/fed_pne_variance/messages.hpp"

namespace posse {

FedPneVarianceClient::FedPneVarianceClient(const FedPneVarianceSetup& setup, std::uint32_t client)
    : rewards_(*setup.problem, setup.partition, client) {}

void FedPneVarianceClient::on_message(const Message& message, Reaction& reaction) {
  const auto* plan = message.get<VariancePlan>();
  if (plan == nullptr || plans_.see(message.round) != Sight::newest) return;
  const std::uint64_t left = rewards_.left();
  if (left == 0) return;
  std::uint64_t planned = 0;
  for (const auto pulls : plan->pulls) planned += pulls;
  const bool cut = planned > left;
  if (plan->depth != depth_) moments_.clear();
  depth_ = plan->depth;

  if (!cut) rewards_.prepare_level(depth_, plan->index);
  LocalMoments local{plan->round, {}, {}};
  local.means.reserve(plan->index.size());
  local.variances.reserve(plan->index.size());
  for (std::size_t i = 0; i < plan->index.size() && rewards_.left() > 0; ++i) {
    auto& moments = moments_[plan->index[i]];
    rewards_.pull_each({depth_, plan->index[i]},
                       std::min<std::uint64_t>(plan->pulls[i], rewards_.left()),
                       reaction,
                       [&moments](double reward) { moments.add(reward); });
    local.means.push_back(moments.mean());
    local.variances.push_back(moments.variance());
  }
  if (!cut) reaction.send(kServer, message.round, std::move(local));
  if (rewards_.left() == 0) reaction.finish();
}

std::optional<Waiting> FedPneVarianceClient::waiting() const {
  if (rewards_.left() == 0) return std::nullopt;
  const Round next{plans_.newest().value + 1};
  return Waiting{
      fmt::format("VariancePlan of round {}", next.value), VariancePlan::kName, next, {kServer}};
}

}  // namespace posse
