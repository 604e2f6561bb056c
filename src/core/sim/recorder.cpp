#include "core/sim/recorder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace posse {
namespace {

constexpr std::size_t kMeanCacheSize = 1 << 16;
constexpr int kCheckpointsPerDoubling = 4;

}  // namespace

Recorder::Recorder(const Problem* problem) : problem_(problem) {
  if (problem_ != nullptr) clients_.resize(problem_->clients());
}

/// 1, 2, 3, …, then four per doubling.
std::uint64_t Recorder::checkpoint(std::size_t index) {
  if (index < 8) return index + 1;
  const double exponent = 3.0 + static_cast<double>(index - 7) / kCheckpointsPerDoubling;
  return static_cast<std::uint64_t>(std::llround(std::exp2(exponent)));
}

void Recorder::take(std::vector<ObservationRecord>& observations) {
  for (const auto& record : observations) {
    if (const auto* p = std::get_if<PullsObserved>(&record.observation)) {
      pulls(record, *p);
    } else if (const auto* r = std::get_if<RecommendationObserved>(&record.observation)) {
      recommendation(record, *r);
    } else if (const auto* began = std::get_if<RoundBegan>(&record.observation)) {
      round_began(record.time, began->round);
    } else if (const auto* ended = std::get_if<RoundEnded>(&record.observation)) {
      round_ended(record, *ended);
    } else if (const auto* stale = std::get_if<StaleObserved>(&record.observation)) {
      ++rounds_[stale->round].stale;
    }
  }
  observations.clear();
}

double Recorder::mean_value(std::span<const double> point) {
  std::uint64_t hash = 0;
  for (const double x : point) hash = hash_double(hash, x);
  if (const auto it = mean_cache_.find(hash);
      it != mean_cache_.end() &&
      std::equal(point.begin(), point.end(), it->second.first.begin(), it->second.first.end()))
    return it->second.second;
  if (mean_cache_.size() >= kMeanCacheSize) mean_cache_.clear();
  const double value = problem_->mean(point);
  mean_cache_[hash] = {std::vector<double>(point.begin(), point.end()), value};
  return value;
}

void Recorder::pulls(const ObservationRecord& record, const PullsObserved& pulls) {
  if (problem_ == nullptr || pulls.count == 0) return;
  POSSE_CHECK(
      pulls.client < clients_.size(), "pulls of client {} of {}", pulls.client, clients_.size());
  Client& client = clients_[pulls.client];
  const double local_value = problem_->local(pulls.client, pulls.point);
  const double mean = problem_->homogeneous() ? local_value : mean_value(pulls.point);
  const double global_each = problem_->mean_maximum().value - mean;
  const double local_each = problem_->local_maximum(pulls.client).value - local_value;
  while (checkpoint(client.curve.size()) <= client.evaluations + pulls.count) {
    const auto part = static_cast<double>(checkpoint(client.curve.size()) - client.evaluations);
    client.curve.push_back(
        {client.global + part * global_each, client.local + part * local_each, record.time});
  }
  client.last = record.time;
  client.evaluations += pulls.count;
  client.global += static_cast<double>(pulls.count) * global_each;
  client.local += static_cast<double>(pulls.count) * local_each;
}

void Recorder::recommendation(const ObservationRecord& record,
                              const RecommendationObserved& observed) {
  Recommendation made;
  made.after = last_ended_[record.node];
  made.time = record.time;
  made.maker = record.node;
  made.point = observed.point;
  if (problem_ != nullptr) {
    made.global = problem_->mean_maximum().value - mean_value(observed.point);
    for (std::size_t m = 0; m < clients_.size(); ++m)
      made.local += problem_->local_maximum(m).value - problem_->local(m, observed.point);
    made.local /= static_cast<double>(clients_.size());
  }
  recommendations_.push_back(std::move(made));
}

void Recorder::round_began(Time time, Round round) {
  auto& row = rounds_[round];
  row.round = round;
  const auto [first, added] = began_.try_emplace(round, time);
  if (!added) first->second = std::min(first->second, time);
  row.began = first->second;
}

void Recorder::round_ended(const ObservationRecord& record, const RoundEnded& ended) {
  auto& row = rounds_[ended.round];
  row.round = ended.round;
  row.ended = std::max(row.ended, record.time);
  row.waiting += ended.waited;
  rounds_ended_ = std::max(rounds_ended_, ended.round.value);
  last_ended_[record.node] = ended.round;
  const auto [reporter, first] = reporter_.try_emplace(ended.round, record.node);
  if (!first && reporter->second < record.node) return;
  reporter->second = record.node;
  row.best = ended.best;
  row.active_cells = ended.active_cells;
  row.pulls_per_cell = ended.pulls_per_cell;
  row.kept_cells = ended.kept_cells;
  row.steps = ended.steps;
  row.arrived = ended.arrived;
  row.expected = ended.expected;
  row.late = ended.late;
}

std::uint32_t Recorder::rounds_after(std::uint64_t evaluations) const {
  std::uint32_t rounds = 0;
  for (const auto& [round, row] : rounds_)
    if (reporter_.contains(round) && row.steps <= evaluations) ++rounds;
  return rounds;
}

void Recorder::conclude(SimulationResult& result) const {
  auto& out = result.outcome;
  for (const auto& [round, row] : rounds_)
    if (reporter_.contains(round)) out.rounds.push_back(row);
  if (clients_.empty()) return;

  auto& regret = out.regret;
  const auto m = static_cast<double>(clients_.size());
  regret.min_evaluations = clients_.front().evaluations;
  std::size_t complete = clients_.front().curve.size();
  for (const auto& client : clients_) {
    regret.cumulative_global += client.global;
    regret.cumulative_local += client.local;
    regret.evaluations += client.evaluations;
    regret.min_evaluations = std::min(regret.min_evaluations, client.evaluations);
    regret.max_evaluations = std::max(regret.max_evaluations, client.evaluations);
    complete = std::min(complete, client.curve.size());
  }
  regret.cumulative_global /= m;
  regret.cumulative_local /= m;

  const auto add = [&](std::uint64_t evaluations,
                       std::uint32_t rounds,
                       Time time,
                       std::string_view metric,
                       double value) {
    RegretPoint point;
    point.evaluations = evaluations;
    point.rounds = rounds;
    point.virtual_s = time.to_seconds();
    point.metric = metric;
    point.value = value;
    result.regret_curve.push_back(point);
  };
  for (std::size_t i = 0; i < complete; ++i) {
    CurvePoint sum;
    for (const auto& client : clients_) {
      sum.global += client.curve[i].global;
      sum.local += client.curve[i].local;
      sum.time = std::max(sum.time, client.curve[i].time);
    }
    const auto evaluations = checkpoint(i);
    const auto rounds = rounds_after(evaluations);
    add(evaluations, rounds, sum.time, "cumulative_regret_global", sum.global / m);
    add(evaluations, rounds, sum.time, "cumulative_regret_local", sum.local / m);
  }
  // The curves end where the run does, unless a checkpoint fell there.
  Time last;
  for (const auto& client : clients_) last = std::max(last, client.last);
  const auto at_end = regret.max_evaluations;
  const auto rounds_at_end = static_cast<std::uint32_t>(out.rounds.size());
  if (complete == 0 || checkpoint(complete - 1) != at_end) {
    add(at_end, rounds_at_end, last, "cumulative_regret_global", regret.cumulative_global);
    add(at_end, rounds_at_end, last, "cumulative_regret_local", regret.cumulative_local);
  }

  // Several nodes may recommend, and workers hand their observations in in any order.
  auto recommendations = recommendations_;
  std::stable_sort(recommendations.begin(),
                   recommendations.end(),
                   [](const Recommendation& a, const Recommendation& b) {
                     return std::tie(a.time, a.maker) < std::tie(b.time, b.maker);
                   });
  for (const auto& made : recommendations) {
    const auto row = rounds_.find(made.after);
    const auto evaluations = row == rounds_.end() ? 0 : row->second.steps;
    add(evaluations, made.after.value, made.time, "simple_regret_global", made.global);
    add(evaluations, made.after.value, made.time, "simple_regret_local", made.local);
  }
  if (recommendations.empty()) return;
  regret.simple_global = recommendations.back().global;
  regret.simple_local = recommendations.back().local;
  regret.recommendation = recommendations.back().point;
  add(at_end, rounds_at_end, last, "simple_regret_global", *regret.simple_global);
  add(at_end, rounds_at_end, last, "simple_regret_local", *regret.simple_local);
}

}  // namespace posse
