// SPDX-License-Identifier: Apache-2.0
#include "actors/blin/server.hpp"

#include <algorithm>
#include <utility>

#include "actors/blin/bounds.hpp"
#include "actors/blin/messages.hpp"
#include "actors/common/average_uploads.hpp"
#include "actors/common/star.hpp"

namespace posse {

BlinServer::BlinServer(const BlinSetup& setup)
    : GatheringServer(setup.clients, setup.policy, "batch"), setup_(&setup) {}

void BlinServer::on_start(Reaction& reaction) {
  recommend(reaction);
  begin_batch(reaction);
}

void BlinServer::begin_batch(Reaction& reaction) {
  const Round batch = next_round();
  const bool last = setup_->ends_the_run(batch.value, active_.size(), setup_->budget - steps_);
  if (!last) reaction.observe(RoundBegan{batch});
  reaction.broadcast(kFirstClient, setup_->clients, batch, Batch{batch.value, active_});
  if (last)
    reaction.finish();
  else
    open(batch, reaction);
}

void BlinServer::on_uploads(Reaction& reaction) {
  eliminate(reaction);
  recommend(reaction);
  if (steps_ < setup_->budget)
    begin_batch(reaction);
  else
    reaction.finish();
}

void BlinServer::eliminate(Reaction& reaction) {
  const std::uint32_t batch = round().value;
  const std::uint32_t depth = setup_->depth(batch);
  const auto means = average_uploads<BatchMeans>(uploads(), active_.size(), setup_->policy);
  const double threshold = theory::blin_threshold(setup_->theory, batch);
  const auto top = std::max_element(means.begin(), means.end());  // the first of equals
  best_ = {depth, active_[static_cast<std::size_t>(top - means.begin())]};
  RoundEnded ended;
  std::vector<std::uint64_t> kept;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const bool keep = !(*top - means[i] > threshold);
    if (keep) kept.push_back(active_[i]);
    ended.cells.push_back({{depth, active_[i]}, means[i], keep});
  }
  ended.threshold = *top - threshold;
  ended.best = best_;
  ended.active_cells = active_.size();
  ended.pulls_per_cell = theory::blin_pulls(setup_->theory, batch);
  ended.kept_cells = kept.size();
  steps_ += ended.pulls_per_cell * active_.size();
  ended.steps = steps_;
  close(std::move(ended), reaction);

  // A batch with more cubes than there are steps left ends the run; the rest is not sent.
  active_ = depth < setup_->partition.max_depth()
                ? children_of(setup_->partition, depth, kept, setup_->budget - steps_ + 1)
                : std::move(kept);
}

void BlinServer::recommend(Reaction& reaction) const {
  reaction.observe(RecommendationObserved{setup_->partition.point(best_)});
}

}  // namespace posse
