// SPDX-License-Identifier: Apache-2.0
#include "core/sim/round_table.hpp"

#include <algorithm>
#include <utility>

#include "core/base/check.hpp"

namespace posse {
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
  POSSE_CHECK(round.value - rows_.first() < kMostRows,
              "round {} is more than {} rounds after round {}, {}",
              round.value,
              kMostRows,
              rows_.first(),
              one_decides_ ? "which has not ended" : "the first");
}

RoundTable::Row& RoundTable::other_row(Round round) {
  if (round.value < rows_.first()) {
    if (Kept* kept = find_kept(round); kept != nullptr && kept->round == round) return kept->row;
    unread_ = {};
    unread_.reporter = NodeId{0};  // complete
    return unread_;
  }
  check_number(round);
  return rows_.reach(round.value);
}

void RoundTable::book(Round round, const RoundCount& cost) {
  const Sums sums{cost.bytes, cost.values};
  if (round.value > 0) all_.add(sums);
  if (round.value < rows_.first()) {
    Kept* kept = find_kept(round);
    if (kept != nullptr && kept->round == round)
      kept->cost.add(cost);
    else
      (kept != nullptr ? kept->before : after_kept_).add(sums);
    return;
  }
  check_number(round);
  if (costs_.has(round.value))
    costs_[round.value].add(cost);
  else
    costs_.reach(round.value) = cost;
}

void RoundTable::sum_up(const Row& row) {
  const RoundRecord& record = row.record;
  steps_.add(record.steps);
  active_cells_ += record.active_cells;
  overlap_ = overlap_ || (ended_ && record.began < *ended_);
  ended_ = record.ended;
}

void RoundTable::forget(std::uint32_t latest) {
  const std::uint32_t first = rows_.first();
  if (!one_decides_ || latest - first < 2 * kMayChange) return;
  std::uint32_t end = first == 0 ? 1 : first;
  while (end < latest - kMayChange && is_over(rows_[end])) ++end;
  // The next row tells whether the last one will be read.
  if (end - first > kMayChange / 2) retire(end - 1);
}

void RoundTable::retire(std::uint32_t end) {
  std::size_t interval = steps_.interval(rows_[rows_.first()].record.steps);
  for (std::uint32_t number = rows_.first(); number < end; ++number) {
    Row& row = rows_[number];
    const RoundRecord& next = rows_[number + 1].record;
    const bool checkpoint_of_rounds = round_checkpoints_.reached(number);
    const std::size_t next_interval = steps_.interval(next.steps);
    const bool checkpoint_of_steps = std::exchange(interval, next_interval) != next_interval;
    const std::uint32_t next_depth = next.best.value_or(Cell{}).depth;
    const bool last_of_depth = deepest_ < next_depth;
    deepest_ = std::max(deepest_, next_depth);
    if (is_over(row)) sum_up(row);
    if (number <= kRoundsInFull || checkpoint_of_rounds || checkpoint_of_steps || last_of_depth ||
        row.read)
      kept_.push_back(
          {Round{number}, std::move(row), cost(number), std::exchange(after_kept_, {})});
    else
      after_kept_.add({cost(number).bytes, cost(number).values});
  }
  rows_.drop_before(end);
  costs_.drop_before(end);
}

std::vector<RoundRecord> RoundTable::latest(std::size_t most) const {
  std::vector<RoundRecord> rounds;
  Sums so_far = all_;
  for (std::uint32_t number = std::max(rows_.end(), costs_.end());
       number-- > rows_.first() && rounds.size() < most;) {
    const RoundCount cost = this->cost(number);
    if (rows_.has(number) && rows_[number].reporter) {
      rounds.push_back(rows_[number].record);
      rounds.back().add(cost);
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
    record.add(cost);
    record.bytes_so_far = so_far.bytes;
    record.values_so_far = so_far.values;
  };
  out.rounds.reserve(kept_.size() + (rows_.end() - rows_.first()));
  for (Kept& kept : kept_) add(kept.round, kept.row, kept.cost, kept.before);
  for (std::uint32_t number = rows_.first(); number < rows_.end(); ++number) {
    if (rows_[number].reporter) sum_up(rows_[number]);
    add(Round{number}, rows_[number], cost(number), std::exchange(after_kept_, {}));
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
