// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "actors/fed_pne/messages.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_fed_pne {
namespace {

using namespace test;
using Table = std::vector<std::vector<std::uint64_t>>;

/// (h, |K|, t_h, kept, t_end, best) of every complete phase.
Table rows(const RoleDriver& driver) {
  Table table;
  for (const auto& e : driver.all<RoundEnded>(0))
    table.push_back(
        {e.best->depth, e.active_cells, e.pulls_per_cell, e.kept_cells, e.steps, e.best->index});
  return table;
}

Problem shifted_garlands(std::uint64_t budget, bool noisy = false, std::uint64_t seed = 1) {
  return make_problem(
      {garland(-0.03), garland(-0.01), garland(0.02), garland(0.04)}, budget, noisy, seed);
}
// Of the four above, by hand.
constexpr double kMeanMaximum = 0.8552356540;

/// tau_h by its formula.
double tau(double c, double log_term, double nu1, double rho, double h) {
  return std::max(1.0, std::ceil(c * c * log_term / (nu1 * nu1) * std::pow(rho, -2 * h)));
}

TEST_CASE("Fed-PNE reproduces the worked example") {
  const auto problem = shifted_garlands(2000);
  for (const bool trim : {false, true}) {
    const auto protocol =
        make_protocol(fed_pne_algorithm(), &problem, 4, {{"trim_last_plan", trim}});
    RoleDriver driver(*protocol, {.shuffled = true, .seed = 5});
    driver.run();
    REQUIRE(driver.all_finished());
    CHECK(rows(driver) == Table{{2, 4, 1, 4, 4, 3},
                                {3, 8, 2, 5, 20, 5},
                                {4, 10, 6, 8, 80, 7},
                                {5, 16, 24, 9, 464, 18}});
    CHECK(driver.pulls(4) == std::vector<std::uint64_t>(4, 2000));

    double global = 0;
    double local = 0;
    for (const auto& p : driver.all<PullsObserved>()) {
      const auto count = static_cast<double>(p.count);
      global += count * (kMeanMaximum - problem.mean(p.point));
      local += count * (kGarlandMaximum - problem.local(p.client, p.point));
    }
    // The maximum is given to 10 digits: 2000 pulls carry its error to 1e-7.
    CHECK(global / 4 == Approx(171.4934318).epsilon(0).margin(1.5e-7));
    CHECK(local / 4 == Approx(456.5669060).epsilon(0).margin(1.5e-7));

    const auto outcome = driver.outcome(&problem);
    CHECK(outcome.total(&TypeAccount::values, "LocalMeans") == 152);
    // The cut plan of 18 cells is trimmed to floor(1536/93) + 1 = 17.
    CHECK(outcome.total(&TypeAccount::values, "PhasePlan") == (trim ? 304 + 136 : 304 + 144));
    CHECK(outcome.total(&TypeAccount::sent) == 2 * 4 * 4 + 4);
    CHECK(broken_measurements(*protocol, outcome).empty());
    for (const auto* name : {"values up", "values down", "payload up", "payload down"}) {
      const auto measurement = figure_named(*protocol, outcome, name);
      REQUIRE(measurement.bound);
      CHECK(measurement.measured == measurement.bound->value);
    }
    const auto certificate = figure_named(*protocol, outcome, "cumulative regret");
    CHECK(certificate.bound->kind == BoundKind::does_not_apply);
    CHECK(certificate.bound->note.find("c = 0.1") != std::string::npos);
  }
}

TEST_CASE("Fed-PNE's first phase for a hundred clients is at depth 4 with one pull a cell") {
  const auto problem = make_problem(garland(), 100, 10000);
  const auto protocol = make_protocol(fed_pne_algorithm(), &problem, 100);
  RoleDriver driver(*protocol);
  driver.start();
  const auto* plan = driver.sent().front().message.get<PhasePlan>();
  REQUIRE(plan != nullptr);
  CHECK(plan->phase == 1);
  CHECK(plan->depth == 4);
  CHECK(plan->pulls == 1);
  CHECK(plan->index.size() == 16);
}

// "while |K| tau_h <= M or h < 1: K = children(K); h += 1", in later phases too.
TEST_CASE("Fed-PNE splits cells without sampling while one pull per client suffices") {
  // tau_h = 1 here; only the leftmost cell survives each phase.
  const auto problem = make_problem(cliff(), 100, 1000);
  const auto protocol =
      make_protocol(fed_pne_algorithm(), &problem, 100, {{"nu1", 30.0}, {"rho", 0.9}});
  RoleDriver driver(*protocol);
  driver.run();
  const auto table = rows(driver);
  REQUIRE(table.size() >= 2);
  // 64 cells are still within M = 100 looks, 128 aren't; then 128 of one survivor.
  CHECK(table[0] == std::vector<std::uint64_t>{7, 128, 1, 1, 128, 1});
  CHECK(table[1] == std::vector<std::uint64_t>{14, 128, 1, 1, 256, 1});
  CHECK(broken_measurements(*protocol, driver.outcome()).empty());
}

// "send every client PhasePlan(p, h, t_h, K)"; "for i in the plan's order, pull x_{h,i} t_h times
// in a row; send LocalMeans".
TEST_CASE("a client pulls the plan's cells in its order and answers with their means") {
  const auto problem = shifted_garlands(100, true);
  const auto protocol = make_protocol(fed_pne_algorithm(), &problem, 4);
  const auto client = protocol->make_role(NodeId{3});
  Reaction reaction(Time{}, NodeId{3});
  client->on_message({NodeId{0}, Round{1}, Payload::make(PhasePlan{1, 2, 5, {2, 3}})}, reaction);
  REQUIRE(reaction.effects().size() == 2);
  CHECK(std::get<EvaluateEffect>(reaction.effects()[0]).count == 10);
  const auto& send = std::get<SendEffect>(reaction.effects()[1]);
  CHECK(send.first == NodeId{0});
  CHECK(send.round == Round{1});
  RewardSource rewards(problem, 2);
  const auto* means = send.payload.get<LocalMeans>();
  REQUIRE(means != nullptr);
  CHECK(means->phase == 1);
  const std::vector<double> first{0.375};
  const std::vector<double> second{0.625};
  CHECK(means->means[0] == rewards.pull(first, 5) / 5);
  CHECK(means->means[1] == rewards.pull(second, 5) / 5);
  // A copy changes nothing; an older plan that a newer one overtook is reported and not done.
  reaction.reset(Time{}, NodeId{3});
  client->on_message({NodeId{0}, Round{1}, Payload::make(PhasePlan{1, 2, 5, {2, 3}})}, reaction);
  CHECK(reaction.effects().empty());
  CHECK(reaction.observations().empty());
}

// "mu_i = (1/M) sum_m mu_{m,i}; E = { i in K : mu_i + b + nu1 rho^h < mu_best - b }".
TEST_CASE("Fed-PNE eliminates cells by the paper's criterion") {
  const auto problem = shifted_garlands(20000, true);
  const double log_term = std::log(20000.0 / 0.25);
  const auto protocol = make_protocol(fed_pne_algorithm(), &problem, 4, {{"nu1", 0.5}});
  RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.4, .seed = 9});
  driver.run();
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> means;
  std::map<std::uint32_t, PhasePlan> plans;
  for (const auto& sent : driver.sent()) {
    if (const auto* m = sent.message.get<LocalMeans>())
      means[{m->phase, sent.message.from.value}] = m->means;
    if (const auto* p = sent.message.get<PhasePlan>()) plans[p->phase] = *p;
  }
  bool eliminated = false;
  const auto phases = driver.all<RoundEnded>(0);
  REQUIRE(phases.size() >= 4);
  for (std::uint32_t p = 1; p <= phases.size(); ++p) {
    const auto& plan = plans[p];
    std::vector<double> mu(plan.index.size(), 0.0);
    for (std::uint32_t client = 1; client <= 4; ++client)
      for (std::size_t i = 0; i < mu.size(); ++i) mu[i] += means[{p, client}][i];
    for (auto& x : mu) x /= 4;
    const double best = *std::max_element(mu.begin(), mu.end());
    const double b = 0.1 * std::sqrt(log_term / (4.0 * plan.pulls));
    std::vector<std::uint64_t> next;
    for (std::size_t i = 0; i < mu.size(); ++i)
      if (!(mu[i] + b + 0.5 * std::pow(0.5, plan.depth) < best - b)) {
        next.push_back(2 * plan.index[i] - 1);
        next.push_back(2 * plan.index[i]);
      }
    CHECK(phases[p - 1].kept_cells == next.size() / 2);
    CHECK(
        phases[p - 1].best->index ==
        plan.index[static_cast<std::size_t>(std::max_element(mu.begin(), mu.end()) - mu.begin())]);
    eliminated = eliminated || next.size() < 2 * mu.size();
    if (plans.count(p + 1) > 0 && p < phases.size()) CHECK(plans[p + 1].index == next);
  }
  CHECK(eliminated);
}

TEST_CASE("a cut phase uploads nothing and fills every client's budget") {
  for (const bool trim : {false, true}) {
    const auto problem = shifted_garlands(30);
    const auto protocol =
        make_protocol(fed_pne_algorithm(), &problem, 4, {{"trim_last_plan", trim}});
    RoleDriver driver(*protocol);
    driver.run();
    CHECK(driver.all_finished());
    CHECK(driver.pulls(4) == std::vector<std::uint64_t>(4, 30));
    const auto phases = driver.all<RoundEnded>(0);
    REQUIRE_FALSE(phases.empty());
    std::size_t uploads = 0;
    for (const auto& sent : driver.sent())
      uploads += sent.message.get<LocalMeans>() != nullptr ? 1 : 0;
    CHECK(uploads == 4 * phases.size());
    CHECK(broken_measurements(*protocol, driver.outcome(&problem)).empty());
  }
}

TEST_CASE("a trimmed plan never looks complete, whatever is left of the budget") {
  // Every budget up to 600: some leave a multiple of t_h, some nothing at all.
  bool divides = false;
  bool exact_end = false;
  for (std::uint64_t budget = 1; budget <= 600; ++budget) {
    const auto problem = make_problem(garland(), 3, budget);
    std::optional<Table> untrimmed;
    for (const bool trim : {false, true}) {
      const auto protocol = make_protocol(
          fed_pne_algorithm(), &problem, 3, {{"trim_last_plan", trim}, {"delta", 0.3}});
      RoleDriver driver(*protocol);
      driver.run();
      REQUIRE(driver.all_finished());
      REQUIRE(driver.pulls(3) == std::vector<std::uint64_t>(3, budget));
      REQUIRE(driver.all<StaleObserved>().empty());
      const auto outcome = driver.outcome(&problem);
      REQUIRE(broken_measurements(*protocol, outcome).empty());
      const auto down = figure_named(*protocol, outcome, "payload down");
      REQUIRE(down.measured == down.bound->value);
      if (!untrimmed) untrimmed = rows(driver);
      REQUIRE(rows(driver) == *untrimmed);
      const std::uint64_t left =
          budget - (outcome.rounds.empty() ? 0 : outcome.rounds.back().steps);
      exact_end = exact_end || left == 0;
      for (const auto& sent : driver.sent())
        if (const auto* plan = sent.message.get<PhasePlan>())
          if (plan->phase == outcome.rounds.size() + 1)
            divides = divides || (left > 0 && left % plan->pulls == 0 && plan->pulls > 1);
    }
  }
  CHECK(divides);
  CHECK(exact_end);
}

TEST_CASE("a quorum divides by the arrivals, uses their radius and reports late means as stale") {
  const auto problem = shifted_garlands(2000);
  const auto protocol =
      make_protocol(fed_pne_algorithm(), &problem, 4, {}, {PolicyKind::quorum, 2, {}});
  RoleDriver driver(*protocol);
  driver.start();
  // Plans to clients 1-4, then only the answers of clients 4 and 2 reach the server.
  for (int i = 0; i < 4; ++i) driver.deliver_one();
  auto answers = driver.pending();
  driver.pending().clear();
  REQUIRE(answers.size() == 4);
  const auto a = answers[1].message.get<LocalMeans>()->means;
  const auto b = answers[3].message.get<LocalMeans>()->means;
  driver.deliver(answers[3]);
  driver.deliver(answers[1]);
  const auto ended = driver.all<RoundEnded>(0);
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].arrived == 2);
  CHECK(ended[0].expected == 4);
  CHECK(ended[0].late == std::vector<NodeId>{NodeId{1}, NodeId{3}});
  std::vector<double> mu;
  for (std::size_t i = 0; i < a.size(); ++i) mu.push_back((a[i] + b[i]) / 2);
  const double best = *std::max_element(mu.begin(), mu.end());
  const double radius = 0.1 * std::sqrt(std::log(2000 / 0.25) / 2);  // t_h = 1
  std::size_t kept = 0;
  for (const auto x : mu) kept += x + radius + 0.25 < best - radius ? 0 : 1;
  CHECK(ended[0].kept_cells == kept);
  driver.deliver(answers[0]);
  driver.deliver(answers[0]);
  REQUIRE(driver.all<StaleObserved>(0).size() == 1);
  CHECK(driver.all<StaleObserved>(0)[0].from == NodeId{1});
  CHECK(driver.all<RoundEnded>(0).size() == 1);
  CHECK_FALSE(driver.role(1).waiting());  // the run may end without it
  const auto certificate = figure_named(*protocol, driver.outcome(&problem), "cumulative regret");
  CHECK(certificate.bound->kind == BoundKind::does_not_apply);
}

TEST_CASE("with losses and a deadline the server ends and no client exceeds its budget") {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    const auto problem = shifted_garlands(1000, true, seed);
    const auto protocol = make_protocol(
        fed_pne_algorithm(), &problem, 4, {}, {PolicyKind::deadline, 1, Duration::seconds(1)});
    RoleDriver driver(*protocol,
                      {.shuffled = true, .duplicates = 0.2, .losses = 0.2, .seed = seed});
    driver.run();
    if (driver.times_finished(0) == 0) {
      // Only possible when a whole phase was lost, and then the report names everybody.
      const auto waiting = driver.role(0).waiting();
      REQUIRE(waiting);
      REQUIRE(waiting->from.size() == 4);
    }
    for (const auto pulls : driver.pulls(4)) REQUIRE(pulls <= 1000);
    for (std::uint32_t client = 1; client <= 4; ++client)
      REQUIRE_FALSE(driver.role(client).waiting());
    REQUIRE(broken_measurements(*protocol, driver.outcome()).empty());
  }
}

TEST_CASE("Fed-PNE's stall report names the phase, the type and the missing clients") {
  const auto problem = shifted_garlands(2000);
  const auto protocol = make_protocol(fed_pne_algorithm(), &problem, 4);
  check_report_of_lost_answer(*protocol, "LocalMeans of phase 1", "PhasePlan of phase 1");
}

TEST_CASE("at the depth limit Fed-PNE pulls the best cell until T") {
  const auto problem = make_problem(cliff(), 2, 5000);
  const auto protocol =
      make_protocol(fed_pne_algorithm(), &problem, 2, {{"nu1", 30.0}, {"rho", 0.9}});
  RoleDriver driver(*protocol);
  driver.run();
  CHECK(driver.all_finished());
  CHECK(driver.pulls(2) == std::vector<std::uint64_t>{5000, 5000});
  const auto phases = driver.all<RoundEnded>(0);
  REQUIRE_FALSE(phases.empty());
  CHECK(phases.back().best == Cell{62, 1});
  CHECK(driver.all<PullsObserved>(1).back().count == 5000 - phases.back().steps);
  const auto outcome = driver.outcome();
  CHECK(outcome.total(&TypeAccount::sent, "LocalMeans") == 2 * phases.size());
  CHECK(broken_measurements(*protocol, outcome).empty());
}

TEST_CASE("Fed-PNE refuses budgets and constants that its messages and formulas can't carry") {
  const auto& spec = fed_pne_algorithm();
  const auto problem = make_problem(garland(), 2, 0xffffffffULL);
  auto parameters = default_parameters(spec.parameters);
  CHECK(spec.validate(parameters, {2, Seed{1}, {}, &problem}).size() == 1);
  const auto small = make_problem(garland(), 2, 10);
  CHECK(spec.validate(parameters, {2, Seed{1}, {}, &small}).empty());
  parameters.set("c1", 0.01);
  CHECK(spec.validate(parameters, {2, Seed{1}, {}, &small}).size() == 1);
}

TEST_CASE("Fed-PNE's invariants hold in random scenarios, whatever the order of arrival",
          "[long]") {
  std::mt19937 random(21);
  const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000; };
  int several_phases = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const auto clients = 1 + static_cast<std::uint32_t>(random() % 9);
    const std::uint64_t budget = 2 + random() % 4000;
    const std::uint32_t k = 2 + static_cast<std::uint32_t>(random() % 3);
    const double nu1 = 0.3 + 2 * unit();
    const double rho = 0.3 + 0.6 * unit();
    const double c = 0.05 + unit();
    const double delta = 0.01 + 0.99 * unit();
    const bool noisy = random() % 2 == 0;
    INFO("trial " << trial << ": M " << clients << ", T " << budget << ", k " << k << ", nu1 "
                  << nu1 << ", rho " << rho << ", c " << c << ", delta " << delta);
    std::vector<std::shared_ptr<const Objective>> locals;
    const bool flat = random() % 2 == 0;
    for (std::uint32_t m = 0; m < clients; ++m)
      locals.push_back(flat ? garland(0.1 * unit() - 0.05) : bowl(unit(), unit()));
    const auto problem = make_problem(std::move(locals), budget, noisy);
    const auto protocol = make_protocol(fed_pne_algorithm(),
                                        &problem,
                                        clients,
                                        {{"nu1", nu1},
                                         {"rho", rho},
                                         {"c", c},
                                         {"delta", delta},
                                         {"arity", std::int64_t{k}},
                                         {"trim_last_plan", random() % 2 == 0}});
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    const auto phases = driver.all<RoundEnded>(0);
    several_phases += phases.size() >= 4 ? 1 : 0;

    const double log_term = std::log(static_cast<double>(budget) / delta);
    const double bound = std::floor(
        0.5 * std::log(static_cast<double>(budget) * clients * nu1 * nu1 / (k * c * c * log_term)) /
            std::log(1 / rho) +
        1e-9);
    std::uint64_t steps = 0;
    std::uint32_t depth = 0;
    std::uint64_t cells_sum = 0;
    for (const auto& phase : phases) {
      const auto h = phase.best->depth;
      const double tau_h = tau(c, log_term, nu1, rho, h);
      REQUIRE(h > depth);
      REQUIRE(static_cast<double>(phase.active_cells) * tau_h > clients);
      const auto looks = static_cast<double>(clients * phase.pulls_per_cell);
      REQUIRE(looks >= tau_h);
      REQUIRE(looks - clients < tau_h);
      if (clients == 1) REQUIRE(looks == tau_h);
      REQUIRE(phase.kept_cells >= 1);
      REQUIRE(phase.kept_cells <= phase.active_cells);
      steps += phase.active_cells * phase.pulls_per_cell;
      cells_sum += phase.active_cells;
      REQUIRE(phase.steps == steps);
      depth = h;
    }
    REQUIRE(steps <= budget);
    if (!phases.empty()) {
      REQUIRE(static_cast<double>(phases.size()) <= bound);
      REQUIRE(depth <= bound);
    }
    REQUIRE(driver.pulls(clients) == std::vector<std::uint64_t>(clients, budget));
    const auto outcome = driver.outcome();
    REQUIRE(outcome.total(&TypeAccount::bytes, "LocalMeans") ==
            clients * (8 * phases.size() + 8 * cells_sum));
    REQUIRE(outcome.total(&TypeAccount::values, "LocalMeans") == clients * cells_sum);
    REQUIRE(outcome.total(&TypeAccount::sent) ==
            clients * (2 * phases.size() + (steps < budget ? 1 : 0)));
    for (const auto* name : {"values up", "values down", "payload up", "payload down"}) {
      const auto measurement = figure_named(*protocol, outcome, name);
      REQUIRE(measurement.measured == measurement.bound->value);
    }
    REQUIRE(broken_measurements(*protocol, outcome).empty());
    const auto forecast = protocol->forecast();
    REQUIRE(static_cast<double>(phases.size()) <= forecast.rounds);
    REQUIRE(static_cast<double>(outcome.total(&TypeAccount::sent)) <= forecast.messages);
    REQUIRE(static_cast<double>(outcome.total(&TypeAccount::bytes)) <= forecast.bytes);

    RoleDriver other(
        *protocol,
        {.shuffled = true, .duplicates = 0.3, .seed = static_cast<std::uint32_t>(trial)});
    other.run();
    REQUIRE(other.all_finished());
    REQUIRE(rows(other) == rows(driver));
    REQUIRE(other.sent().size() == driver.sent().size());
    REQUIRE(other.pulls(clients) == driver.pulls(clients));
    REQUIRE(other.all<StaleObserved>().empty());
  }
  CHECK(several_phases > 40);
}

TEST_CASE("with the theory's constants the good event keeps the optimum and the certificate") {
  const double nu1 = 1.4;
  const double rho = std::sqrt(0.5);
  const std::uint32_t clients = 8;
  const double c1 = std::pow(2.0 * clients, 0.125);
  const Partition partition(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  const std::vector<double> argmax{kGarlandArgmax};
  const double log_term = std::log(c1 * 20000 * clients);
  bool eliminated = false;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto problem = make_problem(garland(), clients, 20000, seed > 1, seed);
    const auto protocol = make_protocol(fed_pne_algorithm(),
                                        &problem,
                                        clients,
                                        {{"nu1", nu1}, {"rho", rho}, {"c", 2.0}, {"c1", c1}});
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    std::map<std::uint32_t, PhasePlan> plans;
    std::map<std::uint32_t, std::vector<double>> mu;
    for (const auto& sent : driver.sent()) {
      if (const auto* p = sent.message.get<PhasePlan>()) plans[p->phase] = *p;
      if (const auto* m = sent.message.get<LocalMeans>()) {
        mu[m->phase].resize(m->means.size());
        for (std::size_t i = 0; i < m->means.size(); ++i) mu[m->phase][i] += m->means[i] / clients;
      }
    }
    // E: every mean of every complete phase within b of f. Fails with probability < 1e-20 here.
    for (const auto& [phase, means] : mu)
      for (std::size_t i = 0; i < means.size(); ++i) {
        const auto x = partition.point({plans[phase].depth, plans[phase].index[i]});
        const double b =
            2 * std::sqrt(log_term / (clients * static_cast<double>(plans[phase].pulls)));
        REQUIRE(std::abs(means[i] - garland_at(x[0])) <= b);
      }
    REQUIRE(mu.size() >= 3);
    for (std::uint32_t phase = 1; phase <= mu.size(); ++phase) {
      const auto& plan = plans[phase];
      REQUIRE(std::count(plan.index.begin(),
                         plan.index.end(),
                         partition.locate(plan.depth, argmax).index) == 1);
      eliminated = eliminated || plan.index.size() < (std::size_t{1} << plan.depth);
      if (phase == mu.size() || plans[phase + 1].depth != plan.depth + 1) continue;
      for (const auto child : plans[phase + 1].index) {
        const auto x = partition.point({plan.depth, (child + 1) / 2});
        REQUIRE(garland_at(x[0]) >= kGarlandMaximum - 6 * nu1 * std::pow(rho, plan.depth));
      }
    }
    const auto measurement = figure_named(*protocol, driver.outcome(&problem), "cumulative regret");
    REQUIRE(measurement.bound->kind == BoundKind::derived);
    REQUIRE(measurement.measured <= measurement.bound->value);
    REQUIRE(measurement.bound->value <= 20000);
  }
  CHECK(eliminated);
}

}  // namespace
}  // namespace posse::test_fed_pne
