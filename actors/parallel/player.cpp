// SPDX-License-Identifier: Apache-2.0
#include "actors/parallel/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "actors/common/mean_parameters.hpp"

namespace posse {

ParallelPlayer::ParallelPlayer(const ParallelSetup& setup, NodeId self)
    : setup_(&setup),
      player_(self.value),
      rewards_(*setup.problem, setup.partition, self.value),
      exchange_(make_exchange(setup.exchange, player_)),
      rounding_(setup.exchange.means, setup.problem->seed(), fmt::format("player-{}", player_)) {}

void ParallelPlayer::on_start(Reaction& reaction) {
  recommend(reaction);
  next_level(reaction);
}

void ParallelPlayer::on_message(const Message& message, Reaction& reaction) {
  if (done_) return;
  exchange_->take(message, reaction);
  if (exchange_->complete()) {
    complete_level(reaction);
    next_level(reaction);
  }
}

void ParallelPlayer::next_level(Reaction& reaction) {
  while (plan_level()) {
    evaluate_level(reaction);
    if (!exchange_->complete()) return;  // wait for the others
    complete_level(reaction);
  }
  spend_leftover(reaction);
}

bool ParallelPlayer::plan_level() {
  if (depth_ > setup_->partition.max_depth()) return false;
  pulls_per_cell_ = theory::parallel_pulls(setup_->theory, depth_, static_cast<double>(cells_));
  return pulls_per_cell_ <= rewards_.left() / cells_;
}

void ParallelPlayer::evaluate_level(Reaction& reaction) {
  reaction.observe(RoundBegan{round()});
  rewards_.prepare_level(depth_, active_);
  std::vector<double> own;
  own.reserve(active_.size());
  for (const auto index : active_)
    own.push_back(rounding_.round(rewards_.pull({depth_, index}, pulls_per_cell_, reaction) /
                                  static_cast<double>(pulls_per_cell_)));
  report_clipped(setup_->exchange.means, rounding_, reaction);
  exchange_->begin(depth_, std::move(own), reaction);
}

void ParallelPlayer::complete_level(Reaction& reaction) {
  const std::vector<double> means = exchange_->averages();

  const auto best = std::max_element(means.begin(), means.end());  // the first of equals
  best_ = {depth_, active_[static_cast<std::size_t>(best - means.begin())]};
  const double threshold = *best - theory::parallel_margin(setup_->theory, depth_);
  RoundEnded ended;
  std::vector<std::uint64_t> expanded;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const bool keep = means[i] >= threshold;
    if (keep) expanded.push_back(active_[i]);
    if (player_ == 0) ended.cells.push_back({{depth_, active_[i]}, means[i], keep});
  }
  ended.round = round();
  ended.threshold = threshold;
  ended.best = best_;
  ended.active_cells = active_.size();
  ended.pulls_per_cell = pulls_per_cell_;
  ended.kept_cells = expanded.size();
  ended.steps = rewards_.pulls();
  exchange_->close(reaction.now(), ended);
  reaction.observe(std::move(ended));
  recommend(reaction);

  // Cells at the depth limit are not expanded: `plan_level` then ends the search.
  // A level with more cells than remaining evaluations is never completed, so the list is cut.
  active_ = depth_ < setup_->partition.max_depth()
                ? children_of(setup_->partition, depth_, expanded, rewards_.left())
                : std::vector<std::uint64_t>{};
  cells_ = expanded.size() * setup_->partition.children_per_cell();
  ++depth_;
}

void ParallelPlayer::spend_leftover(Reaction& reaction) {
  const std::uint64_t left = rewards_.left();
  const bool at_limit = depth_ > setup_->partition.max_depth();
  if (left > 0 && (at_limit || setup_->leftover != Leftover::stop)) {
    if (at_limit || setup_->leftover == Leftover::exploit) {
      rewards_.pull(best_, left, reaction);
    } else {
      for (const auto index : active_) {
        if (rewards_.left() == 0) break;
        rewards_.pull({depth_, index}, std::min(pulls_per_cell_, rewards_.left()), reaction);
      }
    }
  }
  done_ = true;
  reaction.finish();
}

void ParallelPlayer::recommend(Reaction& reaction) const {
  if (player_ == 0) reaction.observe(RecommendationObserved{setup_->partition.point(best_)});
}

std::optional<Waiting> ParallelPlayer::waiting() const {
  if (done_) return std::nullopt;
  auto [type, from] = exchange_->missing();
  return Waiting{fmt::format("{} of level {}", type, depth_), type, round(), std::move(from)};
}

}  // namespace posse
