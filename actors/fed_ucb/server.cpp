// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_ucb/server.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "actors/common/average_uploads.hpp"
#include "actors/common/star.hpp"
#include "actors/fed_ucb/bounds.hpp"
#include "actors/fed_ucb/messages.hpp"
#include "core/domain/cell.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kUntilTheEnd = std::numeric_limits<std::uint32_t>::max();

}  // namespace

FedUcbServer::FedUcbServer(const FedUcbSetup& setup)
    : GatheringServer(1, setup.policy, "phase"), setup_(&setup), active_(setup.arms.size()) {
  std::iota(active_.begin(), active_.end(), 1);
}

void FedUcbServer::on_start(Reaction& reaction) {
  recommend(reaction);
  begin_phase(reaction);
}

void FedUcbServer::admit_members(Round phase) {
  const std::uint32_t before = members_;
  if (!setup_->joining)
    members_ = setup_->clients;
  else if (phase == Round{1} || active_.size() > 1)
    members_ = static_cast<std::uint32_t>(theory::fed2_ucb_joined(setup_->clients, phase.value));
  if (members_ > before) joined_.push_back(members_ - before);
  admit(members_);
}

void FedUcbServer::begin_phase(Reaction& reaction) {
  const Round phase = next_round();
  admit_members(phase);
  const bool decided = active_.size() == 1;
  const std::uint64_t pulls = decided ? kUntilTheEnd : setup_->pulls_per_phase;
  const bool cut = pulls > (setup_->budget - steps_) / active_.size();
  if (!cut) reaction.observe(RoundBegan{phase});
  send_plan(phase, pulls, reaction);
  if (cut)
    reaction.finish();
  else
    open(phase, reaction);
}

void FedUcbServer::send_plan(Round phase, std::uint64_t pulls, Reaction& reaction) const {
  const auto count = static_cast<std::uint32_t>(pulls);
  const bool anybody_joins = phase > Round{1} && joined_.size() == phase.value;
  const auto fresh = anybody_joins ? static_cast<std::uint32_t>(joined_.back()) : 0;
  reaction.broadcast(
      kFirstClient, members_ - fresh, phase, ActiveArms{phase.value, count, active_});
  reaction.broadcast(NodeId{kFirstClient.value + members_ - fresh},
                     fresh,
                     phase,
                     Join{static_cast<std::uint32_t>(steps_), phase.value, count, active_});
}

void FedUcbServer::on_uploads(Reaction& reaction) {
  eliminate(reaction);
  recommend(reaction);
  if (steps_ < setup_->budget)
    begin_phase(reaction);
  else
    reaction.finish();
}

double FedUcbServer::radius() const {
  if (setup_->joining)
    return theory::fed2_ucb_radius(setup_->sigma,
                                   setup_->sigma_c,
                                   setup_->budget,
                                   joined_,
                                   round().value,
                                   setup_->pulls_per_phase);
  return theory::fed1_ucb_radius(
      setup_->sigma, setup_->budget, arrived(), setup_->pulls_per_phase * round().value);
}

void FedUcbServer::eliminate(Reaction& reaction) {
  const auto means = average_uploads<ArmMeans>(uploads(), active_.size(), setup_->policy);
  const double radius = this->radius();
  const auto top = std::max_element(means.begin(), means.end());  // the first of equals
  best_ = active_[static_cast<std::size_t>(top - means.begin())];
  std::vector<std::uint32_t> kept;
  for (std::size_t k = 0; k < means.size(); ++k)
    if (!(means[k] + radius < *top - radius)) kept.push_back(active_[k]);

  steps_ += setup_->pulls_per_phase * active_.size();
  RoundEnded ended;
  ended.best = Cell{0, best_};
  ended.active_cells = active_.size();
  ended.pulls_per_cell = setup_->pulls_per_phase;
  ended.kept_cells = kept.size();
  ended.steps = steps_;
  close(std::move(ended), reaction);
  active_ = std::move(kept);
}

void FedUcbServer::recommend(Reaction& reaction) const {
  reaction.observe(RecommendationObserved{setup_->arms.point(best_)});
}

}  // namespace posse
