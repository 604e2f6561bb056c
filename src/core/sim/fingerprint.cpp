// SPDX-License-Identifier: Apache-2.0
#include "core/sim/fingerprint.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/hash.hpp"
#include "core/sim/simulation.hpp"

namespace posse {
namespace {

/// A running hash.
class Hash {
 public:
  Hash& add(std::uint64_t x) {
    value_ = hash_combine(value_, x);
    return *this;
  }
  Hash& add(double x) {
    value_ = hash_double(value_, x);
    return *this;
  }
  Hash& add(Time x) { return add(static_cast<std::uint64_t>(x.ns)); }
  Hash& add(Duration x) { return add(static_cast<std::uint64_t>(x.ns)); }
  Hash& add(std::string_view name) { return add(hash_name(name)); }
  Hash& add(const std::vector<double>& numbers) {
    add(std::uint64_t{numbers.size()});
    for (const double x : numbers) add(x);
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace

std::uint64_t Fingerprint::combined() const {
  return Hash().add(deliveries).add(accounts).add(numbers).value();
}

std::uint64_t hash_of_accounts(const RunOutcome& outcome) {
  using Counts = std::pair<std::string_view, std::uint64_t TypeAccount::*>;
  constexpr Counts kCounts[] = {{"sent", &TypeAccount::sent},
                                {"repeated", &TypeAccount::repeated},
                                {"duplicated", &TypeAccount::duplicated},
                                {"delivered", &TypeAccount::delivered},
                                {"discarded", &TypeAccount::discarded},
                                {"dropped by loss", &TypeAccount::dropped_loss},
                                {"dropped by queue", &TypeAccount::dropped_queue},
                                {"dropped by partition", &TypeAccount::dropped_partition},
                                {"dropped by crash", &TypeAccount::dropped_crash},
                                {"in flight", &TypeAccount::in_flight},
                                {"values", &TypeAccount::values},
                                {"bytes", &TypeAccount::bytes},
                                {"wire bytes", &TypeAccount::wire_bytes},
                                {"after finish", &TypeAccount::after_finish}};
  std::vector<const TypeAccount*> accounts;
  for (const auto& account : outcome.accounts) accounts.push_back(&account);
  std::sort(accounts.begin(), accounts.end(), [](const TypeAccount* a, const TypeAccount* b) {
    return std::pair(std::string_view(a->type), to_string(a->direction)) <
           std::pair(std::string_view(b->type), to_string(b->direction));
  });
  Hash hash;
  for (const auto* account : accounts) {
    hash.add(std::string_view(account->type)).add(to_string(account->direction));
    for (const auto& [name, count] : kCounts)
      if (account->*count != 0) hash.add(name).add(account->*count);
  }
  return hash.value();
}

std::uint64_t hash_of_numbers(const RunOutcome& outcome) {
  const auto& regret = outcome.regret;
  Hash hash;
  hash.add(to_string(outcome.status)).add(outcome.finished_at).add(outcome.complete_rounds);
  hash.add(regret.evaluations).add(regret.cumulative).add(regret.local_cumulative);
  hash.add(regret.recommendation);
  for (const auto& point : regret.local_recommendations) hash.add(point);
  for (const auto& arm : outcome.arms.arms)
    hash.add(std::string_view(arm.name)).add(arm.pulls).add(arm.last).add(arm.best).add(arm.bound);
  if (outcome.arms.answer) hash.add(std::uint64_t{*outcome.arms.answer});
  return hash.value();
}

std::uint64_t hash_of_results(const SimulationResult& result,
                              std::span<const Measurement> measurements) {
  Hash hash;
  for (const auto& point : result.regret_curve)
    hash.add(point.metric)
        .add(point.evaluations)
        .add(std::uint64_t{point.rounds})
        .add(point.bytes)
        .add(point.virtual_s)
        .add(point.value);
  for (const auto& row : result.outcome.rounds) {
    hash.add(std::uint64_t{row.round.value}).add(row.began).add(row.ended);
    if (row.best) hash.add(std::uint64_t{row.best->depth}).add(std::uint64_t{row.best->index});
    hash.add(row.active_cells).add(row.pulls_per_cell).add(row.kept_cells).add(row.steps);
    hash.add(std::uint64_t{row.arrived}).add(std::uint64_t{row.expected}).add(row.stale);
    for (const auto node : row.late) hash.add(std::uint64_t{node.value});
    hash.add(row.messages).add(row.bytes).add(row.values);
    hash.add(row.bytes_so_far).add(row.values_so_far);
    for (const auto time : {row.compute, row.queueing, row.transfer, row.propagation, row.waiting})
      hash.add(time);
  }
  for (const auto& measurement : measurements) {
    hash.add(measurement.measured);
    if (measurement.bound) hash.add(measurement.bound->value);
  }
  return hash.value();
}

}  // namespace posse
