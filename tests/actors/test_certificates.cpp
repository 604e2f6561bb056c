// SPDX-License-Identifier: Apache-2.0
// Certificates of regret at rounds that are given by hand: their values, and the conditions without
// which they do not apply, each with its own reason.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/blin/protocol.hpp"
#include "actors/fed_pne/private_protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_pne_variance/protocol.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_certificates {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;
using Objectives = std::vector<std::shared_ptr<const Objective>>;
using Catch::Contains;

/// top - slope |x - peak|. With nu1 and rho = 1/2, (A) holds at depth h if the peak is at most nu1
/// / slope cell widths from the centre of its cell.
std::shared_ptr<const Objective> tent(double slope, double peak, double top = 0.5) {
  return std::make_shared<FunctionObjective>(
      Box::cube(1, 0, 1),
      [=](std::span<const double> x) { return top - slope * std::abs(x[0] - peak); },
      top,
      std::vector<double>{peak});
}
/// Exactly a corner of cells from depth 2 on, the centre of a cell of depth 1.
constexpr double kQuarter = 0.25;
/// At most 1/4 of a width from the centre down to depth 4, at a corner from depth 5 on.
constexpr double kDeepCorner = 21.0 / 32;

class NoiseOfWidth final : public Noise {
 public:
  explicit NoiseOfWidth(double width) : width_(width) {}
  double sum_of_rewards(double f,
                        UniformStream&,
                        std::uint64_t,
                        std::uint64_t count) const override {
    return f * static_cast<double>(count);
  }
  double range_width() const override { return width_; }
  bool within_unit_interval() const override { return width_ <= 1; }

 private:
  double width_;
};

constexpr std::uint64_t kBudget = 1000;

Problem problem_of(Objectives objectives, double width = 1) {
  return Problem(std::move(objectives), std::make_unique<NoiseOfWidth>(width), kBudget, Seed{1});
}
Problem four(double slope, double peak, double width = 1) {
  return problem_of(Objectives(4, tent(slope, peak)), width);
}

struct Row {
  std::uint32_t depth;
  std::uint64_t steps;
  std::uint32_t arrived = 4;
};
RunOutcome outcome_of(const std::vector<Row>& rows) {
  RunOutcome outcome;
  for (const Row& row : rows) {
    RoundRecord record;
    record.round = Round{static_cast<std::uint32_t>(outcome.rounds.size() + 1)};
    record.best = Cell{row.depth, 1};
    record.active_cells = 8;
    record.kept_cells = 6;
    record.pulls_per_cell = 10;
    record.steps = row.steps;
    record.arrived = row.arrived;
    record.expected = 4;
    outcome.rounds.push_back(record);
  }
  outcome.complete_rounds = outcome.rounds.size();
  outcome.regret.simple = 0.125;
  return outcome;
}

Measurement measured(const AlgorithmSpec& spec,
                     const Problem& problem,
                     const Changes& changes,
                     const RunOutcome& outcome,
                     std::string_view name) {
  const auto protocol = make_protocol(spec, &problem, 4, changes);
  auto measurement = figure_named(*protocol, outcome, name);
  REQUIRE(measurement.bound);
  return measurement;
}

Changes with(Changes changes, const Changes& others) {
  for (const auto& [name, value] : others) changes[name] = value;
  return changes;
}

void check_applies(const Bound& bound, double value) {
  INFO(bound.note);
  CHECK(bound.kind == BoundKind::derived);
  CHECK(bound.strength == BoundStrength::with_probability);
  CHECK_FALSE(bound.is_lower);
  CHECK_FALSE(bound.is_identity);
  CHECK(bound.value == Approx(value).epsilon(1e-12));
  CHECK_THAT(bound.note, !Contains("does not apply"));
}

/// Fails for this reason only.
void check_fails(const Bound& bound, const std::string& reason) {
  CHECK(bound.kind == BoundKind::does_not_apply);
  const std::string words = "; does not apply: " + reason;
  INFO(bound.note);
  REQUIRE(bound.note.size() > words.size());
  CHECK(bound.note.substr(bound.note.size() - words.size()) == words);
}

const Changes kTheory{{"nu1", 0.5}, {"rho", 0.5}, {"c", 2.0}, {"c1", 1.3}};  // 8^{1/8} = 1.2968

TEST_CASE("Fed-PNE's certificate at given phases, and each reason for which it does not apply",
          "[certificate]") {
  // Depth 3, then 5, then a cut phase: 12 nu1 rho^3 = 3/4, 12 nu1 rho^5 = 3/16.
  const std::vector<Row> rows{{3, 80}, {5, 680}};
  const auto gentle = four(0.9, kQuarter);
  for (const auto* spec : {&fed_pne_algorithm(), &dp_fed_pne_algorithm()}) {
    INFO(spec->kind);
    const bool is_private = spec == &dp_fed_pne_algorithm();
    Changes changes = kTheory;
    if (is_private) changes["radius"] = std::string("theory");
    const auto bound = [&](const Problem& problem,
                           const std::vector<Row>& phases,
                           const Changes& more = {}) {
      return *measured(*spec, problem, with(changes, more), outcome_of(phases), "cumulative regret")
                  .bound;
    };
    check_applies(bound(gentle, rows), 80 + 600 * 0.75 + 320 * 0.1875);
    check_applies(bound(gentle, {}), 1000);
    check_applies(bound(gentle, {{3, 80}, {5, 1000}}), 80 + 920 * 0.75);
    CHECK_THAT(bound(gentle, rows).note,
               Contains(is_private ? "1 - 2 delta/T^6" : "1 - delta/T^6"));

    check_fails(bound(gentle, rows, {{"c", 1.99}}),
                "the theory needs c >= 2 and c1 >= (2M)^(1/8), not c = 1.99, c1 = 1.3");
    for (const auto& missing : {std::vector<Row>{{3, 80, 3}, {5, 680}}, {{3, 80}, {5, 680, 3}}})
      check_fails(bound(gentle, missing), "phases were closed without the means of some clients");
    check_fails(bound(four(0.9, kQuarter, 2), rows),
                is_private ? "rewards can be outside [0, 1] and are clipped, the noise has range "
                             "2, Hoeffding's inequality needs 1"
                           : "the noise has range 2, Hoeffding's inequality needs 1");
    check_fails(bound(gentle, rows, {{"means", std::string("u8")}}),
                "means are rounded to 8 bits, which the radii do not cover");
    check_fails(bound(gentle, rows, {{"means", std::string("u16")}}),
                "means are rounded to 16 bits, which the radii do not cover");
    check_applies(bound(gentle, rows, {{"means", std::string("f32")}}), 590);
    check_fails(bound(gentle, rows, {{"point", std::string("uniform")}}),
                "points are drawn at every pull, (A) concerns one point per cell");
    // 1.5 half widths at depth 2 are more than nu1 rho^2, and depth 1 is fine.
    const auto steep = four(1.5, kQuarter);
    check_applies(bound(steep, {{1, 80}}), 80 + 920);  // 12 nu1 rho > 1
    check_fails(bound(steep, {{2, 80}}), "assumption (A) fails");
  }
  Changes practical = kTheory;
  check_fails(
      *measured(dp_fed_pne_algorithm(), gentle, practical, outcome_of(rows), "cumulative regret")
           .bound,
      "the radius allows for the privacy noise by the practical rule, not by a bound");
}

TEST_CASE("variance-aware Fed-PNE's certificate counts the exchanges of a depth as one phase",
          "[certificate]") {
  const auto& spec = fed_pne_variance_algorithm();
  const auto gentle = four(0.9, kQuarter);
  const std::vector<Row> rows{{3, 80}, {3, 200}, {5, 680}};
  const auto bound = [&](const Problem& problem,
                         const std::vector<Row>& exchanges,
                         const Changes& more = {}) {
    return *measured(spec, problem, with(kTheory, more), outcome_of(exchanges), "cumulative regret")
                .bound;
  };
  // The pulls after the last exchange belong to its depth.
  check_applies(bound(gentle, rows), 200 + 800 * 0.75);
  check_applies(bound(gentle, {}), 1000);
  check_fails(bound(gentle, rows, {{"c", 1.99}}),
              "the theory needs c >= 2 and c1 >= (2M)^(1/8), not c = 1.99, c1 = 1.3");
  check_fails(bound(gentle, rows, {{"range", 0.9}}),
              "the noise has range 1, more than `range` = 0.9");
  check_applies(bound(four(0.9, kQuarter, 2), rows, {{"range", 2.0}}), 800);
  check_fails(bound(four(1.5, kQuarter), {{2, 80}}), "assumption (A) fails");
  check_applies(bound(four(1.5, kQuarter), {{1, 80}}), 1000);

  const auto protocol = make_protocol(spec, &gentle, 4, kTheory);
  const auto value = [&](const std::vector<Row>& exchanges, const char* name) {
    return figure_named(*protocol, outcome_of(exchanges), name).measured;
  };
  CHECK(value(rows, "rounds") == 3);
  CHECK(value(rows, "phases") == 2);
  CHECK(value(rows, "deepest phase") == 5);
  CHECK(value({}, "rounds") == 0);
  CHECK(value({}, "phases") == 0);
  CHECK(value({}, "deepest phase") == 0);
}

/// H0 = 3. 32^{1/8} = 1.5422. Costs of depths 1 to 3: 12 nu1 rho^{h-1} + Delta = .605, .305, .155.
const Changes kPfTheory{
    {"nu1", 0.05}, {"rho", 0.5}, {"c", 2.0}, {"c1", 1.55}, {"max_difference", 0.005}};

TEST_CASE("PF-PNE's certificate adds stage 1, the cut level and the clients' own searches",
          "[certificate]") {
  const auto gentle = four(0.15, kQuarter / 2);
  const auto bound = [&](const RunOutcome& outcome) {
    return *measured(pf_pne_algorithm(), gentle, kPfTheory, outcome, "local cumulative regret")
                .bound;
  };
  const double two = 10 + 40 * 0.605;
  CHECK(bound(outcome_of({})).value == 1000);
  CHECK(bound(outcome_of({{0, 10}})).value == Approx(10 + 990 * 0.605));
  CHECK(bound(outcome_of({{0, 10}, {1, 50}, {2, 200}})).value ==
        Approx(two + 150 * 0.305 + 800 * 0.155));
  auto all = outcome_of({{0, 10}, {1, 50}, {2, 200}, {3, 400}});
  for (const double certified : {100, 200, 300, 400})
    all.own_searches.push_back({.depth = 3, .kept = {}, .certified_regret = certified});
  CHECK(bound(all).value == Approx(two + 150 * 0.305 + 200 * 0.155 + 250));
  // Without stage 1 there is no cut level.
  auto alone = outcome_of({});
  alone.own_searches = all.own_searches;
  auto changes = with(kPfTheory, {{"max_difference", 0.06}});
  CHECK(measured(pf_pne_algorithm(), gentle, changes, alone, "local cumulative regret")
            .bound->value == 250);
}

TEST_CASE("each reason for which PF-PNE's certificate does not apply", "[certificate]") {
  auto outcome = outcome_of({{0, 10}, {1, 50}, {2, 200}, {3, 400}});
  outcome.own_searches.resize(4);
  outcome.own_searches[1].depth = 4;
  const auto bound = [&](const Problem& problem, const Changes& more = {}) {
    return *measured(pf_pne_algorithm(),
                     problem,
                     with(kPfTheory, more),
                     outcome,
                     "local cumulative regret")
                .bound;
  };
  const double stage_1 = 10 + 40 * 0.605 + 150 * 0.305 + 200 * 0.155;
  const auto gentle = four(0.15, kDeepCorner);
  check_applies(bound(gentle), stage_1);
  CHECK_THAT(bound(gentle).note, Contains("per pull min(1, 24 nu1 rho^(h-1))"));
  CHECK_THAT(bound(gentle, {{"safe", true}}).note, Contains("per pull min(1, 26 nu1 rho^(h-1))"));
  check_fails(bound(gentle, {{"c", 1.99}}),
              "the theory needs c >= 2 and c1 >= (2M^2)^(1/8), not c = 1.99, c1 = 1.55");
  check_fails(bound(four(0.15, kDeepCorner, 2)),
              "the noise has range 2, Hoeffding's inequality needs 1");
  check_fails(bound(gentle, {{"point", std::string("uniform")}}),
              "points are drawn at every pull, (A) concerns one point per cell");
  for (const std::size_t round : {0, 3}) {
    outcome.rounds[round].arrived = 3;
    check_fails(bound(gentle), "levels were closed without the means of some clients");
    outcome.rounds[round].arrived = 4;
  }

  // A client with a higher maximum: the mean is above the others.
  const auto flat = tent(0, 0.5);
  const auto higher = problem_of({tent(0.15, kDeepCorner, 0.75), flat, flat, flat});
  check_fails(bound(higher),
              "the true Delta is 0.1875, above max_difference = 0.005, the maximum of a client is "
              "below that of the mean objective and `safe` is off");
  check_fails(bound(higher, {{"safe", true}}),
              "the true Delta is 0.1875, above max_difference = 0.005");

  // (A) fails at depth 5, which one client reaches; for the mean or for clients only.
  outcome.own_searches[1].depth = 5;
  check_fails(bound(gentle), "assumption (A) fails for the mean objective");
  const auto steep = tent(0.15, kDeepCorner);
  check_applies(bound(problem_of({flat, flat, flat, flat})), stage_1);
  check_fails(bound(problem_of({steep, flat, flat, flat})), "assumption (A) fails for 1 clients");
  check_fails(bound(problem_of({steep, flat, steep, flat})), "assumption (A) fails for 2 clients");
  outcome.own_searches[1].depth = 4;
  check_applies(bound(problem_of({steep, flat, steep, flat})), stage_1);
}

TEST_CASE("BLiN's certificate at given batches, and each reason for which it does not apply",
          "[certificate]") {
  const auto bound = [&](const Problem& problem, const std::vector<Row>& rows) {
    return *measured(blin_algorithm(),
                     problem,
                     {{"lipschitz", 0.1}},
                     outcome_of(rows),
                     "cumulative regret")
                .bound;
  };
  const auto gentle = four(0.09, kQuarter);
  // 8 L r = .8 of the first batch and .4 of the second.
  check_applies(bound(gentle, {{0, 20}, {1, 100}}), 20 + 80 * 0.8 + 900 * 0.4);
  check_applies(bound(gentle, {}), 1000);
  check_applies(bound(gentle, {{0, 20}, {1, 1000}}), 20 + 980 * 0.8);
  const auto check_but = [](const Bound& failing, const std::string& reason) {
    INFO(failing.note);
    CHECK(failing.kind == BoundKind::does_not_apply);
    const std::string end = "(checked at 65 points an axis), but " + reason;
    CHECK_THAT(failing.note, Catch::EndsWith(end));
  };
  check_but(bound(four(0.09, kQuarter, 2), {{0, 20}}),
            "the range of the noise is 2 wide, and Hoeffding's inequality needs 1");
  for (const auto& missing : {std::vector<Row>{{0, 20, 3}, {1, 100}}, {{0, 20}, {1, 100, 3}}})
    check_but(bound(gentle, missing), "some rounds were closed without all clients' means");
  check_but(bound(four(0.11, kQuarter), {{0, 20}}), "it is not: its slope reaches 0.11");
}

TEST_CASE("the parallel bandit's loss bound at given levels, and each reason against it",
          "[certificate]") {
  const auto bound =
      [&](const Problem& problem, const std::vector<Row>& rows, const Changes& more = {}) {
        return *measured(parallel_algorithm(),
                         problem,
                         with({{"nu1", 0.5}, {"rho", 0.5}}, more),
                         outcome_of(rows),
                         "simple regret")
                    .bound;
      };
  const auto gentle = four(0.9, kQuarter);
  const std::vector<Row> rows{{0, 10}, {1, 100}, {2, 500}};
  const auto applies = bound(gentle, rows);
  CHECK(applies.kind == BoundKind::exact);
  CHECK(applies.strength == BoundStrength::with_probability);
  CHECK(applies.value == 3 * 0.5 / 4);
  CHECK(bound(gentle, {{0, 10}}).value == 1.5);
  check_fails(bound(gentle, {}), "no level was completed");
  check_fails(bound(gentle, rows, {{"c", 0.7}}), "the theory needs c >= 1/sqrt(2), not c = 0.7");
  CHECK(bound(gentle, rows, {{"c", 0.71}}).kind == BoundKind::exact);
  check_fails(bound(gentle, rows, {{"means", std::string("u8")}}),
              "means are rounded to 8 bits, which the radii do not cover");
  check_fails(bound(four(0.9, kQuarter, 2), rows),
              "the noise has range 2, Hoeffding's inequality needs 1");
  check_fails(bound(gentle, rows, {{"point", std::string("uniform")}}),
              "points are drawn at every pull, (A) concerns one point per cell");
  check_fails(bound(four(1.5, kQuarter), rows), "assumption (A) fails");
  CHECK(bound(four(1.5, kQuarter), {{0, 10}, {1, 100}}).kind == BoundKind::exact);
}

TEST_CASE("confidence widths are the theory's from its smallest c on", "[certificate]") {
  const auto problem = four(0.9, kQuarter);
  const auto widths = [&](const AlgorithmSpec& spec, const Changes& changes = {}) {
    return make_protocol(spec, &problem, 4, changes)->comparison_facts().widths;
  };
  for (const auto* spec : {&fed_pne_algorithm(),
                           &dp_fed_pne_algorithm(),
                           &fed_pne_variance_algorithm(),
                           &pf_pne_algorithm()}) {
    INFO(spec->kind);
    CHECK(widths(*spec) == Widths::practical);
    CHECK(widths(*spec, {{"c", 1.99}}) == Widths::practical);
    CHECK(widths(*spec, {{"c", 2.0}}) == Widths::theory);
  }
  CHECK(widths(parallel_algorithm()) == Widths::theory);
  CHECK(widths(parallel_algorithm(), {{"constants", std::string("practical")}}) ==
        Widths::practical);
  CHECK(widths(parallel_algorithm(), {{"c", 0.7}}) == Widths::practical);
  CHECK(widths(parallel_algorithm(), {{"c", 0.71}}) == Widths::theory);
  CHECK(widths(blin_algorithm()) == Widths::theory);
}

}  // namespace
}  // namespace posse::test_certificates
