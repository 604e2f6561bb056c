// SPDX-License-Identifier: Apache-2.0
// POO and GPO against their listings, over every base learner, with budgets that end anywhere.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "core/learner/gpo.hpp"
#include "core/learner/poo.hpp"
#include "core/learner/poo_schedule.hpp"
#include "core/theory/tree_learners.hpp"
#include "tests/support/learning.hpp"
#include "tests/support/literal_learners.hpp"

namespace posse::test_poo {
namespace {

using namespace test;

constexpr double kC = 0.2;
constexpr double kDelta = 0.05;
constexpr double kRange = 0.8;

TreeLearnerOptions options() {
  TreeLearnerOptions o;
  o.c = kC;
  o.delta = kDelta;
  o.range = kRange;
  o.choices = {.recommendation = Recommendation::last, .seed = Seed{5}};
  return o;
}

/// A literal base learner; its recommendation is its last play.
struct LiteralBase {
  std::function<Cell()> next;
  std::function<void(double)> tell;
  Cell last;
  double evaluations = 0;
  double sum = 0;
};

LiteralBase literal_base(
    TreeKind kind, const Partition& partition, double nu, double rho, double horizon) {
  const auto wrap = [](auto learner) {
    const auto shared = std::make_shared<decltype(learner)>(std::move(learner));
    return LiteralBase{[shared] { return shared->next(); },
                       [shared](double r) { shared->tell(r); }};
  };
  switch (kind) {
    case TreeKind::hoo:
      return wrap(LiteralHoo(partition, nu, rho, std::nullopt, 0, {}));
    case TreeKind::t_hoo:
      return wrap(LiteralHoo(partition, nu, rho, horizon, 0, {}));
    case TreeKind::hct:
      return wrap(LiteralHct(partition, nu, rho, kC, kDelta, std::nullopt, {}));
    case TreeKind::vhct:
      return wrap(LiteralHct(partition, nu, rho, kC, kDelta, kRange, {}));
  }
  return {};
}

const std::vector<TreeKind> kKinds{TreeKind::hoo, TreeKind::t_hoo, TreeKind::hct, TreeKind::vhct};

/// A listing's run until its budget ends, which an exception marks.
struct BudgetSpent {};
class ListingRun {
 public:
  ListingRun(const Ground& ground, std::uint64_t budget)
      : ground_(ground), budget_(budget), rewards_(ground.problem, 0) {}
  double evaluate(Cell cell) {
    if (cells.size() == budget_) throw BudgetSpent{};
    cells.push_back(cell);
    return rewards_.pull(ground_.partition.point(cell), 1);
  }
  void step(LiteralBase& base) {
    const Cell cell = base.next();
    const double reward = evaluate(cell);
    base.tell(reward);
    base.last = cell;
    base.evaluations += 1;
    base.sum += reward;
  }
  std::vector<Cell> cells;
  Cell output;

 private:
  const Ground& ground_;
  std::uint64_t budget_;
  RewardSource rewards_;
};

ListingRun listed_poo(const Ground& ground, TreeKind kind, double rho_max, std::uint64_t budget) {
  ListingRun run(ground, budget);
  const double k = ground.partition.children_per_cell();
  const double d_max = std::log(k) / std::log(1 / rho_max);
  std::vector<LiteralBase> S;
  const auto add = [&](double rho) -> LiteralBase& {
    S.push_back(literal_base(kind, ground.partition, 1.0, rho, static_cast<double>(budget)));
    return S.back();
  };
  add(rho_max);
  double n = 0;
  double N = 1;
  try {
    for (;;) {
      while (n >= 3 && N <= 0.5 * d_max * std::log(n / std::log(n))) {
        for (double i = 1; i <= N; ++i) {
          add(std::pow(rho_max, 2 * N / (2 * i + 1)));
          REQUIRE(n / N == std::floor(n / N));
          for (double j = 0; j < n / N; ++j) run.step(S.back());
        }
        n = 2 * n;
        N = 2 * N;
      }
      for (auto& s : S) run.step(s);
      n += static_cast<double>(S.size());
    }
  } catch (BudgetSpent) {
  }
  double best = -kInfinity;
  for (const auto& s : S)
    if (s.evaluations > 0 && s.sum / s.evaluations > best) {
      best = s.sum / s.evaluations;
      run.output = s.last;
    }
  return run;
}

ListingRun listed_gpo(const Ground& ground, TreeKind kind, double rho_max, std::uint64_t budget) {
  ListingRun run(ground, budget);
  const double k = ground.partition.children_per_cell();
  const double d_max = std::log(k) / std::log(1 / rho_max);
  const auto n = static_cast<double>(budget);
  const double N = std::ceil(0.5 * d_max * std::log(n / 2 / std::log(n / 2)));
  const double e = std::floor(n / (2 * N));
  std::vector<Cell> x;
  for (double i = 1; i <= N; ++i) {
    auto base =
        literal_base(kind, ground.partition, 1.0, std::pow(rho_max, 2 * N / (2 * i + 1)), e);
    for (double j = 0; j < e; ++j) run.step(base);
    x.push_back(base.last);
  }
  double best = -kInfinity;
  for (const Cell cell : x) {
    double sum = 0;
    for (double j = 0; j < e; ++j) sum += run.evaluate(cell);
    if (sum / e > best) {
      best = sum / e;
      run.output = cell;
    }
  }
  while (run.cells.size() < budget) run.evaluate(run.output);
  return run;
}

std::vector<Cell> queries(Learner& learner, const Ground& ground, std::uint64_t budget) {
  std::vector<Cell> cells;
  play(learner, ground, budget, [&](std::uint64_t, Cell cell) { cells.push_back(cell); });
  return cells;
}

PooSmoothness smoothness(const Ground& ground, double rho_max) {
  return {.nu_max = 1, .rho_max = rho_max, .arity = ground.partition.children_per_cell()};
}

TEST_CASE("poo: every evaluation and every output follows the paper's listing", "[learner][long]") {
  for (const auto& ground : grounds()) {
    for (const TreeKind kind : kKinds) {
      for (const std::uint64_t budget : {1, 2, 3, 5, 100, 777, 1000}) {
        for (const double rho_max : {0.9, 0.4}) {
          INFO(ground.name << ", " << to_string(kind) << ", budget " << budget);
          Poo poo(smoothness(ground, rho_max),
                  budget,
                  tree_instances(kind, ground.partition, options()));
          const auto listed = listed_poo(ground, kind, rho_max, budget);
          REQUIRE(queries(poo, ground, budget) == listed.cells);
          REQUIRE(poo.recommend() == listed.output);
        }
      }
    }
  }
}

TEST_CASE("poo: beyond the horizon the listing goes on", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  for (const std::uint64_t horizon : {3, 100, 500}) {
    Poo poo(smoothness(ground, 0.9),
            horizon,
            tree_instances(TreeKind::hct, ground.partition, options()));
    const auto listed = listed_poo(ground, TreeKind::hct, 0.9, 1000);
    CHECK(queries(poo, ground, 1000) == listed.cells);
    CHECK(poo.recommend() == listed.output);
  }
}

TEST_CASE("gpo: every evaluation and every output follows the paper's listing", "[learner]") {
  for (const auto& ground : grounds()) {
    for (const TreeKind kind : kKinds) {
      for (const std::uint64_t budget : {60, 777, 1000}) {
        for (const double rho_max : {0.9, 0.4}) {
          INFO(ground.name << ", " << to_string(kind) << ", budget " << budget);
          Gpo gpo(smoothness(ground, rho_max),
                  budget,
                  tree_instances(kind, ground.partition, options()));
          const auto listed = listed_gpo(ground, kind, rho_max, budget);
          REQUIRE(queries(gpo, ground, budget) == listed.cells);
          REQUIRE(gpo.recommend() == listed.output);
        }
      }
    }
  }
}

TEST_CASE("poo: after a complete pass all instances have n / N evaluations", "[learner]") {
  for (const double rho_max : {0.5, 0.9, 0.99}) {
    for (const std::uint32_t arity : {2u, 3u, 16u}) {
      const PooSmoothness smoothness{.nu_max = 1, .rho_max = rho_max, .arity = arity};
      PooSchedule schedule(smoothness, 200'000);
      std::vector<std::uint64_t> evaluations;
      std::uint64_t instances_before = 0;
      bool turns_before = false;
      while (const auto pass = schedule.next()) {
        REQUIRE(pass->starts == (pass->first == evaluations.size()));
        if (pass->starts) {
          // As many again, or the first.
          if (schedule.evaluations() < schedule.budget())
            REQUIRE(pass->evaluations.size() == std::max<std::uint64_t>(1, instances_before));
          evaluations.resize(evaluations.size() + pass->evaluations.size());
        } else {
          REQUIRE(pass->first == 0);
          REQUIRE_FALSE(turns_before);  // turns between two doublings are one batch
        }
        turns_before = !pass->starts;
        for (std::size_t i = 0; i < pass->evaluations.size(); ++i) {
          REQUIRE(pass->evaluations[i] > 0);
          evaluations[pass->first + i] += pass->evaluations[i];
        }
        std::uint64_t n = 0;
        for (const std::uint64_t e : evaluations) n += e;
        REQUIRE(n == schedule.evaluations());
        REQUIRE(evaluations.size() == schedule.instances());
        instances_before = evaluations.size();
        if (n == schedule.budget()) break;
        for (const std::uint64_t e : evaluations) REQUIRE(e * evaluations.size() == n);
      }
      CHECK_FALSE(schedule.next().has_value());
      CHECK(schedule.evaluations() == 200'000);
    }
  }
}

TEST_CASE("poo: instances get the listed rho", "[learner]") {
  const PooSchedule schedule({.nu_max = 1, .rho_max = 0.9, .arity = 2}, 1000);
  CHECK(schedule.rho(0) == 0.9);
  std::uint64_t number = 1;
  for (int N = 1; N <= 64; N *= 2)
    for (int i = 1; i <= N; ++i, ++number)
      REQUIRE(schedule.rho(number) == Approx(std::pow(0.9, 2.0 * N / (2 * i + 1))).epsilon(1e-15));
}

TEST_CASE("poo: the schedule of a huge budget has few passes", "[learner]") {
  PooSchedule schedule({.nu_max = 1, .rho_max = 0.9, .arity = 2}, std::uint64_t{1} << 60);
  int passes = 0;
  while (schedule.next()) ++passes;
  CHECK(passes <= 20);
  // 1/2 D_max ln(2^60 / ln 2^60) = 3.2894 (41.59 - 3.73) = 124.5: N <= that doubles to 128.
  CHECK(schedule.instances() == 128);
}

TEST_CASE("poo: a budget that ends within a pass cuts the listing there", "[learner]") {
  // Evaluations per instance of any budget, counted by hand from the passes of a larger one.
  const PooSmoothness smoothness{.nu_max = 1, .rho_max = 0.9, .arity = 2};
  const auto ground = Ground("garland", PartitionKind::cyclic, 2);
  const auto all = listed_poo(ground, TreeKind::hct, 0.9, 60);
  for (std::uint64_t budget = 0; budget <= 60; ++budget) {
    PooSchedule schedule(smoothness, budget);
    std::uint64_t planned = 0;
    while (const auto pass = schedule.next())
      for (const std::uint64_t e : pass->evaluations) planned += e;
    REQUIRE(planned == budget);
    // HCT doesn't know the budget: its listing's run is a prefix.
    Poo poo(smoothness, budget, tree_instances(TreeKind::hct, ground.partition, options()));
    const auto cells = queries(poo, ground, budget);
    REQUIRE(std::equal(cells.begin(), cells.end(), all.cells.begin()));
  }
}

TEST_CASE("gpo: the plan spends 2 N e of the budget and the rest on the winner", "[learner]") {
  for (const double rho_max : {0.3, 0.9, 0.999}) {
    const PooSmoothness smoothness{.nu_max = 2, .rho_max = rho_max, .arity = 2};
    for (std::uint64_t n = 1; n < 3000; n = n * 5 / 4 + 1) {
      const GpoPlan plan = plan_gpo(smoothness, n);
      REQUIRE(plan.instances >= 1);
      REQUIRE(plan.evaluations == n / (2 * plan.instances));
      REQUIRE(2 * plan.instances * plan.evaluations + plan.rest == n);
      REQUIRE(plan.rest < 2 * plan.instances);
      REQUIRE((plan.evaluations > 0 || n == 1));
      REQUIRE(plan.rhos.size() == plan.instances);
      REQUIRE(plan.rhos[0] ==
              Approx(std::pow(rho_max, 2.0 * static_cast<double>(plan.instances) / 3)));
    }
  }
}

TEST_CASE("gpo: with small budgets it returns the best candidate and keeps pulling it",
          "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2, 0);
  for (std::uint64_t budget = 1; budget <= 40; ++budget) {
    for (const TreeKind kind : kKinds) {
      Gpo gpo(smoothness(ground, 0.9), budget, tree_instances(kind, ground.partition, options()));
      CHECK(gpo.recommend() == Cell{0, 1});
      play(gpo, ground, budget);
      const Cell found = gpo.recommend();
      // Without noise the winner is the best of the candidates.
      for (const auto& candidate : gpo.candidates())
        CHECK(ground.value(candidate.cell) <= ground.value(found));
      CHECK(queries(gpo, ground, 3) == std::vector<Cell>(3, found));
    }
  }
}

TEST_CASE("gpo: before its plan ends it recommends what the current instance does", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  Gpo gpo(
      smoothness(ground, 0.9), 1000, tree_instances(TreeKind::hct, ground.partition, options()));
  const auto& plan = gpo.plan();
  std::vector<Cell> last;
  RewardSource rewards(ground.problem, 0);
  for (std::uint64_t t = 0; t < plan.instances * plan.evaluations + plan.evaluations / 2; ++t) {
    const Cell cell = gpo.next();
    gpo.tell(rewards.pull(ground.partition.point(cell), 1));
    // The instances' recommendation is their last play here; then the first candidate's turn comes.
    REQUIRE(gpo.recommend() == cell);
  }
}

TEST_CASE("poo and gpo recommend a uniformly drawn play by default", "[learner]") {
  const Ground ground("doublesine", PartitionKind::cyclic, 2);
  TreeLearnerOptions o = options();
  o.choices.recommendation = Recommendation::uniform_play;
  std::set<Cell> outputs;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    o.choices.seed = Seed{seed};
    Poo poo(smoothness(ground, 0.9), 500, tree_instances(TreeKind::hct, ground.partition, o));
    const auto cells = queries(poo, ground, 500);
    const Cell found = poo.recommend();
    CHECK(std::find(cells.begin(), cells.end(), found) != cells.end());
    outputs.insert(found);
    // The best instance's own.
    double best = -kInfinity;
    Cell of_best;
    for (const auto& instance : poo.instances())
      if (instance.mean() > best) {
        best = instance.mean();
        of_best = instance.learner->recommend();
      }
    CHECK(found == of_best);
  }
  CHECK(outputs.size() > 3);  // the runs are alike but for the draw
}

}  // namespace
}  // namespace posse::test_poo
