// SPDX-License-Identifier: Apache-2.0
// What the program knows of each algorithm before a run: topology, server policies, messages, nodes
// and where a bound on a learner's tree lies.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "actors/blin/protocol.hpp"
#include "actors/common/common_measurements.hpp"
#include "actors/common/restarted.hpp"
#include "actors/fed_pne/private_protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_pne_variance/protocol.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "actors/fn_ucb/protocol.hpp"
#include "actors/hct_batched/protocol.hpp"
#include "actors/instances/protocol.hpp"
#include "actors/learners/blind_search.hpp"
#include "actors/learners/doo.hpp"
#include "actors/learners/gp_ts.hpp"
#include "actors/learners/hct.hpp"
#include "actors/learners/hoo.hpp"
#include "actors/learners/learner_kind.hpp"
#include "actors/learners/sequool.hpp"
#include "actors/learners/soo.hpp"
#include "actors/learners/stosoo.hpp"
#include "actors/learners/stroquool.hpp"
#include "actors/learners/vroom.hpp"
#include "actors/learners/zooming.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "actors/pf_pne_reuse/protocol.hpp"
#include "actors/reward_bandit/protocol.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_specs {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;

TEST_CASE("topology, policies and messages of each algorithm", "[specs]") {
  struct Row {
    const AlgorithmSpec* spec;
    Topology topology;
    bool has_policy;  // and then its server averages
    std::size_t messages;
  };
  const auto star = Topology::star;
  for (const Row& row : {Row{&fed_pne_algorithm(), star, true, 11},
                         Row{&dp_fed_pne_algorithm(), star, true, 11},
                         Row{&fed_pne_variance_algorithm(), star, false, 2},
                         Row{&pf_pne_algorithm(), star, true, 2},
                         Row{&pf_pne_reuse_algorithm(), star, false, 2},
                         Row{&fed1_ucb_algorithm(), star, true, 2},
                         Row{&fed2_ucb_algorithm(), star, false, 3},
                         Row{&fn_ucb_algorithm(), star, false, 5},
                         Row{&blin_algorithm(), star, true, 2},
                         Row{&hct_batched_algorithm(), star, true, 2},
                         Row{&vhct_batched_algorithm(), star, true, 2},
                         Row{&hct_algorithm(), star, true, 2},
                         Row{&hct_central_algorithm(), star, true, 2},
                         Row{&hct_local_algorithm(), Topology::none, false, 0},
                         Row{&stosoo_algorithm(), star, true, 2},
                         Row{&soo_algorithm(), star, true, 2},
                         Row{&doo_algorithm(), star, true, 2},
                         Row{&sequool_algorithm(), star, true, 2},
                         Row{&stroquool_algorithm(), star, true, 2},
                         Row{&zooming_algorithm(), star, true, 2},
                         Row{&vroom_algorithm(), star, true, 2},
                         Row{&poo_algorithm(), star, false, 2},
                         Row{&vpct_algorithm(), star, false, 2},
                         Row{&sgd_ucb_smom_algorithm(), star, false, 3},
                         Row{&rucb_median_algorithm(), star, false, 3},
                         Row{&parallel_algorithm(), Topology::full_mesh, false, 11}}) {
    INFO(row.spec->kind);
    CHECK(row.spec->topology == row.topology);
    CHECK(row.spec->uses_policy == row.has_policy);
    CHECK(row.spec->averages == row.has_policy);
    CHECK(row.spec->messages.size() == row.messages);
    const bool rewards = row.spec->messages.size() == 3 && row.spec != &fed2_ucb_algorithm();
    CHECK(row.spec->needs_arms == rewards);
    CHECK(row.spec->needs_problem == !rewards);
    CHECK(row.spec->make != nullptr);
    CHECK(row.spec->validate != nullptr);
  }
  CHECK(Payload::make(Restarted{}).values() == 0);
  CHECK(Payload::make(Restarted{}).size_bytes() == 0);
}

TEST_CASE("nodes of a star, of a hierarchy and of a mesh, who can lose its state", "[specs]") {
  const auto problem = make_problem(garland(), 4, 100);
  const auto with = [&](const AlgorithmSpec& spec, const Changes& changes = {}) {
    return make_protocol(spec, &problem, 4, changes);
  };
  for (const auto* spec : {&fed_pne_algorithm(),
                           &pf_pne_algorithm(),
                           &blin_algorithm(),
                           &fed1_ucb_algorithm(),
                           &hct_batched_algorithm()}) {
    INFO(spec->kind);
    const auto protocol = with(*spec);
    const auto groups = protocol->groups();
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].name == "server");
    CHECK(groups[0].size == 1);
    CHECK_FALSE(groups[0].numbered);
    CHECK(groups[1].name == "client");
    CHECK(groups[1].size == 4);
    CHECK(groups[1].numbered);
    CHECK(groups[1].first_number == 0);
    CHECK_FALSE(protocol->topology());
    CHECK_FALSE(protocol->can_lose_state(NodeId{0}));
    CHECK(protocol->can_lose_state(NodeId{1}));
    CHECK(protocol->waits_for_all());
    const auto quorum = make_protocol(*spec, &problem, 4, {}, {PolicyKind::quorum, 2, {}});
    CHECK_FALSE(quorum->waits_for_all());
  }
  const auto edges = with(fed_pne_algorithm(), {{"edges", std::int64_t{3}}});
  const auto groups = edges->groups();
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].size == 1);
  CHECK_FALSE(groups[0].numbered);
  CHECK(groups[1].name == "edge");
  CHECK(groups[1].size == 3);
  CHECK(groups[1].numbered);
  CHECK(groups[2].size == 4);
  CHECK(groups[2].numbered);
  CHECK(edges->topology() == Topology::hierarchy);
  CHECK_FALSE(edges->can_lose_state(NodeId{5}));
  CHECK_FALSE(with(fed_pne_algorithm(), {{"compact_plan", true}})->can_lose_state(NodeId{1}));
  for (const auto* spec : {&fed_pne_variance_algorithm(),
                           &pf_pne_reuse_algorithm(),
                           &fed2_ucb_algorithm(),
                           &fn_ucb_algorithm()}) {
    INFO(spec->kind);
    CHECK_FALSE(with(*spec)->can_lose_state(NodeId{1}));
  }
  CHECK_FALSE(with(fn_ucb_algorithm())->waits_for_all());
  CHECK(with(pf_pne_reuse_algorithm())->waits_for_all());
  CHECK(with(parallel_algorithm())->waits_for_all());
  CHECK(with(hct_central_algorithm())->waits_for_all());
  CHECK_FALSE(with(hct_local_algorithm())->waits_for_all());

  const auto mesh = with(parallel_algorithm())->groups();
  REQUIRE(mesh.size() == 1);
  CHECK(mesh[0].name == "player");
  CHECK(mesh[0].size == 4);
  CHECK(mesh[0].numbered);
  const auto learners = with(hct_central_algorithm())->groups();
  REQUIRE(learners.size() == 2);
  CHECK(learners[0].name == "learner");
  CHECK(learners[0].size == 1);
  CHECK_FALSE(learners[0].numbered);
  CHECK(learners[1].name == "environment");
  CHECK(learners[1].numbered);
  const auto local = with(hct_local_algorithm())->groups();
  REQUIRE(local.size() == 1);
  CHECK(local[0].name == "client");
  CHECK(local[0].numbered);
  const auto gpo = with(gpo_algorithm())->groups();
  CHECK(gpo[0].name == "gpo");
  CHECK_FALSE(gpo[0].numbered);
  CHECK(gpo[1].numbered);
  CHECK(with(poo_algorithm())->groups()[0].name == "poo");
  CHECK(with(poo_algorithm())->several_evaluators());
  CHECK_FALSE(with(fed_pne_algorithm())->several_evaluators());
}

TEST_CASE("ceilings on the trees of the learners at fixed budgets", "[specs]") {
  RunOutcome outcome;
  outcome.counts["tree depth"] = 1;
  outcome.counts["tree cells"] = 3;
  const auto check = [&](const AlgorithmSpec& spec,
                         std::uint64_t budget,
                         const Changes& changes,
                         double depth,
                         double cells) {
    INFO(spec.kind << ", n = " << budget);
    const auto problem = make_problem(garland(), 1, budget);
    const auto protocol = make_protocol(spec, &problem, 1, changes);
    const auto deepest = figure_named(*protocol, outcome, "tree depth");
    const auto most = figure_named(*protocol, outcome, "tree cells");
    CHECK(deepest.measured == 1);
    CHECK(most.measured == 3);
    for (const auto& measurement : {deepest, most}) {
      REQUIRE(measurement.bound);
      CHECK(measurement.bound->kind == BoundKind::exact);
      CHECK(measurement.bound->strength == BoundStrength::always);
      CHECK_FALSE(measurement.bound->is_lower);
    }
    CHECK(deepest.bound->value == depth);
    CHECK(most.bound->value == Approx(cells).epsilon(1e-12));
  };
  // HOO expands at every evaluation: depth n, and a cell more each time, down to the depth limit.
  check(hoo_algorithm(), 20, {}, 20, 1 + 20);
  check(hoo_algorithm(), 3000, {}, 62, 1 + 3000);
  // T-HOO: D = ceil(ln(n) / (2 ln 2)), 1 + 2 + … + 2^D cells, at most 1 + n.
  check(t_hoo_algorithm(), 1000, {}, 5, 63);
  check(t_hoo_algorithm(), 1000, {{"depth_slack", std::int64_t{1}}}, 6, 127);
  check(t_hoo_algorithm(), 1000, {{"depth_slack", std::int64_t{9}}}, 14, 1001);
  check(t_hoo_algorithm(), 1000, {{"arity", std::int64_t{3}}}, 5, 364);
  // StoSOO: kappa = ceil(1000 / ln^3 1000) = 4, h_max = floor(sqrt(250)) = 15; 250 expansions.
  check(stosoo_algorithm(), 1000, {}, 16, 1 + 2 * 250);
  check(stosoo_algorithm(), 1000, {{"pulls", std::int64_t{30}}}, 6, 1 + 2 * 33);
  check(stosoo_algorithm(),
        1000,
        {{"max_depth", std::int64_t{9}}, {"arity", std::int64_t{3}}},
        10,
        1 + 3 * 250);
  // SOO and DOO: a cell for each evaluation, ceil(999 / k) expansions.
  check(soo_algorithm(), 1000, {}, 62, 1000);
  check(soo_algorithm(), 100, {}, 50, 100);
  check(soo_algorithm(), 1000, {{"max_depth", std::int64_t{9}}}, 10, 1000);
  check(doo_algorithm(), 1000, {}, 62, 1000);
  check(doo_algorithm(), 20, {{"arity", std::int64_t{3}}}, 7, 20);
  // SequOOL: 500 openings, H_500 = 6.7928, h_max = 73; 50 openings, H_50 = 4.4992, h_max = 11.
  check(sequool_algorithm(), 1000, {}, 62, 1001);
  check(sequool_algorithm(), 100, {}, 12, 101);
  check(sequool_algorithm(), 100, {{"openings", std::int64_t{8}}}, 3, 101);
  // StroquOOL: H_1000 = 7.4855, h_max = floor(1000 / (2 * 72.003)) = 6; for n = 10^5 (H = 12.0901)
  // 291.
  check(stroquool_algorithm(), 1000, {}, 7, 1001);
  check(stroquool_algorithm(), 1000, {{"horizon", std::int64_t{100'000}}}, 62, 1001);
  // Zooming, nu1 = 1, rho = 0.5, n = 1000: T_h = floor(2 ln(1000) 4^h) = 13, 55, 221, 884.
  check(zooming_algorithm(), 1000, {{"rho", 0.5}}, 4, 1 + 2 * (1 + 2 + 4 + 1));
  // HCT, c = 0.1, delta = 0.01: L(1) = ln(100 / (1/6)^{1/8}) = 4.8291, n / (c^2 L(1)) = 20707.6,
  // depth 1 + floor(7.168); tau_h = 1 1 4 13 50 198 792 for h = 1 … 7, and n / tau_h < 2^h from 5
  // on.
  check(hct_algorithm(), 1000, {}, 8, 1 + 2 * (1 + 2 + 4 + 8 + 16 + 20 + 5 + 1));
}

TEST_CASE("the floor under the regret of arms is the best arm's gap, less what rounding may add",
          "[specs]") {
  // All arms and the maximum are 1/4: the gap is 0, the slack 1e-9 (1 + 1/4 + 1/4) an evaluation.
  const auto flat = make_problem(std::make_shared<FunctionObjective>(
                                     Box::cube(1, 0, 1),
                                     [](std::span<const double>) { return 0.25; },
                                     0.25,
                                     std::vector<double>{0.5}),
                                 2,
                                 100);
  RunOutcome outcome;
  outcome.regret.evaluations = 200;
  const ArmPoints arms(flat.domain(), {.per_dimension = 5, .random_points = 10}, Seed{1});
  const auto floor = regret_floor_of_arms(flat, arms, outcome);
  CHECK(floor.value == Approx(-100 * 1.5e-9).epsilon(1e-9));
  CHECK(floor.is_lower);
  CHECK(floor.kind == BoundKind::exact);
  CHECK(floor.strength == BoundStrength::always);
  // A maximum that no arm has: 3/4 above them.
  const auto spike =
      make_problem(std::make_shared<FunctionObjective>(
                       Box::cube(1, 0, 1),
                       [](std::span<const double> x) { return x[0] == 0.5 ? 1.0 : 0.25; },
                       1.0,
                       std::vector<double>{0.5}),
                   2,
                   100);
  CHECK(regret_floor_of_arms(spike, arms, outcome).value ==
        Approx(100 * (0.75 - 2.25e-9)).epsilon(1e-13));
}

}  // namespace
}  // namespace posse::test_specs
