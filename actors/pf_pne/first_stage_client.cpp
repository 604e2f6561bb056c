// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne/first_stage_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "actors/common/star.hpp"
#include "actors/fed_pne/bounds.hpp"

namespace posse {

FirstStageClient::FirstStageClient(const PfPneSetup& setup, std::uint32_t client)
    : setup_(&setup), rewards_(*setup.problem, setup.partition, client) {}

void FirstStageClient::on_start(Reaction& reaction) {
  recommend({0, 1}, reaction);
  if (setup_->shared_depth)
    pull_level(reaction);
  else
    search_alone(reaction);
}

void FirstStageClient::on_message(const Message& message, Reaction& reaction) {
  const auto* survivors = message.get<Survivors>();
  if (survivors == nullptr) return;
  const Sight sight = survivors_seen_.see(message.round);
  if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
  if (sight != Sight::newest) return;

  const auto best =  // the first of equals
      std::max_element(survivors->cells.begin(),
                       survivors->cells.end(),
                       [](const Survivor& a, const Survivor& b) { return a.mean < b.mean; });
  recommend({survivors->depth, best->index}, reaction);
  store(*survivors, reaction);
  const bool last = survivors->depth == *setup_->shared_depth;
  if (rewards_.left() == 0) {
    if (last) reaction.finish();
  } else if (last) {
    search_alone(reaction);
  } else {
    std::vector<std::uint64_t> kept;
    for (const auto& cell : survivors->cells) kept.push_back(cell.index);
    active_ = setup_->children(survivors->depth, kept, rewards_.left(), 0);
    depth_ = survivors->depth + 1;
    pull_level(reaction);
  }
}

void FirstStageClient::pull_level(Reaction& reaction) {
  const std::uint64_t pulls = theory::fed_pne_pulls(setup_->theory.federation, depth_);
  const std::uint64_t left = rewards_.left();
  const bool cut = pulls > left / active_.size();
  if (!cut) rewards_.prepare_level(depth_, active_);
  LocalMeans local{depth_, {}};
  for (const auto index : active_) {
    const auto count = std::min(pulls, rewards_.left());
    if (count == 0) break;
    const double sum = sample({depth_, index}, count, reaction);
    local.means.push_back(sum / static_cast<double>(count));
  }
  // A client without evaluations left has not finished: the Survivors of this level, and of others
  // that clients with more left complete, still change what it recommends.
  if (!cut) reaction.send(kServer, Round{depth_ + 1}, std::move(local));
}

void FirstStageClient::recommend(Cell cell, Reaction& reaction) const {
  reaction.observe(RecommendationObserved{setup_->partition.point(cell), rewards_.client()});
}

std::optional<Waiting> FirstStageClient::waiting() const {
  if (rewards_.left() == 0 || setup_->policy.kind != PolicyKind::all) return std::nullopt;
  return Waiting{
      fmt::format("Survivors of depth {}", depth_), Survivors::kName, Round{depth_ + 1}, {kServer}};
}

}  // namespace posse
