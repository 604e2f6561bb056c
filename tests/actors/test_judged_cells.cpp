// SPDX-License-Identifier: Apache-2.0
// What a run records of its cells, against a search by hand without noise.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "actors/blin/protocol.hpp"
#include "actors/common/judged_cells.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_judged_cells {
namespace {

constexpr double kPeak = 0.3;

/// Hills so steep that no cell lies exactly at a threshold: one at 0.3, or a thin spike there and a
/// broad one at 0.7.
double slope(double x) { return 1 - 0.9137 * std::abs(x - kPeak); }
double spike(double x) {
  return std::max(1 - 60 * std::abs(x - kPeak), 0.8 - 0.9137 * std::abs(x - 0.7));
}

Problem make(double (*f)(double), std::uint32_t clients, std::uint64_t budget) {
  return test::make_problem(std::make_shared<test::FunctionObjective>(
                                Box::cube(1, 0, 1),
                                [f](std::span<const double> x) { return f(x[0]); },
                                1.0,
                                std::vector<double>{kPeak}),
                            clients,
                            budget);
}

double centre(Cell cell) {
  return (static_cast<double>(cell.index) - 0.5) / std::ldexp(1.0, static_cast<int>(cell.depth));
}

/// Margin: a cell is thrown away if its mean is below the best one of its depth by more than this.
using Margin = std::function<double(const RoundRecord&)>;

struct Searched {
  std::map<std::pair<std::uint32_t, std::uint64_t>, bool> kept;  // by depth and index
  std::uint64_t eliminations_of_the_best = 0;
};

/// Depth by depth as the table of rounds has them: the children of what was kept, halves of [0, 1].
Searched search_by_hand(double (*f)(double), const RunOutcome& out, const Margin& margin) {
  Searched searched;
  std::vector<std::uint64_t> active;
  for (const auto& row : out.rounds) {
    const std::uint32_t depth = row.best->depth;
    if (active.empty())
      for (std::uint64_t i = 1; i <= std::uint64_t{1} << depth; ++i) active.push_back(i);
    REQUIRE(active.size() == row.active_cells);
    double best = -1;
    for (const auto i : active) best = std::max(best, f(centre({depth, i})));
    std::vector<std::uint64_t> children;
    for (const auto i : active) {
      const bool keep = f(centre({depth, i})) >= best - margin(row);
      searched.kept[{depth, i}] = keep;
      if (keep) children.insert(children.end(), {2 * i - 1, 2 * i});
      const double width = std::ldexp(1.0, -static_cast<int>(depth));
      const double from = static_cast<double>(i - 1) * width;
      if (!keep && from <= kPeak && kPeak < from + width) ++searched.eliminations_of_the_best;
    }
    REQUIRE(children.size() == 2 * row.kept_cells);
    active = std::move(children);
  }
  return searched;
}

void check_cells(const AlgorithmSpec& algorithm,
                 const Parameters& parameters,
                 double (*f)(double),
                 std::uint64_t budget,
                 const Margin& margin,
                 bool wrong) {
  INFO(algorithm.kind << (wrong ? ", wrong constants" : ""));
  const std::uint32_t clients = 3;
  const auto problem = make(f, clients, budget);
  test::Run run(algorithm, parameters, clients, Seed{1}, &problem);
  run.spec.network.links = {
      {.latency = UniformDuration{Duration::seconds(0.01), Duration::seconds(0.05)}}};
  const auto out = run_serial(run.spec).outcome;
  REQUIRE(out.status == RunStatus::finished);
  REQUIRE(out.rounds.size() >= 2);
  const auto searched = search_by_hand(f, out, margin);
  std::size_t thrown_away = 0;
  std::map<std::pair<std::uint32_t, std::uint64_t>, bool> seen;
  for (const auto& record : out.cells) {
    const std::pair at{record.cell.depth, record.cell.index};
    INFO("depth " << at.first << ", index " << at.second);
    CHECK(seen.emplace(at, record.kept).second);  // each once
    REQUIRE(searched.kept.contains(at));
    CHECK(searched.kept.at(at) == record.kept);
    CHECK(record.mean == Approx(f(centre(record.cell))).epsilon(1e-9));
    thrown_away += !record.kept;
  }
  CHECK(seen.size() == searched.kept.size());
  CHECK(thrown_away > 0);
  CHECK(out.children_per_cell == 2);
  CHECK(out.optimum_eliminated == searched.eliminations_of_the_best);
  if (wrong) {
    CHECK(out.optimum_eliminated > 0);
  } else {
    CHECK(out.optimum_eliminated == 0);
  }
  CHECK(run_windows(run.spec, 2).outcome.cells.size() == out.cells.size());
}

Parameters with(const AlgorithmSpec& algorithm,
                std::vector<std::pair<std::string_view, ParameterValue>> given) {
  auto parameters = default_parameters(algorithm.parameters);
  for (const auto& [name, value] : given) parameters.set(name, value);
  return parameters;
}

double smoothness(double nu1, const RoundRecord& row) {
  return nu1 * std::ldexp(1.0, -static_cast<int>(row.best->depth));
}

}  // namespace

TEST_CASE("of the cells before an elimination, those that are still there are kept") {
  struct Active {
    std::uint64_t index;
    double mean;
  };
  const std::vector<Active> before{{1, 0.1}, {2, 0.2}, {5, 0.5}, {6, 0.6}, {9, 0.9}};
  const auto kept = [&](const std::vector<Active>& after) {
    std::string told;
    for (const auto& judged : judged_cells(3, before, after)) {
      CHECK(judged.cell.depth == 3);
      CHECK(judged.mean == static_cast<double>(judged.cell.index) / 10);
      told += std::to_string(judged.cell.index) + (judged.kept ? "+" : "-");
    }
    return told;
  };
  CHECK(kept({before[0], before[2], before[3]}) == "1+2-5+6+9-");
  CHECK(kept({before[4]}) == "1-2-5-6-9+");
  CHECK(kept({}) == "1-2-5-6-9-");
  CHECK(kept(before) == "1+2+5+6+9+");
}

TEST_CASE("parallel: the recorded cells, kept or eliminated, equal those of a search by hand") {
  const auto& algorithm = parallel_algorithm();
  for (const auto& [nu1, f] : {std::pair{1.0, &slope}, std::pair{0.1, &spike}})
    check_cells(
        algorithm,
        with(algorithm, {{"nu1", nu1}, {"rho", 0.5}}),
        f,
        200'000,
        [nu1 = nu1](const RoundRecord& row) { return 3 * smoothness(nu1, row); },
        nu1 != 1.0);
}

TEST_CASE("Fed-PNE and PF-PNE: the recorded cells equal those of a search by hand") {
  for (const auto* algorithm : {&fed_pne_algorithm(), &pf_pne_algorithm()}) {
    std::vector<std::pair<std::string_view, ParameterValue>> given{
        {"rho", 0.5}, {"c", 0.2}, {"c1", 1.0}, {"delta", 1.0}};
    if (algorithm == &pf_pne_algorithm()) given.emplace_back("max_difference", 0.01);
    for (const auto& [nu1, f] : {std::pair{1.0, &slope}, std::pair{0.02, &spike}}) {
      given.emplace_back("nu1", nu1);
      const std::uint64_t budget = 100'000;
      const auto margin = [nu1 = nu1](const RoundRecord& row) {
        // b = c sqrt(ln(c1 T / delta) / (M t)), on both sides.
        const double looks = 3 * static_cast<double>(row.pulls_per_cell);
        return smoothness(nu1, row) + 2 * 0.2 * std::sqrt(std::log(100'000.0) / looks);
      };
      check_cells(*algorithm, with(*algorithm, given), f, budget, margin, nu1 != 1.0);
      given.pop_back();
    }
  }
}

TEST_CASE("BLiN: the recorded cells equal those of a search by hand", "[long]") {
  const auto& algorithm = blin_algorithm();
  for (const auto& [lipschitz, f] : {std::pair{1.0, &slope}, std::pair{0.2, &spike}})
    check_cells(
        algorithm,
        with(algorithm, {{"lipschitz", lipschitz}}),
        f,
        lipschitz == 1.0 ? 250'000 : 500'000,
        [lipschitz = lipschitz](const RoundRecord& row) {
          return 4 * lipschitz * std::ldexp(1.0, -static_cast<int>(row.best->depth));
        },
        lipschitz != 1.0);
}

}  // namespace posse::test_judged_cells
