// SPDX-License-Identifier: Apache-2.0
#include "program/live/history.hpp"

#include <utility>

#include "core/base/ids.hpp"

namespace posse {

void LiveHistory::add_sample(LiveSample sample) {
  const bool replace = seen_ > 0 && (seen_ - 1) % stride_ != 0;  // the latest is not to be kept
  if (replace)
    samples_.back() = std::move(sample);
  else
    samples_.push_back(std::move(sample));
  ++seen_;
  if (samples_.size() <= kMostSamples) return;
  stride_ *= 2;
  const std::size_t last = samples_.size() - 1;
  std::size_t at = 0;
  std::erase_if(samples_, [&](const LiveSample&) {
    const std::size_t mine = at++;
    return mine % 2 == 1 && mine != last;
  });
}

void LiveHistory::add_round(const RoundRecord& row) {
  const std::uint32_t round = row.round.value;
  if (rounds_.empty()) first_round_ = round;
  const auto stays = [&](std::uint32_t r) { return (r - first_round_) % round_stride_ == 0; };
  const std::uint32_t before = rounds_.empty() ? round : rounds_.rbegin()->first;
  if (round < before && !stays(round)) return;
  if (round > before && !stays(before)) rounds_.erase(before);
  rounds_.insert_or_assign(round, row);
  while (rounds_.size() > kMostRounds) {
    round_stride_ *= 2;
    const std::uint32_t last = rounds_.rbegin()->first;
    std::erase_if(rounds_,
                  [&](const auto& each) { return each.first != last && !stays(each.first); });
  }
}

void LiveHistory::add(const RunView& run) {
  const RunOutcome& outcome = run.snapshot->outcome;
  for (const auto& row : outcome.rounds) add_round(row);
  LiveSample sample;
  sample.evaluations = outcome.regret.max_evaluations;
  sample.rounds = outcome.complete_rounds;
  sample.bytes =
      outcome.total(&TypeAccount::bytes) - outcome.total(&TypeAccount::bytes, kAcknowledgement);
  sample.virtual_s = run.snapshot->now.to_seconds();
  sample.regret = outcome.regret;
  sample.regret.recommendation.clear();
  sample.regret.local_recommendations.clear();
  sample.regret.by_client.clear();
  if (sample.evaluations == 0) return;
  if (!samples_.empty() && samples_.back().virtual_s == sample.virtual_s &&
      samples_.back().evaluations == sample.evaluations)
    return;
  add_sample(std::move(sample));
}

std::vector<RegretPoint> LiveHistory::regret() const {
  std::vector<RegretPoint> points;
  for (const auto& s : samples_) {
    const auto add = [&](std::string_view metric, std::optional<double> value) {
      if (value)
        points.push_back({s.evaluations,
                          static_cast<std::uint32_t>(s.rounds),
                          s.bytes,
                          s.virtual_s,
                          metric,
                          *value});
    };
    add("cumulative_regret", s.regret.cumulative);
    add("local_cumulative_regret", s.regret.local_cumulative);
    add("simple_regret", s.regret.simple);
    add("local_simple_regret", s.regret.local_simple);
  }
  return points;
}

std::vector<RoundRecord> LiveHistory::rounds() const {
  std::vector<RoundRecord> rows;
  for (const auto& [round, row] : rounds_) rows.push_back(row);
  return rows;
}

}  // namespace posse
