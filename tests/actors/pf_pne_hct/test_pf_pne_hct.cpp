// SPDX-License-Identifier: Apache-2.0
// PF-PNE with HCT: stage 1 is PF-PNE's, the search alone is HCT's or VHCT's from what is known.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "actors/learners/hct.hpp"
#include "actors/pf_pne/messages.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "actors/pf_pne_hct/protocol.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/federations.hpp"
#include "tests/support/literal_pf_pne_hct.hpp"

namespace posse::test_pf_pne_hct {
namespace {

using namespace test;

const AlgorithmSpec& algorithm(bool variance) {
  return variance ? pf_pne_vhct_algorithm() : pf_pne_hct_algorithm();
}

std::vector<std::vector<double>> points_of(const RoleDriver& driver, std::uint32_t node) {
  std::vector<std::vector<double>> points;
  for (const auto& p : driver.all<PullsObserved>(node))
    points.insert(points.end(), p.count, p.point);
  return points;
}

Problem bowls(std::vector<std::pair<double, double>> maximisers,
              std::uint64_t budget,
              bool noisy = false) {
  std::vector<std::shared_ptr<const Objective>> locals;
  for (const auto& [a, b] : maximisers) locals.push_back(bowl(a, b));
  return make_problem(locals, budget, noisy);
}

TEST_CASE("clients do what the literal reading of the algorithm does, pull by pull", "[long]") {
  std::mt19937 random(51);
  int no_stage1 = 0, no_stage2 = 0, limit = 0;
  std::size_t eliminated = 0, pulled_again = 0, expanded_again = 0;
  for (int trial = 0; trial < 50; ++trial) {
    auto s = random_federation(random);
    const double deltas[] = {0, 2.5, 0.3, 0.05, 0.01};
    const double difference = deltas[random() % 5];
    const bool variance = trial % 2 == 0;
    if (trial % 10 == 3) {  // to any depth, with few pulls
      s.locals.assign(s.clients, cliff());
      s.noisy = false;
      s.nu1 = 20;
      s.rho = 0.9;
    } else if (trial % 3 == 0) {  // few pulls in stage 1
      s.nu1 = 1;
      s.rho = 0.5;
      s.c = 0.1;
      s.clients = std::max(s.clients, 4U);
      const auto another = s.locals.back();
      s.locals.resize(s.clients, another);
    }
    // VHCT's estimate of the variance is rounded otherwise, which decides between equal cells: its
    // noise has no ties.
    const auto problem = variance && s.noisy ? Problem(s.locals,
                                                       make_uniform_noise(0.1),
                                                       s.budget,
                                                       Seed{static_cast<std::uint64_t>(trial)})
                                             : s.problem(static_cast<std::uint64_t>(trial));
    const Partition partition(problem.domain(), PartitionKind::cyclic, s.arity, problem.seed());
    const LiteralPfPne::Constants constants{
        .nu1 = s.nu1, .rho = s.rho, .c = s.c, .delta = s.delta, .big_delta = difference};
    auto changes = s.changes();
    changes["max_difference"] = difference;
    changes["recommendation"] = std::string("last");
    const bool draws_ties = trial % 4 == 0;
    if (draws_ties) changes["ties"] = std::string("random");
    const auto protocol = make_protocol(algorithm(variance), &problem, s.clients, changes);
    RoleDriver driver(
        *protocol,
        {.shuffled = true, .duplicates = 0.3, .seed = static_cast<std::uint32_t>(trial)});
    driver.run();
    INFO("trial " << trial << ": M " << s.clients << ", T " << s.budget << ", k " << s.arity
                  << ", nu1 " << s.nu1 << ", rho " << s.rho << ", c " << s.c << ", Delta "
                  << difference);
    REQUIRE(driver.star_is_done());
    REQUIRE(driver.all<StaleObserved>().empty());
    const LiteralPfPne first(problem, partition, constants);
    std::uint32_t depth = 0;
    std::size_t cells = 0;
    for (std::uint32_t m = 0; m < s.clients; ++m) {
      const LiteralPfPneHct literal(problem,
                                    partition,
                                    first,
                                    constants,
                                    variance ? std::optional(1.0) : std::nullopt,
                                    {.ties = draws_ties ? TieBreak::random : TieBreak::lower,
                                     .seed = problem.seed(),
                                     .name = evaluator_name(m, "")},
                                    m,
                                    [](const LiteralHct&) {});
      const auto points = points_of(driver, m + 1);
      REQUIRE(points.size() == s.budget);
      const auto differs =
          std::mismatch(points.begin(), points.end(), literal.points.begin(), literal.points.end());
      INFO("client " << m << ", evaluation " << differs.first - points.begin());
      REQUIRE(differs.first == points.end());
      if (literal.stage1_pulls < s.budget)
        REQUIRE(driver.all<RecommendationObserved>(m + 1).back().point == points.back());
      depth = std::max(depth, literal.depth);
      cells = std::max(cells, literal.cells);
      no_stage2 += literal.stage1_pulls == s.budget;
      eliminated += literal.eliminated;
      pulled_again += literal.pulled_again;
      expanded_again += literal.expanded_again;
    }
    no_stage1 += first.stage1.empty() && first.H0() < 0;
    limit += depth == partition.max_depth();
    const auto outcome = driver.outcome(&problem);
    REQUIRE(broken_measurements(*protocol, outcome).empty());
    REQUIRE(within_forecast(*protocol, outcome));
    if (depth == 0) continue;  // no stage 2
    REQUIRE(figure_named(*protocol, outcome, "tree depth").measured == depth);
    REQUIRE(figure_named(*protocol, outcome, "tree cells").measured == static_cast<double>(cells));
  }
  CHECK(no_stage1 > 3);
  CHECK(no_stage2 > 15);
  CHECK(limit > 1);
  CHECK(eliminated > 300);
  CHECK(pulled_again > 300);
  CHECK(expanded_again > 15);
}

TEST_CASE("stage 1 is PF-PNE's, message by message") {
  std::mt19937 random(52);
  std::size_t messages = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const auto s = random_federation(random);
    const auto problem = s.problem(static_cast<std::uint64_t>(trial));
    const auto pf_pne = make_protocol(pf_pne_algorithm(), &problem, s.clients, s.changes());
    const auto hct = make_protocol(algorithm(trial % 2 == 0), &problem, s.clients, s.changes());
    RoleDriver a(*pf_pne);
    RoleDriver b(*hct);
    a.run();
    b.run();
    INFO("trial " << trial);
    REQUIRE(rounds_table(a) == rounds_table(b));
    REQUIRE(a.sent().size() == b.sent().size());
    for (std::size_t i = 0; i < a.sent().size(); ++i) {
      const auto& left = a.sent()[i];
      const auto& right = b.sent()[i];
      REQUIRE(left.to == right.to);
      REQUIRE(left.message.round == right.message.round);
      if (const auto* means = left.message.get<LocalMeans>()) {
        REQUIRE(right.message.get<LocalMeans>()->means == means->means);
      } else {
        const auto* survivors = left.message.get<Survivors>();
        const auto* others = right.message.get<Survivors>();
        REQUIRE(survivors->radius == others->radius);
        REQUIRE(survivors->cells.size() == others->cells.size());
        for (std::size_t j = 0; j < survivors->cells.size(); ++j) {
          REQUIRE(survivors->cells[j].index == others->cells[j].index);
          REQUIRE(survivors->cells[j].mean == others->cells[j].mean);
        }
      }
    }
    messages += a.sent().size();
  }
  CHECK(messages > 1000);
}

TEST_CASE("without stage 1 every client makes the decisions of the learner alone, in every bit",
          "[long]") {
  std::mt19937 random(53);
  for (int trial = 0; trial < 40; ++trial) {
    const auto s = random_federation(random);
    const auto problem = s.problem(static_cast<std::uint64_t>(trial));
    const bool variance = trial % 2 == 0;
    auto alone = s.changes();
    if (trial % 3 == 0) alone["ties"] = std::string("random");
    if (trial % 5 == 0) alone["point"] = std::string("uniform");
    auto changes = alone;
    changes["max_difference"] = 2 * s.nu1;
    if (variance) alone["placement"] = std::string("local");
    const auto local = make_protocol(
        variance ? vhct_algorithm() : hct_local_algorithm(), &problem, s.clients, alone);
    const auto protocol = make_protocol(algorithm(variance), &problem, s.clients, changes);
    RoleDriver a(*local);
    RoleDriver b(*protocol);
    a.run();
    b.run();
    INFO("trial " << trial << ": M " << s.clients << ", T " << s.budget);
    REQUIRE(b.all_finished());
    REQUIRE(b.sent().empty());
    REQUIRE(pulls_made(a, s.clients) == pulls_made(b, s.clients));
    for (std::uint32_t m = 0; m < s.clients; ++m) {
      const auto expected = a.all<RecommendationObserved>(m);
      const auto found = b.all<RecommendationObserved>(m + 1);  // the first is the root
      REQUIRE(found.size() == expected.size() + 1);
      for (std::size_t i = 0; i < expected.size(); ++i)
        REQUIRE(found[i + 1].point == expected[i].point);
    }
    const auto after = b.outcome(&problem);
    REQUIRE(after.counts == a.outcome(&problem).counts);
    CHECK(figure_named(*protocol, after, "H0, deepest depth searched together").measured == -1);
  }
}

TEST_CASE("a client finds its maximum in a cell that the others eliminated") {
  // Nine clients want (0.2, 0.2), the tenth (0.9, 0.8).
  std::vector<std::pair<double, double>> maximisers(9, {0.2, 0.2});
  maximisers.emplace_back(0.9, 0.8);
  const auto problem = bowls(maximisers, 3000);
  for (const bool variance : {false, true}) {
    const auto protocol = make_protocol(
        algorithm(variance), &problem, 10, {{"recommendation", std::string("most-pulled")}});
    RoleDriver driver(*protocol);
    driver.run();
    const Partition partition(problem.domain(), PartitionKind::cyclic, 2);
    const std::vector<double> maximiser{0.9, 0.8};
    bool lost = false;
    for (const auto& sent : driver.sent())
      if (const auto* survivors = sent.message.get<Survivors>())
        lost = lost ||
               std::none_of(
                   survivors->cells.begin(), survivors->cells.end(), [&](const Survivor& cell) {
                     return partition.locate(survivors->depth, maximiser).index == cell.index;
                   });
    REQUIRE(lost);
    const auto pulls = points_of(driver, 10);
    double late = 0;  // regret of the second half
    for (std::size_t t = 1500; t < 3000; ++t) late += 1 - problem.local(9, pulls[t]);
    CHECK(late / 1500 < 0.05);  // at (0.2, 0.2) it has a regret of 0.425
    CHECK(1 - problem.local(9, driver.all<RecommendationObserved>(10).back().point) < 0.01);
  }
}

TEST_CASE("with valid constants no B on the way to a client's maximum is below it") {
  // In the cell of a, |x - a|^2 / 2 is at most an eighth of the squared diameter: 0.3125 2^-h.
  std::mt19937 random(54);
  const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000; };
  std::size_t checked = 0;
  std::size_t eliminated = 0;
  for (int trial = 0; trial < 12; ++trial) {
    std::vector<std::pair<double, double>> maximisers;
    for (int m = 0; m < 6; ++m) maximisers.emplace_back(unit(), unit());
    const auto problem = bowls(maximisers, 500);
    const Partition partition(problem.domain(), PartitionKind::cyclic, 2);
    const LiteralPfPne::Constants constants{
        .nu1 = 0.32, .rho = 0.5, .c = 0.1, .delta = 0.01, .big_delta = 0.03};
    const LiteralPfPne first(problem, partition, constants);
    const bool variance = trial % 2 == 0;
    for (std::size_t m = 0; m < 6; ++m) {
      const std::vector<double> a{maximisers[m].first, maximisers[m].second};
      const LiteralPfPneHct literal(problem,
                                    partition,
                                    first,
                                    constants,
                                    variance ? std::optional(1.0) : std::nullopt,
                                    {},
                                    m,
                                    [&](const LiteralHct& hct) {
                                      for (std::uint32_t h = 1;; ++h) {
                                        const auto node = hct.tree().find(partition.locate(h, a));
                                        if (node == hct.tree().end()) break;
                                        REQUIRE(node->second.b >= 1 - 1e-12);
                                        ++checked;
                                      }
                                    });
      eliminated += literal.eliminated;
    }
  }
  CHECK(checked > 50'000);
  CHECK(eliminated > 50);
}

TEST_CASE("PF-PNE with HCT uses every budget at the ends of its parameters' ranges") {
  for (const std::uint64_t budget : {1, 2, 7, 60})
    for (const bool variance : {false, true})
      for (const double nu1 : {1e-100, 1.0, 1e100})
        for (const double rho : {1e-6, 1 - 1e-9})
          for (const double difference : {0.0, 1e-3, 1e100}) {
            const auto problem = make_problem(garland(), 3, budget, true);
            const auto protocol =
                make_protocol(algorithm(variance),
                              &problem,
                              3,
                              {{"nu1", nu1}, {"rho", rho}, {"max_difference", difference}});
            RoleDriver driver(*protocol);
            driver.run();
            INFO("T " << budget << ", nu1 " << nu1 << ", rho " << rho << ", Delta " << difference);
            REQUIRE(driver.star_is_done());
            REQUIRE(driver.pulls(3) == std::vector<std::uint64_t>(3, budget));
            REQUIRE(driver.evaluations_declared() == 3 * budget);
            REQUIRE(broken_measurements(*protocol, driver.outcome(&problem)).empty());
            REQUIRE(within_forecast(*protocol, driver.outcome(&problem)));
          }
}

TEST_CASE("the theory's constants are those of both stages") {
  const auto problem = make_problem({garland(0), garland(0.1)}, 3000);
  const auto changes = Changes{{"constants", std::string("theory")}, {"nu1", 1.4}};
  const auto protocol = make_protocol(pf_pne_hct_algorithm(), &problem, 2, changes);
  const auto pf_pne =
      make_protocol(pf_pne_algorithm(), &problem, 2, {{"nu1", 1.4}, {"c", 2 / std::sqrt(0.5)}});
  CHECK(protocol->comparison_facts().widths == Widths::theory);
  RoleDriver a(*protocol);
  RoleDriver b(*pf_pne);
  a.run();
  b.run();
  CHECK(rounds_table(a) == rounds_table(b));
  CHECK(rounds_table(a).size() > 1);
}

TEST_CASE("a stalled stage 1 names who is missing") {
  const auto problem = make_problem(garland(), 4, 2000, true);
  const auto protocol = make_protocol(pf_pne_vhct_algorithm(), &problem, 4);
  RoleDriver driver(*protocol);
  driver.start();
  driver.pending().erase(driver.pending().begin() + 2);  // client 2's means of the root
  while (driver.deliver_one()) {
  }
  const auto server = driver.role(0).waiting();
  REQUIRE(server);
  CHECK(server->for_what == "LocalMeans of depth 0");
  CHECK(server->from == std::vector<NodeId>{NodeId{3}});
  const auto client = driver.role(1).waiting();
  REQUIRE(client);
  CHECK(client->for_what == "Survivors of depth 0");
  CHECK(client->from == std::vector<NodeId>{NodeId{0}});
}

TEST_CASE("a client that misses Survivors goes on with the next, and uses its whole budget") {
  const auto problem = bowls({{0.2, 0.3}, {0.3, 0.2}, {0.25, 0.25}, {0.8, 0.7}}, 1500, true);
  for (const bool variance : {false, true})
    for (std::uint32_t missed = 0; missed < 5; ++missed) {
      const auto protocol =
          make_protocol(algorithm(variance), &problem, 4, {}, {PolicyKind::quorum, 3, {}});
      RoleDriver driver(*protocol);
      driver.start();
      // Client 3 never hears of depth `missed`.
      while (true) {
        auto& pending = driver.pending();
        std::erase_if(pending, [&](const Delivery& d) {
          const auto* survivors = d.message.get<Survivors>();
          return survivors != nullptr && survivors->depth == missed && d.to == NodeId{4};
        });
        if (!driver.deliver_one() && !driver.fire_one()) break;
      }
      INFO("depth " << missed);
      CHECK(driver.star_is_done());
      CHECK(driver.pulls(4) == std::vector<std::uint64_t>(4, 1500));
      CHECK(broken_measurements(*protocol, driver.outcome(&problem)).empty());
    }
}

TEST_CASE("a crash with kept state at any time changes no decision, and lost state ends the run") {
  const auto problem = make_problem("garland", 3, 300, Seed{5}, 0.02);
  std::size_t interrupted = 0;
  for (const bool variance : {false, true})
    for (const double difference : {0.05, 2.0}) {
      auto parameters = default_parameters(algorithm(variance).parameters);
      parameters.set("max_difference", difference);
      Run run(algorithm(variance), parameters, 3, Seed{9}, &problem);
      const auto ms = [](double x) { return Duration::seconds(x * 1e-3); };
      run.spec.network.links = {{.latency = ConstantDuration{ms(3)}}};
      run.spec.network.transport = Transport::reliable;
      run.spec.network.retransmission.timeout = ms(15);
      run.spec.compute.evaluation = ConstantDuration{ms(0.1)};
      const auto ideal = run_serial(run.spec).outcome;
      REQUIRE(ideal.status == RunStatus::finished);
      for (int at = 1; at < 60; at += 2) {
        run.spec.network.node_faults = {{.nodes = {"client-1"},
                                         .when = {.at = Time{} + ms(at), .lasting = ms(7)},
                                         .kind = NodeFaultKind::crash}};
        const auto kept = run_serial(run.spec);
        INFO("crash at " << at << " ms: " << kept.outcome.report);
        REQUIRE(kept.outcome.status == RunStatus::finished);
        check_same_decisions(ideal, kept.outcome);
        interrupted += !kept.faults.empty();

        run.spec.network.node_faults[0].loses_state = true;
        const auto lost = run_serial(run.spec).outcome;
        // A server that waits for all never gets means that were lost.
        REQUIRE(lost.status != RunStatus::failed);
        CHECK(lost.regret.max_evaluations <= 300);
        for (const auto& measurement : run.protocol->measurements(lost))
          CHECK_FALSE(violated(measurement));
        if (difference > 1) CHECK(lost.status == RunStatus::finished);
        CHECK(run_windows(run.spec, 2).outcome.fingerprint == lost.fingerprint);
      }
    }
  CHECK(interrupted > 40);
}

TEST_CASE("PF-PNE with HCT refuses what the formulas of stage 1 can't carry") {
  const auto problem = make_problem(garland(), 2, 10);
  for (const bool variance : {false, true}) {
    const auto& spec = algorithm(variance);
    auto parameters = default_parameters(spec.parameters);
    CHECK(spec.validate(parameters, {2, Seed{1}, {}, &problem}).empty());
    CHECK(spec.validate(parameters, {2, Seed{1}, {}, nullptr}).empty());
    parameters.set("c1", 0.01);
    const auto errors = spec.validate(parameters, {2, Seed{1}, {}, &problem});
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].rfind(std::string(spec.kind) + ": ln(c1 T / delta)", 0) == 0);
  }
}

}  // namespace
}  // namespace posse::test_pf_pne_hct
