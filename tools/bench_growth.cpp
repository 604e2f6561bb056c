// SPDX-License-Identifier: Apache-2.0
// How the cost of a run grows with the clients M, the budget T, the arms K and the rounds of every
// algorithm.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/median.hpp"
#include "program/library/experiment.hpp"
#include "program/library/scenario_mistakes.hpp"
#include "program/scenario/catalog.hpp"
#include "tools/bench_clocks.hpp"
#include "tools/bench_scenarios.hpp"
#include "tools/bench_sections.hpp"

namespace posse {
namespace {

constexpr double kWorthTiming = 0.1;  // CPU seconds of a small run; a tenth if it can't be larger
constexpr double kTooLong = 1.5;      // of a small run, whose large one is left out
constexpr std::uint64_t kFactor = 8;

struct Timed {
  double seconds = 0;
  double evaluations = 0;
  double messages = 0;
};

/// A scenario as TOML, for a size.
using ScenarioOf = std::function<std::string(std::uint64_t)>;

std::optional<Timed> timed(const std::string& toml) {
  try {
    const Experiment experiment(toml, POSSE_SOURCE_DIR);
    Scenario scenario = experiment.scenario();
    const double before = cpu_seconds();
    const auto results = run_experiment(std::move(scenario), {.threads = 1});
    Timed run{.seconds = cpu_seconds() - before};
    const RunOutcome& outcome = results.runs().front().result.outcome;
    if (outcome.status != RunStatus::finished) return std::nullopt;
    run.evaluations = static_cast<double>(outcome.regret.evaluations);
    run.messages = static_cast<double>(outcome.total(&TypeAccount::delivered));
    return run;
  } catch (const std::exception&) {
    return std::nullopt;  // the algorithm can't have this size
  }
}

Timed median_run(const std::string& toml) {
  std::vector<double> seconds;
  Timed run;
  for (int i = 0; i < 3; ++i) {
    run = timed(toml).value_or(Timed{});
    seconds.push_back(run.seconds);
  }
  run.seconds = median(seconds);
  return run;
}

/// Prints a row, unless the algorithm can't have sizes that are worth timing.
void print_growth(std::string_view kind,
                  std::string_view dimension,
                  std::uint64_t smallest,
                  std::uint64_t largest,
                  const ScenarioOf& scenario_of) {
  std::uint64_t size = smallest;
  auto small = timed(scenario_of(size));
  while (small && small->seconds < kWorthTiming && size * 2 * kFactor <= largest)
    small = timed(scenario_of(size *= 2));
  if (!small || small->seconds > kTooLong || size * kFactor > largest) return;
  const Timed before = median_run(scenario_of(size));
  if (before.seconds < kWorthTiming / 10) return;
  const Timed after = median_run(scenario_of(size * kFactor));
  const auto exponent = [&](double Timed::*cost) {
    return std::log(after.*cost / (before.*cost)) / std::log(kFactor);
  };
  const auto shown = [&](double Timed::*cost) {
    return before.*cost > 0 ? fmt::format("{:.2f}", exponent(cost)) : "-";
  };
  fmt::print("  {:<18} {:<7} {:>9} {:>9} {:>9.3f} {:>9.3f} {:>6.2f} {:>11} {:>8}\n",
             kind,
             dimension,
             size,
             size * kFactor,
             before.seconds,
             after.seconds,
             exponent(&Timed::seconds),
             shown(&Timed::evaluations),
             shown(&Timed::messages));
  std::fflush(stdout);
}

}  // namespace

void growth_bench() {
  fmt::print(
      "\ngrowth: exponents of a run's CPU time, of its evaluations and of its messages from a size "
      "to {} times\n  it; one thread, constant 50 ms, medians of 3\n"
      "  {:<18} {:<7} {:>9} {:>9} {:>9} {:>9} {:>6} {:>11} {:>8}\n",
      kFactor,
      "algorithm",
      "size",
      "from",
      "to",
      "s",
      "s",
      "time",
      "evaluations",
      "messages");
  for (const AlgorithmSpec* spec : algorithms()) {
    const std::string_view kind = spec->kind;
    if (spec->needs_problem) {
      const auto clients = [&](std::uint64_t m) { return with_objective(kind, m, 200); };
      const auto budget = [&](std::uint64_t t) { return with_objective(kind, 1, t); };
      const auto two = [&](std::uint64_t t) { return with_objective(kind, 2, t); };
      print_growth(kind, "M", 8, 200'000, clients);
      print_growth(kind, "T", 128, 20'000'000, timed(budget(128)) ? ScenarioOf(budget) : two);
    } else if (spec->needs_arms) {
      print_growth(
          kind, "K", 8, 100'000, [&](std::uint64_t k) { return with_arms(kind, k, 4 * k); });
      print_growth(
          kind, "pulls", 128, 10'000'000, [&](std::uint64_t t) { return with_arms(kind, 8, t); });
    } else {
      const auto text = [&](std::uint64_t clients, std::uint64_t rounds) {
        return fmt::format(
            "[[algorithm]]\nkind = \"{}\"\nrounds = {}\n[population]\nclients = {}\n[network]\n"
            "latency = \"50 ms\"\n",
            kind,
            rounds,
            clients);
      };
      print_growth(kind, "M", 64, 1'000'000, [&](std::uint64_t m) { return text(m, 20); });
      print_growth(kind, "rounds", 64, 10'000'000, [&](std::uint64_t r) { return text(100, r); });
    }
  }
}

}  // namespace posse
