// SPDX-License-Identifier: Apache-2.0
// Evaluations by the distributed algorithms and by single learners, beside a bare loop.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "actors/fed_pne/protocol.hpp"
#include "actors/host/run.hpp"
#include "actors/parallel/protocol.hpp"
#include "core/base/median.hpp"
#include "core/objective/factories.hpp"
#include "core/sim/simulation.hpp"
#include "program/library/learner_session.hpp"
#include "tools/bench_clocks.hpp"
#include "tools/bench_sections.hpp"

namespace posse {
namespace {

constexpr double kHalfWidth = 0.1;

Problem garland_problem(std::uint32_t clients, std::uint64_t budget, double shift) {
  const auto& kind = *find_objective("garland");
  std::shared_ptr<const Objective> base = kind.make(default_parameters(kind.parameters));
  const auto& spread = *find_heterogeneity(shift > 0 ? "shift" : "none");
  auto spread_parameters = default_parameters(spread.parameters);
  if (shift > 0) spread_parameters.set("scale", shift);
  const auto& noise = *find_noise("uniform");
  auto noise_parameters = default_parameters(noise.parameters);
  noise_parameters.set("half_width", kHalfWidth);
  return Problem(spread.make(base, spread_parameters, clients, Seed{1}),
                 noise.make(noise_parameters),
                 budget,
                 Seed{1});
}

/// Draws the same noise and evaluates the same objective, once for every `batch` pulls, and does
/// nothing else.
double bare_loop(const Problem& problem, std::uint64_t pulls_per_client, std::uint64_t batch) {
  const double start = cpu_seconds();
  double sum = 0;
  for (std::size_t m = 0; m < problem.clients(); ++m) {
    UniformStream stream(stream_key(Seed{1}, "reward", std::uint64_t{m}));
    for (std::uint64_t i = 0; i < pulls_per_client; i += batch) {
      const double x = 0.25 + 0.5 * static_cast<double>(i & 1023) / 1024;
      const double value = problem.local(m, {&x, 1});
      stream.for_each(i, batch, [&](double u) { sum += value + 2 * kHalfWidth * (u - 0.5); });
    }
  }
  const double seconds = cpu_seconds() - start;
  if (sum == 0) fmt::print(" ");  // the sum must be computed
  return static_cast<double>(problem.clients() * pulls_per_client) / seconds;
}

// --- single learners -----------------------------------------------------------------------------

struct TimedLearner {
  const char* kind;
  const char* base = nullptr;  // of an ensemble
};

/// Evaluations per CPU second of `times` searches with n evaluations each.
double learner_rate(const TimedLearner& timed, const Problem& problem, std::uint64_t n, int times) {
  Table parameters;
  if (timed.base != nullptr) parameters.emplace("base", Value{{}, std::string(timed.base)});
  const double start = cpu_seconds();
  for (int i = 0; i < times; ++i) {
    LearnerSession learner(timed.kind, {{}, parameters}, problem.domain(), n, 1);
    RewardSource rewards(problem, 0);
    for (std::uint64_t t = 0; t < n; ++t) learner.tell(rewards.pull(learner.ask(), 1));
  }
  return static_cast<double>(n) * times / (cpu_seconds() - start);
}

}  // namespace

void pulls_bench() {
  fmt::print(
      "\npulls: Garland, uniform noise 0.1; million evaluations per CPU second through actors, one "
      "thread\n"
      "  bare: a loop that evaluates f at every pull; batched: one that does so once in 64 pulls, "
      "as "
      "the\n  algorithms do for all pulls of a cell\n");
  fmt::print("  {:<34} {:>8} {:>8} {:>8} {:>10} {:>12}\n",
             "algorithm",
             "run",
             "bare",
             "batched",
             "bare/run",
             "batched/run");
  struct Row {
    const char* name;
    const AlgorithmSpec& algorithm;
    std::uint32_t clients;
    std::uint64_t budget;
    double shift;
  };
  const Row rows[] = {
      {"parallel, m = 16, n = 10 000", parallel_algorithm(), 16, 10000, 0},
      {"parallel, m = 16, n = 1 000 000", parallel_algorithm(), 16, 1000000, 0},
      {"fed-pne, M = 10, T = 10 000", fed_pne_algorithm(), 10, 10000, 0.05},
      {"fed-pne, M = 100, T = 10 000", fed_pne_algorithm(), 100, 10000, 0.05},
      {"fed-pne, M = 10, T = 1 000 000", fed_pne_algorithm(), 10, 1000000, 0.05},
  };
  for (const auto& row : rows) {
    const Problem problem = garland_problem(row.clients, row.budget, row.shift);
    problem.mean_maximum();  // searched once per problem, not part of a run's evaluations
    for (std::size_t m = 0; m < problem.clients(); ++m) problem.local_maximum(m);
    const auto parameters = default_parameters(row.algorithm.parameters);
    ProtocolContext context;
    context.clients = row.clients;
    context.seed = Seed{1};
    context.problem = &problem;
    const auto protocol = row.algorithm.make(parameters, context);
    SimulationSpec spec;
    spec.algorithm = &row.algorithm;
    spec.protocol = protocol.get();
    spec.problem = &problem;
    spec.clients = row.clients;
    spec.seed = Seed{1};
    spec.network.links.push_back({.latency = ConstantDuration{Duration::seconds(0.05)}});
    std::vector<double> run, bare, batched, bare_ratio, batched_ratio;
    for (int i = 0; i < 7; ++i) {
      const double start = cpu_seconds();
      double evaluations = 0;
      const int times = row.budget > 100000 ? 1 : 20;
      for (int k = 0; k < times; ++k)
        evaluations += static_cast<double>(run_actors(spec, {}).outcome.regret.evaluations);
      run.push_back(evaluations / (cpu_seconds() - start));
      const std::uint64_t pulls = row.clients > 50 ? 100000 : 500000;
      bare.push_back(bare_loop(problem, pulls, 1));
      batched.push_back(bare_loop(problem, pulls, 64));
      bare_ratio.push_back(bare.back() / run.back());
      batched_ratio.push_back(batched.back() / run.back());
    }
    fmt::print("  {:<34} {:>8.1f} {:>8.1f} {:>8.1f} {:>10.2f} {:>12.2f}\n",
               row.name,
               median(run) / 1e6,
               median(bare) / 1e6,
               median(batched) / 1e6,
               median(bare_ratio),
               median(batched_ratio));
    std::fflush(stdout);
  }
}

void learners_bench() {
  const Problem problem = garland_problem(1, 1, 0);
  // Gaussian processes take seconds, and the learners without noise have no place beside noise.
  const TimedLearner all[] = {{"hoo"},
                              {"t-hoo"},
                              {"hct"},
                              {"vhct"},
                              {"stosoo"},
                              {"stroquool"},
                              {"vroom"},
                              {"zooming"},
                              {"poo", "t-hoo"},
                              {"poo", "hct"},
                              {"pct"},
                              {"vpct"},
                              {"uniform-grid"},
                              {"random"}};
  const auto name_of = [](const TimedLearner& timed) {
    return timed.base == nullptr ? std::string(timed.kind)
                                 : fmt::format("{} ({})", timed.kind, timed.base);
  };
  fmt::print(
      "\nlearners: Garland, uniform noise 0.1, T = 10 000; million evaluations per CPU second, one "
      "thread\n"
      "  run: the learner is asked for a point, which is evaluated, and told the reward; bare: a "
      "loop that\n  evaluates f and draws the noise\n");
  fmt::print("  {:<12} {:>8} {:>8} {:>10}\n", "learner", "run", "bare", "bare/run");
  for (const auto& timed : all) {
    std::vector<double> run, bare, ratio;
    for (int i = 0; i < 7; ++i) {
      run.push_back(learner_rate(timed, problem, 10'000, 20));
      bare.push_back(bare_loop(problem, 500'000, 1));
      ratio.push_back(bare.back() / run.back());
    }
    fmt::print("  {:<12} {:>8.2f} {:>8.1f} {:>10.1f}\n",
               name_of(timed),
               median(run) / 1e6,
               median(bare) / 1e6,
               median(ratio));
    std::fflush(stdout);
  }
  fmt::print(
      "\n  growth: microseconds per evaluation at T = 10 000 and T = 1 000 000; what the cost of "
      "the run\n  grew by, over what T log T grows by (theory: at most 1 for t-hoo and hct)\n");
  fmt::print("  {:<12} {:>10} {:>10} {:>16}\n", "learner", "T = 1e4", "T = 1e6", "over T log T");
  for (const auto& timed : all) {
    std::vector<double> small, large, ratio;
    for (int i = 0; i < 3; ++i) {
      small.push_back(1e6 / learner_rate(timed, problem, 10'000, 50));
      large.push_back(1e6 / learner_rate(timed, problem, 1'000'000, 1));
      ratio.push_back(large.back() / small.back() / 1.5);  // ln 1e6 / ln 1e4
    }
    fmt::print("  {:<12} {:>10.3f} {:>10.3f} {:>16.2f}\n",
               name_of(timed),
               median(small),
               median(large),
               median(ratio));
    std::fflush(stdout);
  }
}

}  // namespace posse
