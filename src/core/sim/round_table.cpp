// SPDX-License-Identifier: Apache-2.0
#include "core/sim/round_table.hpp"

#include <algorithm>
#include <utility>

#include "core/base/check.hpp"

namespace posse {
namespace {

void set_cost(const RoundCount& cost, RoundRecord& row) {
  row.messages = cost.messages;
  row.bytes = cost.bytes;
  row.values = cost.values;
  row.compute = cost.compute;
  row.queueing = cost.queueing;
  row.transfer = cost.transfer;
  row.propagation = cost.propagation;
}

}  // namespace

void CheckpointCounts::add(std::uint64_t evaluations) {
  const std::size_t at = interval(evaluations);
  if (at >= counts_.size()) counts_.resize(at + 1);
  ++counts_[at];
  most_ = std::max(most_, evaluations);
}

std::uint64_t CheckpointCounts::until(std::uint64_t evaluations) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (evaluations >= most_ || checkpoints_[i] <= evaluations) sum += counts_[i];
  return sum;
}

std::size_t CheckpointCounts::other_interval(std::uint64_t evaluations) {
  while (checkpoints_[latest_] < evaluations)
    if (++latest_ == checkpoints_.size()) checkpoints_.push_back(checkpoint(latest_));
  while (latest_ > 0 && checkpoints_[latest_ - 1] >= evaluations) --latest_;
  return latest_;
}

RoundTable::Kept* RoundTable::find_kept(Round round) {
  const auto it = std::lower_bound(
      kept_.begin(), kept_.end(), round, [](const Kept& a, Round b) { return a.round < b; });
  return it == kept_.end() ? nullptr : &*it;
}

void RoundTable::check_number(Round round) const {
  POSSE_CHECK(round.value - first_ < kMostRows,
              "round {} is more than {} rounds after round {}, {}",
              round.value,
              kMostRows,
              first_,
              one_decides_ ? "which has not ended" : "the first");
}

RoundTable::Row& RoundTable::other_row(Round round) {
  if (round.value < first_) {
    if (Kept* kept = find_kept(round); kept != nullptr && kept->round == round) return kept->row;
    unread_ = {};
    unread_.reporter = NodeId{0};  // complete
    return unread_;
  }
  check_number(round);
  if (round.value > end()) rows_.resize(round.value - first_);
  return rows_.emplace_back();
}

void RoundTable::book(Round round, const RoundCount& cost) {
  const Sums sums{cost.bytes, cost.values};
  if (round.value > 0) all_.add(sums);
  if (round.value < first_) {
    Kept* kept = find_kept(round);
    if (kept != nullptr && kept->round == round)
      kept->cost.add(cost);
    else
      (kept != nullptr ? kept->before : after_kept_).add(sums);
    return;
  }
  check_number(round);
  const std::size_t index = round.value - first_;
  if (index > costs_.size()) costs_.resize(index);
  if (index == costs_.size())
    costs_.push_back(cost);
  else
    costs_[index].add(cost);
}

void RoundTable::sum_up(const Row& row) {
  const RoundRecord& record = row.record;
  steps_.add(record.steps);
  active_cells_ += record.active_cells;
  overlap_ = overlap_ || (ended_ && record.began < *ended_);
  ended_ = record.ended;
}

void RoundTable::forget(std::uint32_t latest) {
  if (!one_decides_ || latest - first_ < 2 * kMayChange) return;
  std::size_t count = first_ == 0 ? 1 : 0;
  while (count < latest - first_ - kMayChange && is_over(rows_[count])) ++count;
  // The next row tells whether the last one will be read.
  if (count > kMayChange / 2) retire(count - 1);
}

void RoundTable::retire(std::size_t count) {
  std::size_t interval = steps_.interval(rows_.front().record.steps);
  for (std::size_t i = 0; i < count; ++i) {
    Row& row = rows_[i];
    const Round round{first_ + static_cast<std::uint32_t>(i)};
    const bool checkpoint_of_rounds = round_checkpoints_.reached(round.value);
    const std::size_t next_interval = steps_.interval(rows_[i + 1].record.steps);
    const bool checkpoint_of_steps = std::exchange(interval, next_interval) != next_interval;
    const std::uint32_t next_depth = rows_[i + 1].record.best.value_or(Cell{}).depth;
    const bool last_of_depth = deepest_ < next_depth;
    deepest_ = std::max(deepest_, next_depth);
    if (is_over(row)) sum_up(row);
    if (round.value <= kRoundsInFull || checkpoint_of_rounds || checkpoint_of_steps ||
        last_of_depth || row.read)
      kept_.push_back({round, std::move(row), cost(i), std::exchange(after_kept_, {})});
    else
      after_kept_.add({cost(i).bytes, cost(i).values});
  }
  rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(count));
  const std::size_t costs = std::min(count, costs_.size());
  costs_.erase(costs_.begin(), costs_.begin() + static_cast<std::ptrdiff_t>(costs));
  first_ += static_cast<std::uint32_t>(count);
}

std::vector<RoundRecord> RoundTable::latest(std::size_t most) const {
  std::vector<RoundRecord> rounds;
  Sums so_far = all_;
  for (std::size_t i = std::max(rows_.size(), costs_.size()); i-- > 0 && rounds.size() < most;) {
    const RoundCount cost = this->cost(i);
    if (i < rows_.size() && rows_[i].reporter) {
      rounds.push_back(rows_[i].record);
      set_cost(cost, rounds.back());
      rounds.back().bytes_so_far = so_far.bytes;
      rounds.back().values_so_far = so_far.values;
    }
    so_far.bytes -= cost.bytes;
    so_far.values -= cost.values;
  }
  std::reverse(rounds.begin(), rounds.end());
  return rounds;
}

void RoundTable::conclude(RunOutcome& out) {
  Sums so_far;
  std::uint32_t next = 0, complete = 0;
  const auto add = [&](Round round, Row& row, const RoundCount& cost, const Sums& before) {
    so_far.add(before);
    if (round.value > 0) so_far.add({cost.bytes, cost.values});
    complete += round.value - next;  // those that were not kept
    next = round.value + 1;
    complete += row.reporter.has_value();
    standings_.push_back({round, row.record.steps, complete, so_far.bytes});
    if (!row.reporter) return;
    RoundRecord& record = out.rounds.emplace_back(std::move(row.record));
    set_cost(cost, record);
    record.bytes_so_far = so_far.bytes;
    record.values_so_far = so_far.values;
  };
  out.rounds.reserve(kept_.size() + rows_.size());
  for (Kept& kept : kept_) add(kept.round, kept.row, kept.cost, kept.before);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].reporter) sum_up(rows_[i]);
    add(Round{first_ + static_cast<std::uint32_t>(i)},
        rows_[i],
        cost(i),
        std::exchange(after_kept_, {}));
  }
  kept_.clear();
  rows_.clear();
  out.complete_rounds = complete;
  out.active_cells = active_cells_;
  out.rounds_overlap = overlap_;
}

RoundTable::Standing RoundTable::after(Round round) const {
  const auto it =
      std::upper_bound(standings_.begin(), standings_.end(), round, [](Round a, const Standing& b) {
        return a < b.round;
      });
  const bool known = it != standings_.begin() && round <= standings_.back().round;
  return known ? *(it - 1) : Standing{};
}

RoundTable::Standing RoundTable::after_complete(std::uint32_t complete) const {
  const auto it = std::lower_bound(
      standings_.begin(), standings_.end(), complete, [](const Standing& a, std::uint32_t b) {
        return a.complete < b;
      });
  return complete == 0 || it == standings_.end() ? Standing{} : *it;
}

}  // namespace posse
