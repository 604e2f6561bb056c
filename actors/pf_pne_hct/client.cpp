// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne_hct/client.hpp"

#include <vector>

#include "actors/common/reward_moments.hpp"
#include "actors/learners/local_learner.hpp"
#include "core/learner/hct.hpp"
#include "core/role/checkpoints.hpp"

namespace posse {

PfPneHctClient::PfPneHctClient(const PfPneHctSetup& setup, std::uint32_t client)
    : FirstStageClient(setup, client), setup_(&setup) {}

double PfPneHctClient::sample(Cell cell, std::uint64_t count, Reaction& reaction) {
  KnownCell known{.cell = cell, .pulls = count};
  RewardMoments moments;
  rewards().pull_each(cell, count, reaction, [&](double reward) {
    known.sum += reward;
    moments.add(reward);
  });
  known.squares = static_cast<double>(count - 1) * moments.variance();
  known_[cell] = known;
  return known.sum;
}

void PfPneHctClient::store(const Survivors& survivors, Reaction&) {
  const auto& partition = setup_->partition;
  for (const auto& survivor : survivors.cells) {
    Cell cell{survivors.depth, survivor.index};
    // At the depth limit there is nothing below to pass on to.
    if (cell.depth == partition.max_depth()) cell = partition.parent(cell);
    // Ancestors are known as kept already, but for depths whose Survivors never arrived.
    for (;; cell = partition.parent(cell)) {
      KnownCell& known = known_[cell];
      if (known.passed) break;
      known.cell = cell;
      known.passed = true;
      if (cell.depth == 0) break;
    }
  }
}

void PfPneHctClient::search_alone(Reaction& reaction) {
  std::vector<KnownCell> known;
  std::uint64_t pulls = 0;
  for (const auto& [cell, rewards] : known_) {
    known.push_back(rewards);
    pulls += rewards.pulls;
  }
  const std::uint64_t lost = rewards().pulls() - pulls;
  Hct learner = setup_->kind->make_hct(local_learner_name(rewards().client(), lost));
  learner.start_from(known);
  Checkpoints checkpoints;
  checkpoints.reached(rewards().pulls());
  while (rewards().left() > 0)
    learn_to_checkpoint(setup_->partition, learner, rewards(), checkpoints, reaction);
  reaction.finish();
}

void PfPneHctClient::on_restart(Reaction& reaction) {
  if (!setup_->shared_depth && rewards().left() > 0) search_alone(reaction);
}

}  // namespace posse
