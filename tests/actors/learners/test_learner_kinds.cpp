// SPDX-License-Identifier: Apache-2.0
// Every kind of single learner behind both hosts.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "actors/learners/blind_search.hpp"
#include "actors/learners/central_learner.hpp"
#include "actors/learners/doo.hpp"
#include "actors/learners/gp_ts.hpp"
#include "actors/learners/hct.hpp"
#include "actors/learners/hoo.hpp"
#include "actors/learners/sequool.hpp"
#include "actors/learners/soo.hpp"
#include "actors/learners/stosoo.hpp"
#include "actors/learners/stroquool.hpp"
#include "actors/learners/vroom.hpp"
#include "actors/learners/zooming.hpp"
#include "core/learner/doo.hpp"
#include "core/learner/random_learner.hpp"
#include "core/learner/sequool.hpp"
#include "core/learner/soo.hpp"
#include "core/learner/stosoo.hpp"
#include "core/learner/stroquool.hpp"
#include "core/learner/tree_learners.hpp"
#include "core/learner/uniform_grid.hpp"
#include "core/learner/vroom.hpp"
#include "core/learner/zooming.hpp"
#include "core/theory/optimistic.hpp"
#include "core/theory/tree_learners.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_learner_kinds {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;

const std::vector<const AlgorithmSpec*> kAll{&hct_algorithm(),
                                             &vhct_algorithm(),
                                             &hoo_algorithm(),
                                             &t_hoo_algorithm(),
                                             &stosoo_algorithm(),
                                             &soo_algorithm(),
                                             &doo_algorithm(),
                                             &sequool_algorithm(),
                                             &stroquool_algorithm(),
                                             &zooming_algorithm(),
                                             &vroom_algorithm(),
                                             &gp_ts_algorithm(),
                                             &uniform_grid_algorithm(),
                                             &random_algorithm()};
const Changes kLocal{{"placement", std::string("local")}};

TEST_CASE("every kind spends any budget in both placements and keeps its ceilings") {
  for (const auto* spec : kAll)
    for (const auto& changes : {Changes{}, kLocal})
      for (const std::uint64_t budget : {1u, 2u, 3u, 10u, 200u}) {
        const auto problem = make_problem({bowl(0.3, 0.8), bowl(0.4, 0.7)}, budget, true);
        const auto protocol = make_protocol(*spec, &problem, 2, changes);
        RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.2, .seed = 2});
        driver.run();
        INFO(spec->kind << ", n = " << budget << ", local " << !changes.empty());
        REQUIRE(driver.all_finished());
        REQUIRE(driver.pulls(2) == std::vector<std::uint64_t>(2, budget));
        const auto outcome = driver.outcome(&problem);
        REQUIRE(broken_measurements(*protocol, outcome).empty());
        CHECK(protocol->forecast().messages == static_cast<double>(driver.sent().size()));
        for (const auto& pulls : driver.all<PullsObserved>())
          REQUIRE(problem.domain().contains(pulls.point));
        auto parameters = default_parameters(spec->parameters);
        CHECK(spec->validate(parameters, {2, Seed{1}, {}, &problem}).empty());
      }
}

/// What the learner evaluates when it sits on the problem's first client.
std::vector<std::vector<double>> played(Learner& learner,
                                        const PointSet& points,
                                        const Problem& problem) {
  RewardSource rewards(problem, 0);
  std::vector<std::vector<double>> all;
  for (std::uint64_t t = 0; t < problem.budget(); ++t) {
    all.push_back(points.point(learner.next()));
    learner.tell(rewards.pull(all.back(), 1));
  }
  return all;
}
std::vector<std::vector<double>> hosted(const AlgorithmSpec& spec,
                                        const Problem& problem,
                                        const Changes& changes) {
  const auto protocol = make_protocol(spec, &problem, 1, changes);
  RoleDriver driver(*protocol);
  driver.run();
  std::vector<std::vector<double>> all;
  for (const auto& pulls : driver.all<PullsObserved>()) all.push_back(pulls.point);
  return all;
}

TEST_CASE("parameters reach the learners: what is hosted plays as the bare learner does") {
  const auto problem = make_problem(garland(), 1, 1500, true, 7);
  const Partition thirds(problem.domain(), PartitionKind::cyclic, 3);
  const Changes tree{
      {"arity", std::int64_t{3}}, {"nu1", 0.7}, {"rho", 0.6}, {"ties", std::string("random")}};
  for (const bool local : {false, true}) {
    const std::string name = local ? "client-0" : "learner";
    const auto with = [&](Changes changes, const Changes& more = {}) {
      changes.insert(more.begin(), more.end());
      if (local) changes.insert(kLocal.begin(), kLocal.end());
      return changes;
    };
    TreeLearnerOptions options{.nu = 0.7, .rho = 0.6, .horizon = 1500};
    options.choices = {.ties = TieBreak::random, .seed = Seed{7}, .name = name};
    const auto bare = [&](TreeKind kind) {
      const auto learner = make_tree_learner(kind, thirds, options);
      return played(*learner, thirds, problem);
    };
    CHECK(hosted(hoo_algorithm(), problem, with(tree)) == bare(TreeKind::hoo));
    CHECK(hosted(hct_algorithm(), problem, with(tree)) == bare(TreeKind::hct));
    options.depth_slack = 2;
    CHECK(hosted(t_hoo_algorithm(), problem, with(tree, {{"depth_slack", std::int64_t{2}}})) ==
          bare(TreeKind::t_hoo));
    options.c = 0.3;
    options.delta = 0.2;
    options.range = 0.5;
    CHECK(hosted(vhct_algorithm(),
                 problem,
                 with(tree, {{"c", 0.3}, {"delta", 0.2}, {"range", 0.5}})) == bare(TreeKind::vhct));
    options.c = 2 / std::sqrt(0.4);
    options.delta = 1.0 / 1500;
    CHECK(hosted(hct_algorithm(), problem, with(tree, {{"constants", std::string("theory")}})) ==
          bare(TreeKind::hct));

    StoSoo stosoo(thirds, {.horizon = 1500, .kappa = 3, .delta = 0.1, .max_depth = 5});
    CHECK(hosted(stosoo_algorithm(),
                 problem,
                 with({{"arity", std::int64_t{3}},
                       {"pulls", std::int64_t{3}},
                       {"delta", 0.1},
                       {"max_depth", std::int64_t{5}}})) == played(stosoo, thirds, problem));
    const Changes three{{"arity", std::int64_t{3}}};
    Soo soo(thirds, {.max_depth = 4});
    CHECK(hosted(soo_algorithm(), problem, with(three, {{"max_depth", std::int64_t{4}}})) ==
          played(soo, thirds, problem));
    Doo doo(thirds, {.nu = 0.7, .rho = 0.6});
    CHECK(hosted(doo_algorithm(), problem, with(three, {{"nu1", 0.7}, {"rho", 0.6}})) ==
          played(doo, thirds, problem));
    SequOol sequool(thirds, {.openings = 500});
    CHECK(hosted(sequool_algorithm(), problem, with(three)) == played(sequool, thirds, problem));
    SequOol few(thirds, {.openings = 40});
    CHECK(hosted(sequool_algorithm(), problem, with(three, {{"openings", std::int64_t{40}}})) ==
          played(few, thirds, problem));
    StroquOol stroquool(thirds, {.horizon = 1500});
    CHECK(hosted(stroquool_algorithm(), problem, with(three)) ==
          played(stroquool, thirds, problem));
    StroquOol brief(thirds, {.horizon = 400});
    CHECK(hosted(stroquool_algorithm(), problem, with(three, {{"horizon", std::int64_t{400}}})) ==
          played(brief, thirds, problem));
    Zooming zooming(thirds, {.horizon = 1500, .nu = 0.7, .rho = 0.6});
    CHECK(hosted(zooming_algorithm(), problem, with(three, {{"nu1", 0.7}, {"rho", 0.6}})) ==
          played(zooming, thirds, problem));
    Vroom vroom(thirds,
                {.horizon = 1500,
                 .max_depth = 4,
                 .noise = 0.2,
                 .reward_bound = 2,
                 .seed = Seed{7},
                 .name = name});
    CHECK(hosted(vroom_algorithm(),
                 problem,
                 with(three, {{"max_depth", std::int64_t{4}}, {"b", 0.2}, {"f_max", 2.0}})) ==
          played(vroom, thirds, problem));
    const auto side = uniform_grid_side(1500, 1);
    UniformGrid grid(side, 1);
    CHECK(hosted(uniform_grid_algorithm(), problem, with({})) ==
          played(grid, GridPoints(problem.domain(), side), problem));
    RandomLearner random({.horizon = 1500, .reevaluate = true});  // rewards are noisy
    const RandomPoints points(problem.domain(), stream_key(Seed{7}, "explore", name));
    CHECK(hosted(random_algorithm(), problem, with({})) == played(random, points, problem));
  }
}

TEST_CASE("local random searches draw points of their own each, central clients share them") {
  const auto problem = make_problem(garland(), 3, 20);
  const auto distinct = [&](const Changes& changes) {
    const auto protocol = make_protocol(random_algorithm(), &problem, 3, changes);
    RoleDriver driver(*protocol);
    driver.run();
    std::set<std::vector<double>> points;
    for (const auto& pulls : driver.all<PullsObserved>()) points.insert(pulls.point);
    return points.size();
  };
  CHECK(distinct(kLocal) == 60);
  CHECK(distinct({}) == 20);
}

TEST_CASE("orders of growth are never judged, and regret floors are lower bounds") {
  const auto problem = make_problem("garland", 2, 500, Seed{1});
  const auto measurement = [&](const AlgorithmSpec& spec, const char* name) {
    const auto protocol = make_protocol(spec, &problem, 2);
    RoleDriver driver(*protocol);
    driver.run();
    return figure_named(*protocol, driver.outcome(&problem), name);
  };
  const auto hoo = measurement(hoo_algorithm(), "cumulative regret");
  REQUIRE(hoo.bound);
  CHECK(hoo.bound->kind == BoundKind::rate);
  CHECK(hoo.bound->strength == BoundStrength::order_only);
  CHECK(hoo.bound->value == Approx(std::sqrt(500 * std::log(500))));  // d = 0
  CHECK_FALSE(violated(hoo));
  const auto stosoo = measurement(stosoo_algorithm(), "simple regret");
  REQUIRE(stosoo.bound);
  CHECK(stosoo.bound->value == Approx(std::pow(std::log(500), 2) / std::sqrt(500)));
  const auto gp = measurement(gp_ts_algorithm(), "cumulative regret");
  REQUIRE(gp.bound);
  CHECK(gp.bound->is_lower);
}

TEST_CASE("losses of the searches of exact values keep to their bounds, which noise takes away",
          "[long]") {
  struct Row {
    const AlgorithmSpec* spec;
    Changes changes;
  };
  const std::vector<Row> rows{{&soo_algorithm(), {}},
                              {&soo_algorithm(), {{"max_depth", std::int64_t{20}}}},
                              {&doo_algorithm(), {{"nu1", 1.4}, {"rho", std::sqrt(0.5)}}},
                              {&sequool_algorithm(), {}},
                              {&stroquool_algorithm(), {}}};
  for (const auto& [spec, changes] : rows)
    for (const std::uint64_t budget : {1u, 10u, 300u, 5000u})
      for (const bool local : {false, true}) {
        INFO(spec->kind << ", n = " << budget << ", local " << local);
        const auto loss = [&](double noise, double shift) {
          const auto problem = make_problem("garland", 2, budget, Seed{1}, shift, noise);
          auto all = changes;
          if (local) all.insert(kLocal.begin(), kLocal.end());
          const auto protocol = make_protocol(*spec, &problem, 2, all);
          RoleDriver driver(*protocol);
          driver.run();
          return figure_named(*protocol, driver.outcome(&problem), "simple regret");
        };
        const auto exact = loss(0, 0);
        REQUIRE(exact.bound);
        INFO(exact.measured << ", bound " << exact.bound->value << ": " << exact.bound->note);
        CHECK(exact.measured <= exact.bound->value + 1e-12);
        // The smallest schedules of StroquOOL and SequOOL need more than one evaluation.
        const bool fits =
            budget > 1 || (spec != &stroquool_algorithm() && spec != &sequool_algorithm());
        CHECK((exact.bound->kind == BoundKind::derived) == fits);
        const auto noisy = loss(0.1, 0);
        REQUIRE(noisy.bound);
        CHECK(noisy.bound->kind ==
              (spec == &stroquool_algorithm() ? BoundKind::rate : BoundKind::does_not_apply));
        const auto different = loss(0, 0.05);
        if (different.bound && local) CHECK(different.bound->kind == BoundKind::does_not_apply);
      }
}

TEST_CASE(
    "doo: with differing clients a central learner keeps to the bound, under every policy "
    "but 'all' there is none") {
  const auto problem = make_problem("garland", 3, 2000, Seed{4}, 0.05, 0);
  const Changes changes{{"nu1", 3.0}, {"rho", 0.8}};
  const auto protocol = make_protocol(doo_algorithm(), &problem, 3, changes);
  RoleDriver driver(*protocol);
  driver.run();
  const auto loss = figure_named(*protocol, driver.outcome(&problem), "simple regret");
  REQUIRE(loss.bound);
  INFO(loss.bound->note);
  CHECK(loss.bound->kind == BoundKind::derived);
  CHECK(loss.measured <= loss.bound->value);
  CHECK(loss.bound->value < 0.5);
  const auto quorum =
      make_protocol(doo_algorithm(), &problem, 3, changes, {PolicyKind::quorum, 2, {}});
  RoleDriver other(*quorum);
  other.run();
  CHECK(figure_named(*quorum, other.outcome(&problem), "simple regret").bound->kind ==
        BoundKind::does_not_apply);
}

TEST_CASE("reported depths and cells of the trees equal counts from the plays") {
  // Every cell that HOO's trees hold was played; StoSOO's tree holds k for every expanded cell.
  const auto problem = make_problem(garland(), 1, 700, true, 3);
  const Partition halves(problem.domain(), PartitionKind::cyclic, 2);
  for (const auto* spec : {&hoo_algorithm(), &t_hoo_algorithm()}) {
    const auto protocol = make_protocol(*spec, &problem, 1);
    RoleDriver driver(*protocol);
    driver.run();
    std::set<Cell> cells;
    for (const auto& sent : driver.sent())
      if (const auto* query = sent.message.get<Query>()) cells.insert({query->depth, query->index});
    const auto outcome = driver.outcome(&problem);
    CHECK(figure_named(*protocol, outcome, "tree depth").measured == cells.rbegin()->depth);
    CHECK(figure_named(*protocol, outcome, "tree cells").measured ==
          static_cast<double>(cells.size()) + 1);  // and the root
  }
  const auto protocol = make_protocol(stosoo_algorithm(), &problem, 1);
  RoleDriver driver(*protocol);
  driver.run();
  const auto outcome = driver.outcome(&problem);
  const auto cells = figure_named(*protocol, outcome, "tree cells");
  const auto depth = figure_named(*protocol, outcome, "tree depth");
  // kappa = ceil(700 / ln^3 700) = 3: at most 233 cells are expanded; h_max = floor(sqrt(700 / 3)).
  CHECK(theory::stosoo_pulls(700) == 3);
  CHECK(cells.bound->value == 1 + 2 * 233);
  CHECK(depth.bound->value == 1 + 15);
  CHECK(std::fmod(cells.measured, 2) == 1);
}

}  // namespace
}  // namespace posse::test_learner_kinds
