// SPDX-License-Identifier: Apache-2.0
#include "actors/hct_batched/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "actors/common/local_means.hpp"
#include "actors/common/local_moments.hpp"
#include "actors/common/reward_moments.hpp"
#include "actors/common/star.hpp"
#include "actors/hct_batched/messages.hpp"

namespace posse {

HctBatchedClient::HctBatchedClient(const HctBatchedSetup& setup, std::uint32_t client)
    : setup_(&setup), rewards_(*setup.problem, setup.kind->points(), client) {}

void HctBatchedClient::on_message(const Message& message, Reaction& reaction) {
  const auto* plan = message.get<PullPlan>();
  if (plan == nullptr) return;
  const Sight sight = plans_.see(message.round);
  if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
  if (sight != Sight::newest) return;
  std::uint64_t planned = 0;
  for (const auto& cell : plan->cells) planned += cell.pulls;
  // More than is left: the client lost its state within this batch.
  if (planned > rewards_.left()) return;

  rewards_.prepare(plan->cells, [](const auto& cell) { return Cell{cell.depth, cell.index}; });
  LocalMoments local{plan->batch, {}, {}};
  local.means.reserve(plan->cells.size());
  local.variances.reserve(plan->cells.size());
  for (const auto& cell : plan->cells) {
    RewardMoments moments;
    rewards_.pull_each({cell.depth, cell.index}, cell.pulls, reaction, [&moments](double reward) {
      moments.add(reward);
    });
    local.means.push_back(moments.mean());
    local.variances.push_back(moments.variance());
  }
  if (setup_->variance)
    reaction.send(kServer, message.round, std::move(local));
  else
    reaction.send(kServer, message.round, LocalMeans{plan->batch, std::move(local.means)});
  if (rewards_.left() == 0) reaction.finish();
}

std::optional<Waiting> HctBatchedClient::waiting() const {
  if (rewards_.left() == 0 || setup_->policy.kind != PolicyKind::all) return std::nullopt;
  const Round next{plans_.newest().value + 1};
  return Waiting{fmt::format("PullPlan of batch {}", next.value), PullPlan::kName, next, {kServer}};
}

}  // namespace posse
