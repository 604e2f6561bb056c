#include "program/live/history.hpp"

#include "core/base/ids.hpp"

namespace posse {
namespace {

/// Every second one, but the last.
template <class Container>
void thin(Container& items) {
  bool keep = true;
  auto last = items.end();
  --last;
  for (auto it = items.begin(); it != last;) {
    it = keep ? std::next(it) : items.erase(it);
    keep = !keep;
  }
}

}  // namespace

void LiveHistory::add(const RunView& run) {
  const RunOutcome& outcome = run.snapshot->so_far;
  for (const auto& row : outcome.rounds) rounds_.insert_or_assign(row.round.value, row);
  if (rounds_.size() > kMostRounds) thin(rounds_);
  LiveSample sample;
  sample.evaluations = outcome.regret.max_evaluations;
  sample.rounds = outcome.complete_rounds;
  sample.bytes = outcome.total(&TypeAccount::bytes) - outcome.total(&TypeAccount::bytes, "Ack");
  sample.virtual_s = run.snapshot->now.to_seconds();
  sample.regret = outcome.regret;
  sample.regret.recommendation.clear();
  sample.regret.local_recommendations.clear();
  sample.regret.by_client.clear();
  if (sample.evaluations == 0) return;
  if (!samples_.empty() && samples_.back().virtual_s == sample.virtual_s &&
      samples_.back().evaluations == sample.evaluations)
    return;
  samples_.push_back(std::move(sample));
  if (samples_.size() > kMostSamples) thin(samples_);
}

std::vector<RoundRecord> LiveHistory::rounds() const {
  std::vector<RoundRecord> rows;
  for (const auto& [round, row] : rounds_) rows.push_back(row);
  return rows;
}

}  // namespace posse
