// SPDX-License-Identifier: Apache-2.0
#include "actors/instances/hub.hpp"

#include <utility>

namespace posse {

InstancesHub::InstancesHub(const InstancesSetup& setup)
    : GatheringServer(static_cast<std::uint32_t>(setup.totals.size()), Policy{}, "pass"),
      setup_(&setup) {}

void InstancesHub::on_start(Reaction& reaction) {
  reaction.observe(RecommendationObserved{setup_->partition.point(Cell{})});
  begin_pass(reaction);
}

void InstancesHub::begin_pass(Reaction& reaction) {
  const Round round = next_round();
  const auto& pass = setup_->passes[round.value - 1];
  reaction.observe(RoundBegan{round});
  for (std::uint32_t i = 0; i < pass.evaluations.size(); ++i) {
    const auto& options = setup_->options[pass.first + i];
    reaction.send(NodeId{kFirstInstance.value + pass.first + i},
                  round,
                  Start{options.nu, options.rho, pass.evaluations[i]});
  }
  open(round, reaction, pass.first, static_cast<std::uint32_t>(pass.evaluations.size()));
}

void InstancesHub::on_uploads(Reaction& reaction) {
  const auto& pass = setup_->passes[round().value - 1];
  for (const auto evaluations : pass.evaluations) evaluations_ += evaluations;
  RoundEnded ended;
  ended.active_cells = ended.kept_cells = pass.evaluations.size();
  ended.pulls_per_cell = pass.evaluations.front();
  ended.steps = evaluations_;
  close(std::move(ended), reaction);
  reaction.observe(RecommendationObserved{best().x.numbers});
  if (round().value < setup_->passes.size()) {
    begin_pass(reaction);
    return;
  }
  if (setup_->rest > 0) spend_rest(reaction);
  reaction.finish();
}

const Found& InstancesHub::best() const {
  const Found* best = nullptr;
  for (const auto& payload : uploads()) {
    const auto* found = payload.get<Found>();
    if (found != nullptr && (best == nullptr || found->mean > best->mean)) best = found;
  }
  return *best;
}

void InstancesHub::spend_rest(Reaction& reaction) const {
  const auto& x = best().x.numbers;
  RewardSource(*setup_->problem, kOnlyClient, "hub").pull(x, setup_->rest);
  reaction.observe(PullsObserved{kOnlyClient, x, setup_->rest});
}

}  // namespace posse
