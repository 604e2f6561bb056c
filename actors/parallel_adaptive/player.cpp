// SPDX-License-Identifier: Apache-2.0
#include "actors/parallel_adaptive/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "actors/common/mesh.hpp"
#include "actors/parallel_adaptive/messages.hpp"
#include "core/base/check.hpp"

namespace posse {

ParallelAdaptivePlayer::ParallelAdaptivePlayer(const ParallelAdaptiveSetup& setup, NodeId self)
    : setup_(&setup),
      player_(self.value),
      rewards_(*setup.problem, setup.partition, self.value),
      exploration_(theory::adaptive_exploration(setup.theory, setup.instances.size())),
      allowance_(theory::adaptive_allowance(setup.theory, setup.instances.size())),
      instances_(setup.instances.size()),
      gather_(setup.players, self.value) {}

void ParallelAdaptivePlayer::on_start(Reaction& reaction) {
  recommend(Cell{}, reaction);
  proceed(reaction);
}

void ParallelAdaptivePlayer::on_message(const Message& message, Reaction& reaction) {
  const auto* means = message.get<SharedMeans>();
  if (means == nullptr || done_) return;
  if (means->round != round_ && means->round != round_ + 1) return;  // a duplicate
  if (!gather_.take(message, means->round - round_, reaction.now())) return;
  if (!gather_.complete()) return;
  complete_round(reaction);
  proceed(reaction);
}

void ParallelAdaptivePlayer::proceed(Reaction& reaction) {
  while (!winner_) {
    if (!plan_levels() && !plan_choice()) {
      winner_ = best_in_table();
      break;
    }
    evaluate_round(reaction);
    if (!gather_.complete()) return;  // wait for the others
    complete_round(reaction);
  }
  spend_leftover(reaction);
}

std::uint64_t ParallelAdaptivePlayer::exploration_left() const {
  return exploration_ - rewards_.pulls() - planned_;
}

std::uint64_t ParallelAdaptivePlayer::pulls_of(std::size_t number) const {
  const Instance& instance = instances_[number];
  return theory::parallel_pulls(
      setup_->instances[number], instance.depth, static_cast<double>(instance.count));
}

bool ParallelAdaptivePlayer::plan_levels() {
  for (;;) {
    while (join()) {
    }
    if (!round_plan_.empty()) {
      std::sort(round_plan_.begin(), round_plan_.end(), [](const auto& a, const auto& b) {
        return a.cell < b.cell;
      });
      for (auto& evaluation : round_plan_) {
        const Entry& entry = table_.at(evaluation.cell);
        evaluation.count = entry.planned - entry.count;
      }
      return true;
    }
    if (allowance_ >= exploration_) return false;
    allowance_ = std::min(2 * allowance_, exploration_);
  }
}

bool ParallelAdaptivePlayer::join() {
  std::vector<std::pair<std::uint64_t, std::size_t>> fitting;  // account after the level, number
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    const Instance& instance = instances_[i];
    if (instance.ended || instance.joined) continue;
    const std::uint64_t pulls = pulls_of(i);
    if (pulls <= (allowance_ - instance.account) / instance.count)
      fitting.emplace_back(instance.account + pulls * instance.count, i);
  }
  std::sort(fitting.begin(), fitting.end());
  bool completed = false;
  for (const auto& [account, i] : fitting) {
    Instance& instance = instances_[i];
    const std::uint64_t pulls = pulls_of(i);
    if (complete_in_table(instance, pulls)) {
      complete_level(i);
      completed = true;
    } else if (missing_evaluations(instance, pulls) > exploration_left()) {
      instance.ended = true;
    } else {
      plan(instance, pulls);
      instance.joined = true;
    }
  }
  return completed;
}

bool ParallelAdaptivePlayer::complete_in_table(const Instance& instance,
                                               std::uint64_t pulls) const {
  return std::all_of(instance.cells.begin(), instance.cells.end(), [&](std::uint64_t index) {
    const auto it = table_.find({instance.depth, index});
    return it != table_.end() && it->second.count >= pulls;
  });
}

std::uint64_t ParallelAdaptivePlayer::missing_evaluations(const Instance& instance,
                                                          std::uint64_t pulls) const {
  std::uint64_t lacking = 0;
  for (const auto index : instance.cells) {
    const auto it = table_.find({instance.depth, index});
    const std::uint64_t there = it == table_.end() ? 0 : it->second.planned;
    lacking += pulls > there ? pulls - there : 0;
  }
  return lacking;
}

void ParallelAdaptivePlayer::plan(const Instance& instance, std::uint64_t pulls) {
  for (const auto index : instance.cells) {
    const Cell cell{instance.depth, index};
    Entry& entry = table_[cell];
    if (entry.planned >= pulls) continue;
    if (entry.planned == entry.count) round_plan_.push_back({cell, 0});
    planned_ += pulls - entry.planned;
    entry.planned = pulls;
  }
}

void ParallelAdaptivePlayer::complete_level(std::size_t number) {
  Instance& instance = instances_[number];
  instance.account += pulls_of(number) * instance.count;
  std::vector<double> means;
  means.reserve(instance.cells.size());
  for (const auto index : instance.cells) means.push_back(table_.at({instance.depth, index}).mean);
  const auto best = std::max_element(means.begin(), means.end());  // the first of equals
  instance.best =
      Cell{instance.depth, instance.cells[static_cast<std::size_t>(best - means.begin())]};
  const double threshold =
      *best - theory::parallel_margin(setup_->instances[number], instance.depth);
  std::vector<std::uint64_t> kept;
  for (std::size_t i = 0; i < means.size(); ++i)
    if (means[i] >= threshold) kept.push_back(instance.cells[i]);
  instance.kept = kept.size();
  if (instance.depth == setup_->partition.max_depth()) {
    instance.ended = true;
    return;
  }
  // A level with more cells than evaluations is never completed, so the list is cut.
  instance.cells = children_of(setup_->partition, instance.depth, kept, exploration_ + 1);
  instance.count = kept.size() * setup_->partition.children_per_cell();
  ++instance.depth;
}

bool ParallelAdaptivePlayer::plan_choice() {
  for (const auto& instance : instances_) {
    const bool known =
        !instance.best || std::any_of(round_plan_.begin(), round_plan_.end(), [&](const auto& e) {
          return e.cell == *instance.best;
        });
    if (!known) round_plan_.push_back({*instance.best, 0});
  }
  const std::uint64_t candidates = round_plan_.size();
  const std::uint64_t each = candidates < 2 ? 0 : rewards_.left() / candidates;
  for (auto& evaluation : round_plan_) evaluation.count = each;
  planned_ = each * candidates;
  choosing_ = each > 0;
  if (!choosing_) round_plan_.clear();
  return choosing_;
}

void ParallelAdaptivePlayer::evaluate_round(Reaction& reaction) {
  const Round round{round_};
  reaction.observe(RoundBegan{round});
  rewards_.prepare(round_plan_, [](const auto& evaluation) { return evaluation.cell; });
  SharedMeans own{round_, {}};
  own.means.reserve(round_plan_.size());
  for (const auto& [cell, count] : round_plan_) {
    const double sum = rewards_.pull(cell, count, reaction);
    if (choosing_) {
      own.means.push_back(sum / static_cast<double>(count));
    } else {
      Entry& entry = table_.at(cell);
      entry.own_sum += sum;
      own.means.push_back(entry.own_sum / static_cast<double>(entry.planned));
    }
  }
  send_to_others(round, Payload::make(std::move(own)), gather_, reaction);
}

void ParallelAdaptivePlayer::complete_round(Reaction& reaction) {
  std::vector<double> means(round_plan_.size(), 0.0);
  for (const auto& payload : gather_.messages()) {  // in player order: part of the contract
    const auto& theirs = payload.get<SharedMeans>()->means;
    POSSE_CHECK(theirs.size() == means.size(), "{} means of {}", theirs.size(), means.size());
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += theirs[i];
  }
  for (auto& mean : means) mean /= static_cast<double>(setup_->players);

  RoundEnded ended;
  ended.round = Round{round_};
  if (choosing_) {
    const auto best = std::max_element(means.begin(), means.end());  // the first of equals
    winner_ = round_plan_[static_cast<std::size_t>(best - means.begin())].cell;
    ended.kept_cells = 1;
  } else {
    for (std::size_t i = 0; i < means.size(); ++i) {
      Entry& entry = table_.at(round_plan_[i].cell);
      entry.mean = means[i];
      entry.count = entry.planned;
    }
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      if (!instances_[i].joined) continue;
      instances_[i].joined = false;
      complete_level(i);
      ended.kept_cells += instances_[i].kept;
    }
  }
  ended.best = winner_ ? *winner_ : best_in_table();
  ended.active_cells = round_plan_.size();
  for (const auto& evaluation : round_plan_)
    ended.pulls_per_cell = std::max(ended.pulls_per_cell, evaluation.count);
  ended.steps = rewards_.pulls();
  gather_.close(reaction.now(), ended);
  recommend(*ended.best, reaction);
  reaction.observe(std::move(ended));

  round_plan_.clear();
  planned_ = 0;
  gather_.next_round();
  ++round_;
}

Cell ParallelAdaptivePlayer::best_in_table() const {
  std::optional<Cell> best;
  double best_mean = 0;
  for (const auto& instance : instances_) {
    if (!instance.best) continue;
    const double mean = table_.at(*instance.best).mean;
    if (best && !(mean > best_mean)) continue;
    best = instance.best;
    best_mean = mean;
  }
  return best.value_or(Cell{});
}

void ParallelAdaptivePlayer::spend_leftover(Reaction& reaction) {
  if (const std::uint64_t left = rewards_.left(); left > 0) rewards_.pull(*winner_, left, reaction);
  recommend(*winner_, reaction);
  done_ = true;
  reaction.finish();
}

void ParallelAdaptivePlayer::recommend(Cell cell, Reaction& reaction) const {
  if (player_ == 0) reaction.observe(RecommendationObserved{setup_->partition.point(cell)});
}

std::optional<Waiting> ParallelAdaptivePlayer::waiting() const {
  if (done_) return std::nullopt;
  return Waiting{fmt::format("SharedMeans of round {}", round_),
                 SharedMeans::kName,
                 Round{round_},
                 gather_.missing()};
}

}  // namespace posse
