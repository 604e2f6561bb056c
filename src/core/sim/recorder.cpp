// SPDX-License-Identifier: Apache-2.0
#include "core/sim/recorder.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "core/base/median.hpp"
#include "core/base/overload.hpp"
#include "core/sim/critical_path.hpp"

namespace posse {
namespace {

constexpr std::size_t kMeanCacheSize = 1 << 16;
constexpr std::size_t kManyPostponed = 1 << 16;

/// When `made` of the evaluations are done, as if all took equally long.
Time time_of(std::uint64_t made, const Pulls& pulls) {
  if (made == pulls.count) return pulls.time;
  const auto part = static_cast<double>(made) / static_cast<double>(pulls.count);
  return pulls.time - pulls.took + Duration::seconds(pulls.took.to_seconds() * part);
}

}  // namespace

Recorder::Recorder(const Problem* problem,
                   bool several_evaluators,
                   bool one_decides,
                   const ArmSet* arms,
                   const Partition* partition)
    : problem_(problem),
      several_evaluators_(several_evaluators),
      rounds_(one_decides),
      partition_(partition) {
  if (arms != nullptr) arm_book_.emplace(*arms);
  if (problem_ != nullptr) clients_.resize(problem_->clients());
}

void Recorder::take(std::vector<ObservationRecord>& observations) {
  for (auto& record : observations) {
    std::visit(Overload{[&](const PullsObserved& observed) { pulls(record, observed); },
                        [&](const RecommendationObserved& observed) {
                          if (observed.client)
                            local_recommendation(observed);
                          else
                            recommendation(record, observed);
                        },
                        [&](const RoundBegan& began) { round_began(record.time, began.round); },
                        [&](RoundEnded& ended) { round_ended(record, ended); },
                        [&](const StaleObserved& stale) {
                          RoundRecord& row = rounds_.row(stale.round).record;
                          ++row.stale;
                          ++stale_;
                          if (stale.tied) tied_rounds_ += !std::exchange(row.tied, true);
                        },
                        [&](const CountObserved& count) {
                          auto& largest = counts_[std::string(count.name)];
                          largest = std::max(largest, count.value);
                        },
                        [&](const EstimateObserved& estimate) {
                          estimates_[std::string(estimate.name)] = estimate.value;
                        },
                        [&](OwnSearchObserved& own) {
                          own_searches_.resize(std::max<std::size_t>(own_searches_.size(),
                                                                     own.client + std::size_t{1}));
                          own_searches_[own.client] = std::move(own.search);
                        },
                        [&](const ArmPulled& pulled) {
                          if (arm_book_) arm_book_->pulled(record.time, pulled);
                        },
                        [&](const ArmAnswered& answered) {
                          if (arm_book_) arm_book_->answered(answered);
                        }},
               record.observation);
  }
  observations.clear();
}

void Recorder::take(RoundCounts& counts) {
  counts.visit([this](Round round, const RoundCount& cost) { rounds_.book(round, cost); });
  counts.clear();
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

void Recorder::pulls(const ObservationRecord& record, const PullsObserved& observed) {
  if (problem_ == nullptr || observed.count == 0) return;
  POSSE_CHECK(observed.client < clients_.size(),
              "pulls of client {} of {}",
              observed.client,
              clients_.size());
  const double local_value =
      observed.value ? *observed.value : problem_->local(observed.client, observed.point);
  const double mean = problem_->homogeneous() ? local_value : mean_value(observed.point);
  const Pulls pulls{record.time,
                    record.time - record.began,
                    {gap(mean, problem_->mean_maximum()),
                     gap(local_value, problem_->local_maximum(observed.client))},
                    observed.count,
                    observed.client};
  largest_regret_ = std::max({largest_regret_, pulls.each.global, pulls.each.local});
  if (several_evaluators_)
    postpone(record.node, pulls);
  else
    book(record.node, pulls);
}

void Recorder::postpone(NodeId node, const Pulls& pulls) {
  postponed_[node].push_back(pulls);
  ++number_postponed_;
}

void Recorder::book(NodeId node, const Pulls& pulls) {
  Client& client = clients_[pulls.client];
  while (client.next_checkpoint <= client.evaluations + pulls.count) {
    const std::uint64_t made = client.next_checkpoint - client.evaluations;
    const auto part = static_cast<double>(made);
    if (client.passed == curve_.size()) curve_.emplace_back().points.resize(clients_.size());
    AtCheckpoint& at = curve_[client.passed];
    at.points[pulls.client] = {{client.cumulative.global + part * pulls.each.global,
                                client.cumulative.local + part * pulls.each.local},
                               time_of(made, pulls)};
    if (client.simple) recommended_at(client.passed, pulls.client);
    ++at.passed;
    client.next_checkpoint = checkpoint(++client.passed);
  }
  client.last = pulls.time;
  client.evaluations += pulls.count;
  const auto add_to = [&](Regrets& sum) {
    sum.global += static_cast<double>(pulls.count) * pulls.each.global;
    sum.local += static_cast<double>(pulls.count) * pulls.each.local;
  };
  add_to(client.cumulative);
  if (several_evaluators_) add_to(client.by_node[node]);
}

Regrets Recorder::total(const Client& client) const {
  if (!several_evaluators_) return client.cumulative;
  Regrets sum;
  for (const auto& [node, regrets] : client.by_node) {
    sum.global += regrets.global;
    sum.local += regrets.local;
  }
  return sum;
}

void Recorder::recommendation(const ObservationRecord& record,
                              const RecommendationObserved& observed) {
  Recommendation made;
  made.after = last_ended(record.node);
  if (made.after.value > 0) rounds_.row(made.after).read = true;
  made.time = record.time;
  made.maker = record.node;
  made.point = observed.point;
  if (problem_ != nullptr) {
    made.simple.global = gap(mean_value(observed.point), problem_->mean_maximum());
    if (problem_->homogeneous()) {
      made.simple.local = made.simple.global;
    } else {
      for (std::size_t m = 0; m < clients_.size(); ++m)
        made.simple.local += gap(problem_->local(m, observed.point), problem_->local_maximum(m));
      made.simple.local /= static_cast<double>(clients_.size());
    }
  }
  recommendations_.push_back(std::move(made));
  const auto& latest = recommendations_[latest_recommendation_];
  const auto& last = recommendations_.back();
  if (std::tie(last.time, last.maker) >= std::tie(latest.time, latest.maker))
    latest_recommendation_ = recommendations_.size() - 1;
}

void Recorder::local_recommendation(const RecommendationObserved& observed) {
  if (problem_ == nullptr) return;
  POSSE_CHECK(*observed.client < clients_.size(),
              "recommendation of client {} of {}",
              *observed.client,
              clients_.size());
  Client& client = clients_[*observed.client];
  client.simple = Regrets{gap(mean_value(observed.point), problem_->mean_maximum()),
                          gap(problem_->local(*observed.client, observed.point),
                              problem_->local_maximum(*observed.client))};
  client.recommendation = observed.point;
  own_recommendations_ = true;
  // A recommendation right after a checkpoint's evaluation belongs to the checkpoint.
  if (client.passed > 0 && checkpoint(client.passed - 1) == client.evaluations)
    recommended_at(client.passed - 1, *observed.client);
}

void Recorder::recommended_at(std::size_t passed, std::uint32_t client) {
  auto& simple = curve_[passed].simple;
  simple.resize(clients_.size());
  simple[client] = clients_[client].simple;
}

void Recorder::round_began(Time time, Round round) {
  auto& began = rounds_.row(round);
  began.record.began = began.began ? std::min(began.record.began, time) : time;
  began.began = true;
}

void Recorder::round_ended(ObservationRecord& record, RoundEnded& ended) {
  RoundTable::Row& whole = rounds_.row(ended.round);
  auto& row = whole.record;
  auto& reporter = whole.reporter;
  row.round = ended.round;
  follow_path(whole, record, ended);
  row.ended = std::max(row.ended, record.time);
  row.waiting += ended.waited;
  waiting_ += ended.waited;
  if (ended.round.value > rounds_ended_) count_durations(ended.round.value);
  rounds_ended_ = std::max(rounds_ended_, ended.round.value);
  if (!ended.cells.empty()) judge(ended.round, ended.cells);
  if (!reporter) {
    ++complete_rounds_;
    // Rounds may end in another order than they began; this one was skipped before.
    if (ended.round.value < durations_counted_) round_durations_.add(row.ended - row.began);
  }
  last_ended(record.node) = ended.round;
  if (reporter && *reporter < record.node) return;
  if (reporter) incomplete_answers_ -= row.arrived != row.expected;
  incomplete_answers_ += ended.arrived != ended.expected;
  reporter = record.node;
  row.best = ended.best;
  row.active_cells = ended.active_cells;
  row.pulls_per_cell = ended.pulls_per_cell;
  row.kept_cells = ended.kept_cells;
  row.steps = ended.steps;
  row.arrived = ended.arrived;
  row.expected = ended.expected;
  row.late = std::move(ended.late);
}

Round& Recorder::last_ended(NodeId node) {
  if (node.value >= last_ended_.size()) last_ended_.resize(node.value + std::size_t{1});
  return last_ended_[node.value];
}

void Recorder::follow_path(RoundTable::Row& row, ObservationRecord& record, RoundEnded& ended) {
  const bool later = !row.reporter || std::tie(row.record.ended, record.node) <
                                          std::tie(record.time, row.last_ended);
  if (!later || !record.path) return;
  row.last_ended = record.node;
  if (!row.path) unsettled_.push_back(row.record.round.value);
  row.path = std::move(record.path);
  row.came_last = std::move(ended.came_last);
  row.path.extend(PathPart::stopped, record.node, record.time);
}

void Recorder::settle(Time now) {
  std::erase_if(unsettled_, [&](std::uint32_t round) {
    RoundTable::Row& row = rounds_.row(Round{round});
    RoundRecord& record = row.record;
    if (record.ended > now) return false;
    if (record.path) remove(*record.path, paths_);
    const Path path = std::move(row.path);
    follow(path, record.began, record.ended, record.path.emplace());
    share(row.came_last, *record.path);
    add(*record.path, paths_);
    return true;
  });
  rounds_.forget(rounds_ended_);
  if (number_postponed_ > kManyPostponed && !own_recommendations_) book_postponed(now);
}

void Recorder::judge(Round round, const std::vector<JudgedCell>& cells) {
  if (partition_ == nullptr) return;
  std::optional<Cell> optimum;
  if (problem_ != nullptr && !problem_->mean_maximum().conventional)
    optimum = partition_->locate(cells.front().cell.depth, problem_->mean_maximum().point);
  for (const auto& judged : cells) {
    if (judged.cell == optimum && !judged.kept) ++optimum_eliminated_;
    const auto [at, added] = cell_at_.try_emplace(judged.cell, cells_.size());
    if (!added) {
      cells_[at->second] = {judged.cell, round, judged.mean, judged.kept};
    } else if (cells_.size() < kCellsRecorded) {
      cells_.push_back({judged.cell, round, judged.mean, judged.kept});
    } else {
      cell_at_.erase(at);
    }
  }
}

void Recorder::count_durations(std::uint32_t end) {
  for (; durations_counted_ < end && durations_counted_ < rounds_.end(); ++durations_counted_) {
    const RoundTable::Row& row = rounds_.row(Round{durations_counted_});
    if (row.reporter) round_durations_.add(row.record.ended - row.record.began);
  }
}

void Recorder::book_postponed(std::optional<Time> end) {
  const auto made = [&](const PullQueue& queue) {
    return !queue.empty() && (!end || queue.front().time < *end);
  };
  std::vector<std::pair<Time, NodeId>> heads;  // a heap, the earliest first
  const auto push = [&](Time time, NodeId node) {
    heads.emplace_back(time, node);
    std::push_heap(heads.begin(), heads.end(), std::greater<>{});
  };
  for (const auto& [node, queue] : postponed_)
    if (made(queue)) push(queue.front().time, node);
  while (!heads.empty()) {
    std::pop_heap(heads.begin(), heads.end(), std::greater<>{});
    const NodeId node = heads.back().second;
    heads.pop_back();
    auto& queue = postponed_[node];
    const auto is_next = [&] {
      return heads.empty() || std::pair(queue.front().time, node) < heads.front();
    };
    do {
      book(node, queue.front());
      queue.pop_front();
      --number_postponed_;
    } while (made(queue) && is_next());
    if (made(queue)) push(queue.front().time, node);
  }
}

void Recorder::sum_regret(RunOutcome& out) const {
  if (clients_.empty()) return;
  auto& regret = out.regret;
  const auto m = static_cast<double>(clients_.size());
  regret.clients = static_cast<std::uint32_t>(clients_.size());
  regret.min_evaluations = clients_.front().evaluations;
  for (const auto& client : clients_) {
    const Regrets cumulative = total(client);
    regret.cumulative += cumulative.global;
    regret.local_cumulative += cumulative.local;
    regret.evaluations += client.evaluations;
    regret.min_evaluations = std::min(regret.min_evaluations, client.evaluations);
    regret.max_evaluations = std::max(regret.max_evaluations, client.evaluations);
    regret.by_client.push_back(cumulative.local);
  }
  regret.cumulative /= m;
  regret.local_cumulative /= m;
  regret.largest_value = largest_value_;
  regret.above_maximum = above_maximum_;
  regret.largest = largest_regret_;
  auto& each = regret.by_client;
  if (each.size() <= kMostClientsListed) return;
  const auto [least, largest] = std::minmax_element(each.begin(), each.end());
  const double low = *least, high = *largest;
  each = {low, median(each), high};
}

const Recorder::Recommendation* Recorder::latest_recommendation() const {
  return recommendations_.empty() ? nullptr : &recommendations_[latest_recommendation_];
}

std::optional<Regrets> Recorder::own_simple_regret() const {
  Regrets sum;
  for (const auto& client : clients_) {
    if (!client.simple) return std::nullopt;
    sum.global += client.simple->global;
    sum.local += client.simple->local;
  }
  const auto m = static_cast<double>(clients_.size());
  return Regrets{sum.global / m, sum.local / m};
}

void Recorder::fill(Time now, RunOutcome& out) {
  // With recommendations per client, pulls must stay in order with them.
  if (!own_recommendations_) book_postponed(now);
  out.counts = counts_;
  out.estimates = estimates_;
  out.complete_rounds = complete_rounds_;
  out.lossless = incomplete_answers_ == 0;
  out.rounds = rounds_.latest(kRecentRounds);
  out.round_durations = round_durations_;
  out.paths = paths_;
  out.stale = stale_;
  out.tied_rounds = tied_rounds_;
  out.phases.waiting = waiting_;
  out.cells = cells_;
  out.children_per_cell = cells_.empty() ? 0 : partition_->children_per_cell();
  out.optimum_eliminated = optimum_eliminated_;
  sum_regret(out);
  if (arm_book_) arm_book_->fill(out);
  if (const auto* latest = latest_recommendation()) {
    out.regret.simple = latest->simple.global;
    out.regret.local_simple = latest->simple.local;
    out.regret.recommendation = latest->point;
  } else if (const auto own = own_recommendations_ ? own_simple_regret() : std::nullopt) {
    out.regret.simple = own->global;
    out.regret.local_simple = own->local;
  }
}

void Recorder::conclude(SimulationResult& result) {
  book_postponed(std::nullopt);
  settle(Time::max());
  auto& out = result.outcome;
  count_durations(rounds_.end());
  out.round_durations = round_durations_;
  out.paths = std::move(paths_);
  out.stale = stale_;
  out.tied_rounds = tied_rounds_;
  out.phases.waiting = waiting_;
  out.children_per_cell = cells_.empty() ? 0 : partition_->children_per_cell();
  out.cells = std::move(cells_);
  out.optimum_eliminated = optimum_eliminated_;
  out.counts = std::move(counts_);
  out.lossless = incomplete_answers_ == 0;
  rounds_.conclude(out);
  out.estimates = std::move(estimates_);
  out.own_searches = std::move(own_searches_);
  if (arm_book_) arm_book_->conclude(rounds_, result);
  if (!clients_.empty()) add_regret_curve(result);
  // A point's bytes are those of the rounds before it, so that they do not depend on how far other
  // nodes have run ahead.
  for (auto& point : result.regret_curve) point.bytes = rounds_.after_complete(point.rounds).bytes;
}

void Recorder::add_regret_curve(SimulationResult& result) const {
  auto& out = result.outcome;
  auto& regret = out.regret;
  const auto m = static_cast<double>(clients_.size());
  sum_regret(out);
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
  std::size_t complete = 0;  // checkpoints that all clients have passed
  for (; complete < curve_.size() && curve_[complete].passed == clients_.size(); ++complete) {
    const AtCheckpoint& at = curve_[complete];
    Regrets sum, simple;
    Time time;
    for (const auto& point : at.points) {
      sum.global += point.cumulative.global;
      sum.local += point.cumulative.local;
      time = std::max(time, point.time);
    }
    bool all_recommend = !at.simple.empty();
    for (const auto& own : at.simple) {
      all_recommend = all_recommend && own.has_value();
      simple.global += own.value_or(Regrets{}).global;
      simple.local += own.value_or(Regrets{}).local;
    }
    const auto evaluations = checkpoint(complete);
    const auto rounds = rounds_.complete_with(evaluations);
    add(evaluations, rounds, time, "cumulative_regret", sum.global / m);
    add(evaluations, rounds, time, "local_cumulative_regret", sum.local / m);
    if (!all_recommend) continue;
    add(evaluations, rounds, time, "simple_regret", simple.global / m);
    add(evaluations, rounds, time, "local_simple_regret", simple.local / m);
  }
  // The curves end where the run ends, unless that is a checkpoint.
  Time last;
  for (const auto& client : clients_) last = std::max(last, client.last);
  const auto at_end = regret.max_evaluations;
  const auto rounds_at_end = static_cast<std::uint32_t>(out.complete_rounds);
  if (complete == 0 || checkpoint(complete - 1) != at_end) {
    add(at_end, rounds_at_end, last, "cumulative_regret", regret.cumulative);
    add(at_end, rounds_at_end, last, "local_cumulative_regret", regret.local_cumulative);
  }

  // Several nodes may recommend, and their observations come in any order.
  auto recommendations = recommendations_;
  std::stable_sort(recommendations.begin(),
                   recommendations.end(),
                   [](const Recommendation& a, const Recommendation& b) {
                     return std::tie(a.time, a.maker) < std::tie(b.time, b.maker);
                   });
  for (const auto& made : recommendations) {
    const auto after = rounds_.after(made.after);
    add(after.steps, after.complete, made.time, "simple_regret", made.simple.global);
    add(after.steps, after.complete, made.time, "local_simple_regret", made.simple.local);
  }
  if (!recommendations.empty()) {
    regret.simple = recommendations.back().simple.global;
    regret.local_simple = recommendations.back().simple.local;
    regret.recommendation = recommendations.back().point;
  } else if (const auto own = own_simple_regret()) {
    for (const auto& client : clients_)
      regret.local_recommendations.push_back(client.recommendation);
    regret.simple = own->global;
    regret.local_simple = own->local;
  } else {
    return;
  }
  // The last recommendation may come after the last evaluation; a curve's times never decrease.
  std::uint64_t evaluations = at_end;
  for (const auto& point : result.regret_curve)
    if (point.metric.starts_with("simple")) evaluations = std::max(evaluations, point.evaluations);
  if (!recommendations.empty()) last = std::max(last, recommendations.back().time);
  add(evaluations, rounds_at_end, last, "simple_regret", *regret.simple);
  add(evaluations, rounds_at_end, last, "local_simple_regret", *regret.local_simple);
}

}  // namespace posse
