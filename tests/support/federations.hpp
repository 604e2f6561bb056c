// SPDX-License-Identifier: Apache-2.0
// Random federations for property tests: clients with different objectives, constants that let a
// search eliminate, and budgets that end anywhere.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/role_driver.hpp"

namespace posse::test {

using Changes = std::map<std::string, ParameterValue>;

struct Federation {
  std::uint32_t clients;
  std::uint64_t budget;
  std::uint32_t arity;
  double nu1, rho, c, delta;
  bool noisy;
  std::vector<std::shared_ptr<const Objective>> locals;

  Problem problem(std::uint64_t seed = 1) const {
    return make_problem(locals, budget, noisy, seed);
  }
  Changes changes() const {
    return {{"nu1", nu1}, {"rho", rho}, {"c", c}, {"delta", delta}, {"arity", std::int64_t{arity}}};
  }
};

/// 1 to 9 clients with shifted Garlands or different bowls, budgets of 2 to 4000.
inline Federation random_federation(std::mt19937& random) {
  const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000; };
  Federation f;
  f.clients = 1 + static_cast<std::uint32_t>(random() % 9);
  f.budget = 2 + random() % 4000;
  f.arity = 2 + static_cast<std::uint32_t>(random() % 3);
  f.nu1 = 0.3 + 2 * unit();
  f.rho = 0.3 + 0.6 * unit();
  f.c = 0.05 + unit();
  f.delta = 0.01 + 0.99 * unit();
  f.noisy = random() % 2 == 0;
  const bool flat = random() % 2 == 0;
  for (std::uint32_t m = 0; m < f.clients; ++m)
    f.locals.push_back(flat ? garland(0.1 * unit() - 0.05) : bowl(unit(), unit()));
  return f;
}

/// (depth, |K|, pulls, kept, steps, best) of every round, as the first node tells it.
inline std::vector<std::vector<std::uint64_t>> rounds_table(const RoleDriver& driver) {
  std::vector<std::vector<std::uint64_t>> table;
  for (const auto& e : driver.all<RoundEnded>(0))
    table.push_back(
        {e.best->depth, e.active_cells, e.pulls_per_cell, e.kept_cells, e.steps, e.best->index});
  return table;
}

/// What each client pulled, in its order.
inline std::vector<std::vector<std::pair<std::vector<double>, std::uint64_t>>> pulls_made(
    const RoleDriver& driver, std::size_t clients) {
  std::vector<std::vector<std::pair<std::vector<double>, std::uint64_t>>> made(clients);
  for (const auto& p : driver.all<PullsObserved>()) made[p.client].emplace_back(p.point, p.count);
  return made;
}

/// The costs of a finished run are within the protocol's forecast.
inline bool within_forecast(const Protocol& protocol, const RunOutcome& outcome) {
  const auto forecast = protocol.forecast();
  return static_cast<double>(outcome.rounds.size()) <= forecast.rounds &&
         static_cast<double>(outcome.total(&TypeAccount::sent)) <= forecast.messages &&
         static_cast<double>(outcome.total(&TypeAccount::bytes)) <= forecast.bytes &&
         static_cast<double>(outcome.regret.evaluations) <= forecast.evaluations;
}

/// Names of the exact counts among the measurements; every one must be met.
inline std::vector<std::string> exact_counts(const Protocol& protocol, const RunOutcome& outcome) {
  std::vector<std::string> names;
  for (const auto& measurement : protocol.measurements(outcome))
    if (measurement.bound && measurement.bound->is_identity) {
      POSSE_CHECK(measurement.measured == measurement.bound->value,
                  "{}: {} is not {}",
                  measurement.name,
                  measurement.measured,
                  measurement.bound->value);
      names.push_back(measurement.name);
    }
  return names;
}

}  // namespace posse::test
