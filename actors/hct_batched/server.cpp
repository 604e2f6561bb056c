// SPDX-License-Identifier: Apache-2.0
#include "actors/hct_batched/server.hpp"

#include <algorithm>
#include <utility>

#include "actors/common/average_uploads.hpp"
#include "actors/common/star.hpp"
#include "actors/hct_batched/messages.hpp"
#include "core/base/check.hpp"

namespace posse {

HctBatchedServer::HctBatchedServer(const HctBatchedSetup& setup)
    : GatheringServer(setup.clients,
                      setup.policy,
                      "batch",
                      setup.variance ? kMessageType<LocalMoments> : kMessageType<LocalMeans>),
      setup_(&setup),
      learner_(setup.kind->make_hct("learner")) {}

void HctBatchedServer::on_start(Reaction& reaction) {
  report(setup_->kind->points(), learner_, std::nullopt, reaction);
  begin_batch(reaction);
}

void HctBatchedServer::begin_batch(Reaction& reaction) {
  const Round round = next_round();
  batch_ = learner_.next_batch(setup_->sizes.next(learner_.evaluations()));
  PullPlan plan{round.value, {}};
  plan.cells.reserve(batch_.size());
  for (const auto& [cell, pulls] : batch_)
    plan.cells.push_back({cell.depth, cell.index, static_cast<std::uint32_t>(pulls)});
  reaction.observe(RoundBegan{round});
  reaction.broadcast(kFirstClient, setup_->clients, round, std::move(plan));
  open(round, reaction);
}

std::vector<BatchRewards> HctBatchedServer::gathered() {
  std::vector<BatchRewards> rewards(batch_.size());
  if (!setup_->variance) {
    const auto means = average_uploads<LocalMeans>(uploads(), batch_.size(), setup_->policy);
    for (std::size_t i = 0; i < means.size(); ++i) rewards[i].mean = means[i];
    return rewards;
  }
  std::vector<const double*> means;
  std::vector<const double*> variances;
  for (const auto& upload : uploads()) {
    if (!upload) continue;
    const auto& theirs = *upload.get<LocalMoments>();
    POSSE_CHECK(theirs.means.size() == batch_.size() && theirs.variances.size() == batch_.size(),
                "{} means and {} variances of {}",
                theirs.means.size(),
                theirs.variances.size(),
                batch_.size());
    means.push_back(theirs.means.data());
    variances.push_back(theirs.variances.data());
  }
  const auto mean = average_rows(means, batch_.size(), setup_->policy);
  const auto variance = average_rows(variances, batch_.size(), setup_->policy);
  const auto arrivals = static_cast<double>(means.size());
  for (std::size_t i = 0; i < batch_.size(); ++i)
    rewards[i] = {mean[i], static_cast<double>(batch_[i].pulls - 1) * variance[i] / arrivals};
  for (auto& upload : uploads()) upload = Payload{};
  return rewards;
}

void HctBatchedServer::on_uploads(Reaction& reaction) {
  learner_.tell_batch(gathered());
  const auto most =  // the first of equals
      std::max_element(batch_.begin(), batch_.end(), [](const CellPulls& a, const CellPulls& b) {
        return a.pulls < b.pulls;
      });
  RoundEnded ended;
  ended.best = most->cell;
  ended.active_cells = ended.kept_cells = batch_.size();
  ended.pulls_per_cell = most->pulls;
  ended.steps = learner_.evaluations();
  close(std::move(ended), reaction);
  report(setup_->kind->points(), learner_, std::nullopt, reaction);
  if (learner_.evaluations() < setup_->sizes.budget)
    begin_batch(reaction);
  else
    reaction.finish();
}

}  // namespace posse
