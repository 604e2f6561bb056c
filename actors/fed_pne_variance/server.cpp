// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne_variance/server.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "actors/common/judged_cells.hpp"
#include "actors/common/local_moments.hpp"
#include "actors/common/star.hpp"
#include "actors/fed_pne_variance/messages.hpp"
#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kPullUntilEnd = std::numeric_limits<std::uint32_t>::max();

}  // namespace

FedPneVarianceServer::FedPneVarianceServer(const FedPneVarianceSetup& setup)
    : GatheringServer(setup.clients, {}, "round"),
      setup_(&setup),
      active_{{.variance = theory::usable_variance(setup.variance,
                                                   std::numeric_limits<double>::infinity())}} {}

void FedPneVarianceServer::on_start(Reaction& reaction) {
  recommend(reaction);
  expand();
  send_plan(reaction);
}

void FedPneVarianceServer::on_uploads(Reaction& reaction) {
  close_exchange(reaction);
  if (steps_ < setup_->budget)
    send_plan(reaction);
  else
    reaction.finish();
}

void FedPneVarianceServer::expand() {
  const auto all_within_one_look = [this] {
    std::uint64_t pulls = 0;
    for (const auto& cell : active_) {
      const auto more = tau(cell);
      if (more > setup_->clients - pulls) return false;
      pulls += more;
    }
    return true;
  };
  while (depth_ < setup_->partition.max_depth() && active_.size() <= setup_->budget - steps_ &&
         (depth_ < 1 || all_within_one_look()))
    split();
}

void FedPneVarianceServer::split() {
  // A level with more cells than remaining evaluations is never completed, so the list is cut.
  const std::uint64_t limit = setup_->budget - steps_ + 1;
  const std::uint32_t k = setup_->partition.children_per_cell();
  std::vector<Active> children;
  children.reserve(std::min<std::uint64_t>(active_.size() * k, limit));
  for (const auto& cell : active_) {
    for (std::uint32_t c = 0; c < k && children.size() < limit; ++c)
      children.push_back({.index = setup_->partition.child({depth_, cell.index}, c).index,
                          .variance = cell.variance});
  }
  active_ = std::move(children);
  ++depth_;
}

std::uint64_t FedPneVarianceServer::tau(const Active& cell) const {
  return theory::fed_pne_variance_tau(setup_->theory, setup_->variance, cell.variance, depth_);
}

std::uint64_t FedPneVarianceServer::target_pulls(const Active& cell) const {
  const auto pulls = [this](double variance) {
    return theory::fed_pne_variance_pulls(setup_->theory, setup_->variance, variance, depth_);
  };
  const std::uint64_t needed = pulls(cell.variance);
  if (cell.pulls == 0) return needed;
  if (needed <= cell.pulls) return cell.pulls;
  const double largest =
      theory::usable_variance(setup_->variance, std::numeric_limits<double>::infinity());
  return std::min(std::max(needed, cell.pulls + (cell.pulls + 3) / 4), pulls(largest));
}

void FedPneVarianceServer::send_plan(Reaction& reaction) {
  const Round round = next_round();
  const std::uint64_t left = setup_->budget - steps_;
  VariancePlan plan{round.value, depth_, {}, {}};
  planned_pulls_ = 0;
  // A cut plan contains the fewest cells whose pulls exceed the remaining evaluations.
  for (auto it = active_.begin(); it != active_.end() && planned_pulls_ <= left; ++it) {
    const std::uint64_t more = at_depth_limit_ ? kPullUntilEnd : target_pulls(*it) - it->pulls;
    if (more == 0) continue;
    it->planned = true;
    plan.index.push_back(it->index);
    plan.pulls.push_back(static_cast<std::uint32_t>(std::min(more, kPullUntilEnd)));
    planned_pulls_ += plan.pulls.back();
  }
  POSSE_CHECK(!plan.index.empty(), "a plan without cells");
  const bool cut = planned_pulls_ > left;
  if (!cut) reaction.observe(RoundBegan{round});
  reaction.broadcast(kFirstClient, setup_->clients, round, std::move(plan));
  if (cut)
    reaction.finish();
  else
    open(round, reaction);
}

void FedPneVarianceServer::take_uploads() {
  std::size_t cells = 0;
  for (auto& cell : active_) {
    if (!cell.planned) continue;
    cell.pulls = target_pulls(cell);
    cell.mean = 0;
    cell.variance = 0;
    ++cells;
  }
  for (auto& upload : uploads()) {  // in client order: part of the contract
    const auto& theirs = *upload.get<LocalMoments>();
    POSSE_CHECK(theirs.means.size() == cells && theirs.variances.size() == cells,
                "{} means and {} variances of {}",
                theirs.means.size(),
                theirs.variances.size(),
                cells);
    std::size_t i = 0;
    for (auto& cell : active_) {
      if (!cell.planned) continue;
      cell.mean += theirs.means[i];
      cell.variance += theirs.variances[i];
      ++i;
    }
    upload = Payload{};
  }
  for (auto& cell : active_) {
    if (!cell.planned) continue;
    cell.mean /= setup_->clients;
    cell.variance = theory::usable_variance(setup_->variance, cell.variance / setup_->clients);
  }
}

void FedPneVarianceServer::eliminate() {
  const auto radius = [this](const Active& cell) {
    return theory::fed_pne_variance_radius(
        setup_->theory, setup_->variance, cell.variance, cell.pulls);
  };
  const double smoothness = setup_->theory.nu1 * math::pow(setup_->theory.rho, depth_);
  double floor = -std::numeric_limits<double>::infinity();
  for (const auto& cell : active_) floor = std::max(floor, cell.mean - radius(cell));
  std::erase_if(active_,
                [&](const Active& cell) { return cell.mean + radius(cell) + smoothness < floor; });
}

void FedPneVarianceServer::close_exchange(Reaction& reaction) {
  RoundEnded ended;
  for (const auto& cell : active_) {
    if (!cell.planned) continue;
    ++ended.active_cells;
    ended.pulls_per_cell = std::max(ended.pulls_per_cell, target_pulls(cell) - cell.pulls);
  }
  take_uploads();
  const auto compared = active_;
  eliminate();
  ended.cells = judged_cells(depth_, compared, active_);
  const auto best =  // the first of equals
      std::max_element(active_.begin(), active_.end(), [](const Active& a, const Active& b) {
        return a.mean < b.mean;
      });
  steps_ += planned_pulls_;
  ended.best = Cell{depth_, best->index};
  ended.kept_cells = active_.size();
  ended.steps = steps_;
  close(std::move(ended), reaction);

  bool complete = true;
  for (auto& cell : active_) {
    cell.planned = false;
    complete = complete && target_pulls(cell) <= cell.pulls;
  }
  if (!complete) return;
  best_ = {depth_, best->index};
  recommend(reaction);
  if (depth_ < setup_->partition.max_depth()) {
    split();
    expand();
  } else {
    at_depth_limit_ = true;
    active_ = {*best};
  }
}

void FedPneVarianceServer::recommend(Reaction& reaction) const {
  reaction.observe(RecommendationObserved{setup_->partition.point(best_)});
}

}  // namespace posse
