// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne_reuse/server.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "actors/common/average_uploads.hpp"
#include "actors/common/judged_cells.hpp"
#include "actors/common/star.hpp"
#include "actors/pf_pne_reuse/messages.hpp"
#include "core/base/math.hpp"

namespace posse {
namespace {

using theory::Stake;

constexpr std::uint32_t kPullsUntilEnd = std::numeric_limits<std::uint32_t>::max();

}  // namespace

PfPneReuseServer::PfPneReuseServer(const PfPneReuseSetup& setup)
    : GatheringServer(setup.clients, Policy{}, "round"),
      setup_(&setup),
      lower_(-std::numeric_limits<double>::infinity()) {}

void PfPneReuseServer::on_start(Reaction& reaction) {
  if (!setup_->together || setup_->clients == 1) {
    search_apart(reaction);
    return;
  }
  descend();
  begin_round(reaction);
}

void PfPneReuseServer::descend() {
  const std::uint64_t limit = setup_->budget - steps_ + 1;
  auto cells = kept_;
  do {
    cells = children_of(setup_->partition, depth_, cells, limit);
    ++depth_;
  } while (depth_ < setup_->partition.max_depth() &&
           theory::reuse_tau(setup_->theory, Stake::together, depth_) <=
               setup_->clients / cells.size());
  level_.clear();
  for (const auto index : cells) level_.push_back({index});
  pulls_in_level_ = 0;
}

std::uint64_t PfPneReuseServer::target_pulls() const {
  const std::uint64_t tau = theory::reuse_tau(setup_->theory, Stake::together, depth_);
  return 1 + (tau - 1) / setup_->clients;
}

void PfPneReuseServer::begin_round(Reaction& reaction) {
  pulls_ = std::min(target_pulls() - pulls_in_level_, std::max<std::uint64_t>(1, pulls_in_level_));
  if (pulls_ > (setup_->budget - steps_) / level_.size()) {
    spend_rest(reaction);
    return;
  }
  const Round round = next_round();
  reaction.observe(RoundBegan{round});
  send_plan(depth_, static_cast<std::uint32_t>(pulls_), cells_left(), reaction);
  open(round, reaction);
}

std::vector<std::uint64_t> PfPneReuseServer::cells_left() const {
  std::vector<std::uint64_t> cells;
  for (const auto& cell : level_) cells.push_back(cell.index);
  return cells;
}

void PfPneReuseServer::keep_level() {
  kept_depth_ = depth_;
  kept_ = cells_left();
}

void PfPneReuseServer::spend_rest(Reaction& reaction) {
  if (round().value > 0 && !clients_differ_) {
    pull_best(reaction);
    return;
  }
  if (pulls_in_level_ > 0) keep_level();
  search_apart(reaction);
}

void PfPneReuseServer::search_apart(Reaction& reaction) {
  send_plan(kept_depth_, 0, kept_, reaction);
  finish(reaction);
}

void PfPneReuseServer::pull_best(Reaction& reaction) {
  if (steps_ < setup_->budget) send_plan(best_.depth, kPullsUntilEnd, {best_.index}, reaction);
  finish(reaction);
}

void PfPneReuseServer::send_plan(std::uint32_t depth,
                                 std::uint32_t pulls,
                                 std::vector<std::uint64_t> cells,
                                 Reaction& reaction) {
  cells_of_last_plan_ = cells.size();
  const Round round = next_round();
  reaction.broadcast(
      kFirstClient, setup_->clients, round, PhasePlan{round.value, depth, pulls, std::move(cells)});
}

void PfPneReuseServer::on_uploads(Reaction& reaction) {
  merge_uploads();
  const auto best =
      std::max_element(level_.begin(), level_.end(), [](const Shared& a, const Shared& b) {
        return a.mean < b.mean;
      });
  RoundEnded ended;
  ended.best = Cell{depth_, best->index};
  ended.active_cells = level_.size();
  ended.pulls_per_cell = pulls_;
  pulls_in_level_ += pulls_;
  steps_ += pulls_ * level_.size();
  const auto compared = level_;
  eliminate();
  ended.cells = judged_cells(depth_, compared, level_);
  ended.kept_cells = level_.size();
  ended.steps = steps_;
  close(std::move(ended), reaction);

  if (steps_ == setup_->budget) {
    cells_of_last_plan_ = 0;
    finish(reaction);
  } else if (level_.empty()) {
    pull_best(reaction);
  } else if (level_.size() > 1 && pulls_in_level_ < target_pulls()) {
    begin_round(reaction);
  } else {
    end_level(reaction);
  }
}

void PfPneReuseServer::end_level(Reaction& reaction) {
  keep_level();
  const auto spread = clients_spread();
  if (spread) {
    reaction.observe(EstimateObserved{kEstimatedDelta, *spread});
    clients_differ_ = *spread > 0;
  }
  const auto& p = setup_->theory;
  if (spread && *spread > p.nu1 * math::pow(p.rho, depth_ + 1.0)) {
    search_apart(reaction);
  } else if (depth_ == setup_->partition.max_depth()) {
    pull_best(reaction);
  } else {
    descend();
    begin_round(reaction);
  }
}

void PfPneReuseServer::merge_uploads() {
  const Uploads all = uploads();  // averaging empties them
  const auto mean = average_uploads<SpreadMeans>(uploads(), level_.size(), Policy{});
  std::vector<double> squares(level_.size(), 0.0);
  for (const auto& upload : all) {  // in client order: part of the contract
    const auto& theirs = *upload.get<SpreadMeans>();
    noise_ += theirs.spread;
    for (std::size_t i = 0; i < level_.size(); ++i) {
      const double difference = theirs.means[i] - mean[i];
      squares[i] += difference * difference;
    }
  }
  // A client compares the two halves of its pulls, or a single pull with the earlier ones.
  if (pulls_ > 1 || pulls_in_level_ > 0)
    noise_freedom_ += static_cast<double>(all.size() * level_.size());
  const auto before = static_cast<double>(pulls_in_level_);
  const auto now = static_cast<double>(pulls_);
  for (std::size_t i = 0; i < level_.size(); ++i) {
    level_[i].mean = (level_[i].mean * before + mean[i] * now) / (before + now);
    level_[i].variance = squares[i] / static_cast<double>(all.size() - 1);
  }
}

void PfPneReuseServer::eliminate() {
  const auto& p = setup_->theory;
  const double radius =
      theory::reuse_radius(p, Stake::together, depth_, setup_->clients * pulls_in_level_);
  for (const auto& cell : level_) {
    if (!(cell.mean - radius > lower_)) continue;
    lower_ = cell.mean - radius;
    best_ = {depth_, cell.index};
  }
  const double reach = radius + p.nu1 * math::pow(p.rho, depth_);
  std::erase_if(level_, [&](const Shared& cell) { return cell.mean + reach < lower_; });
}

std::optional<double> PfPneReuseServer::clients_spread() const {
  if (noise_freedom_ == 0) return std::nullopt;
  double variance = 0;
  for (const auto& cell : level_) variance += cell.variance;
  return theory::clients_spread(setup_->clients,
                                level_.size(),
                                variance / static_cast<double>(level_.size()),
                                noise_ / noise_freedom_ / static_cast<double>(pulls_));
}

void PfPneReuseServer::finish(Reaction& reaction) const {
  reaction.observe(CountObserved{kLastPlanCells, cells_of_last_plan_});
  reaction.finish();
}

}  // namespace posse
