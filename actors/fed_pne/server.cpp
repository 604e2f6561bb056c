// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne/server.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "actors/common/coded_means.hpp"
#include "actors/common/edge_uploads.hpp"
#include "actors/common/star.hpp"
#include "actors/fed_pne/messages.hpp"
#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kMostPulls = std::numeric_limits<std::uint32_t>::max();

/// One bit per cell, eight in a byte.
std::vector<std::uint8_t> no_bits(std::size_t cells) {
  return std::vector<std::uint8_t>((cells + 7) / 8);
}
void set_bit(std::vector<std::uint8_t>& bits, std::size_t i) {
  bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | (1u << (i % 8)));
}

}  // namespace

FedPneServer::FedPneServer(const FedPneSetup& setup)
    : GatheringServer(
          setup.hierarchy.below_server(), setup.policy, "phase", setup.upload_to_server()),
      setup_(&setup) {}

void FedPneServer::on_start(Reaction& reaction) {
  recommend(reaction);
  begin_phase(reaction);
}

Payload FedPneServer::decoded(const Payload& payload) const {
  if (setup_->hierarchy.edges == 0) return decode_means<LocalMeans>(payload, setup_->means);
  return setup_->sums == EdgeSummation::exact ? GatheringServer::decoded(payload)
                                              : decode_means<EdgeMeans>(payload, setup_->means);
}

void FedPneServer::expand() {
  while (active_.depth < setup_->partition.max_depth() &&
         setup_->expands(active_.depth, active_.count))
    split(active_.index, active_.count);
}

void FedPneServer::split(const std::vector<std::uint64_t>& kept, std::uint64_t kept_count) {
  // A plan with more cells than remaining evaluations is cut; trimming leaves at most one cell more
  // than can be pulled.
  active_.split(setup_->partition,
                kept,
                kept_count,
                setup_->trim_last_plan ? setup_->budget - steps_ + 1
                                       : std::numeric_limits<std::uint64_t>::max());
}

void FedPneServer::begin_phase(Reaction& reaction) {
  if (!at_depth_limit_) {
    expand();
    pulls_per_cell_ = setup_->pulls(active_.depth);
  }
  const Round phase = next_round();
  const bool cut = pulls_per_cell_ > (setup_->budget - steps_) / active_.count;
  if (!cut) reaction.observe(RoundBegan{phase});
  send_plan(phase, cut, reaction);
  if (cut)
    reaction.finish();
  else
    open(phase, reaction);
}

void FedPneServer::send_plan(Round phase, bool cut, Reaction& reaction) const {
  if (setup_->compact_plan) {
    const std::uint32_t splits = active_.depth - parent_depth_;
    reaction.broadcast(kFirstClient,
                       setup_->hierarchy.below_server(),
                       phase,
                       CompactPlan{static_cast<std::uint16_t>(phase.value),
                                   static_cast<std::uint16_t>(splits > 0 ? splits - 1 : 0),
                                   kept_});
    return;
  }
  PhasePlan plan{phase.value,
                 active_.depth,
                 static_cast<std::uint32_t>(std::min(pulls_per_cell_, kMostPulls)),
                 active_.index};
  if (cut && setup_->trim_last_plan)
    plan.index.resize(std::min<std::uint64_t>(plan.index.size(),
                                              (setup_->budget - steps_) / pulls_per_cell_ + 1));
  reaction.broadcast(kFirstClient, setup_->hierarchy.below_server(), phase, std::move(plan));
}

void FedPneServer::on_uploads(Reaction& reaction) {
  eliminate(reaction);
  recommend(reaction);
  if (steps_ < setup_->budget)
    begin_phase(reaction);
  else
    reaction.finish();
}

void FedPneServer::eliminate(Reaction& reaction) {
  const Hierarchy& hierarchy = setup_->hierarchy;
  const auto means =
      average_of(uploads(), active_.index.size(), hierarchy, setup_->sums, setup_->policy);
  const double b =
      setup_->radius(pulls_per_cell_, hierarchy.edges > 0 ? hierarchy.clients : arrived());
  const double smoothness = setup_->theory.nu1 * math::pow(setup_->theory.rho, active_.depth);
  const auto best = std::max_element(means.begin(), means.end());  // the first of equals
  const auto best_at = static_cast<std::size_t>(best - means.begin());
  best_ = {active_.depth, active_.index[best_at]};
  const bool deepest = active_.depth == setup_->partition.max_depth();
  RoundEnded ended;
  std::vector<std::uint64_t> kept;
  if (setup_->compact_plan) kept_ = no_bits(means.size());
  for (std::size_t i = 0; i < means.size(); ++i) {
    const bool keep = !(means[i] + b + smoothness < *best - b);
    ended.cells.push_back({{active_.depth, active_.index[i]}, means[i], keep});
    if (!keep) continue;
    kept.push_back(active_.index[i]);
    if (setup_->compact_plan && !deepest) set_bit(kept_, i);
  }

  steps_ += pulls_per_cell_ * active_.count;
  ended.threshold = *best - 2 * b - smoothness;
  ended.best = best_;
  ended.active_cells = active_.count;
  ended.pulls_per_cell = pulls_per_cell_;
  ended.kept_cells = kept.size();
  ended.steps = steps_;
  close(std::move(ended), reaction);

  parent_depth_ = active_.depth;
  if (!deepest) {
    split(kept, kept.size());
  } else {
    if (setup_->compact_plan) set_bit(kept_, best_at);
    at_depth_limit_ = true;
    active_.index = {best_.index};
    active_.count = 1;
    pulls_per_cell_ = kMostPulls;
  }
}

void FedPneServer::recommend(Reaction& reaction) const {
  reaction.observe(RecommendationObserved{setup_->partition.point(best_)});
}

}  // namespace posse
