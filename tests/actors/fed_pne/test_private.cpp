// SPDX-License-Identifier: Apache-2.0
// DP-Fed-PNE: what leaves a client, and what Fed-PNE's guarantees become.
#include <catch2/catch.hpp>
#include <cmath>

#include "actors/fed_pne/messages.hpp"
#include "actors/fed_pne/private_bounds.hpp"
#include "actors/fed_pne/private_protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/federations.hpp"

namespace posse::test_dp_fed_pne {
namespace {

using namespace test;

const std::vector<std::string> kExact{
    "messages", "values up", "values down", "payload up", "payload down", "epsilon"};

Changes private_changes(const Changes& base, double epsilon, bool gaussian, bool theory) {
  Changes changes = base;
  changes["epsilon"] = epsilon;
  changes["mechanism"] = std::string(gaussian ? "gaussian" : "laplace");
  changes["radius"] = std::string(theory ? "theory" : "practical");
  return changes;
}

TEST_CASE("without noise DP-Fed-PNE is Fed-PNE: every message, pull and decision") {
  std::mt19937 random(61);
  for (int trial = 0; trial < 100; ++trial) {
    const auto s = random_federation(random);
    const auto problem = s.problem();
    auto changes = s.changes();
    const auto fed_pne = make_protocol(fed_pne_algorithm(), &problem, s.clients, changes);
    RoleDriver plain(*fed_pne);
    plain.run();
    changes["mechanism"] = std::string("none");
    const auto protocol = make_protocol(dp_fed_pne_algorithm(), &problem, s.clients, changes);
    RoleDriver driver(*protocol);
    driver.run();
    INFO("trial " << trial);
    REQUIRE(rounds_table(driver) == rounds_table(plain));
    REQUIRE(pulls_made(driver, s.clients) == pulls_made(plain, s.clients));
    REQUIRE(driver.sent().size() == plain.sent().size());
    for (std::size_t i = 0; i < plain.sent().size(); ++i)
      REQUIRE(driver.sent()[i].message.payload.hash() == plain.sent()[i].message.payload.hash());
    const auto measurements = protocol->measurements(driver.outcome(&problem));
    CHECK(std::none_of(measurements.begin(), measurements.end(), [](const Measurement& f) {
      return f.name == "epsilon";
    }));
  }
}

TEST_CASE("released means are the clipped ones plus noise of the stated variance") {
  // Uniform noise leaves [0, 1] where Garland is near 1.
  const std::uint32_t clients = 40;
  const auto problem = make_problem("garland", clients, 4000, Seed{3}, 0.05, 0.2);
  REQUIRE_FALSE(problem.noise().within_unit_interval());
  const Partition partition(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  for (const bool gaussian : {false, true}) {
    const double epsilon = 0.8;
    const auto protocol = make_protocol(
        dp_fed_pne_algorithm(), &problem, clients, private_changes({}, epsilon, gaussian, false));
    RoleDriver driver(*protocol);
    driver.run();
    std::map<std::uint32_t, PhasePlan> plans;
    for (const auto& sent : driver.sent())
      if (const auto* p = sent.message.get<PhasePlan>()) plans[p->phase] = *p;
    std::vector<RewardSource> sources;
    for (std::uint32_t m = 0; m < clients; ++m) sources.emplace_back(problem, m);
    double sum = 0;
    double squares = 0;
    double fourth = 0;
    double n = 0;
    bool clipped = false;
    for (const auto& sent : driver.sent()) {
      const auto* local = sent.message.get<LocalMeans>();
      if (local == nullptr) continue;
      const auto& plan = plans[local->phase];
      auto& source = sources[sent.message.from.value - 1];
      for (std::size_t i = 0; i < local->means.size(); ++i) {
        const auto x = partition.point({plan.depth, plan.index[i]});
        double mean = 0;
        for (std::uint32_t pull = 0; pull < plan.pulls; ++pull) {
          const double reward = source.pull(x, 1);
          clipped = clipped || reward > 1;
          mean += std::min(1.0, std::max(0.0, reward));
        }
        const double t = plan.pulls;
        const double noise = t * (local->means[i] - mean / t);
        sum += noise;
        squares += noise * noise;
        fourth += noise * noise * noise * noise;
        ++n;
      }
    }
    const double variance =
        gaussian ? 2 * std::log(1.25 / 1e-5) / (epsilon * epsilon) : 2 / (epsilon * epsilon);
    INFO("gaussian " << gaussian << ", " << n << " means");
    CHECK(clipped);
    CHECK(n > 400);
    // Five standard errors each: a false alarm in fewer than one in a million seeds.
    CHECK(std::abs(sum / n) < 5 * std::sqrt(variance / n));
    CHECK(std::abs(squares / n - variance) < 5 * std::sqrt((fourth / n - variance * variance) / n));
    CHECK(fourth / n / (variance * variance) == Approx(gaussian ? 3 : 6).epsilon(0.35));
  }
}

/// f plus something large on one pull: what one reward may do to a release.
class OutlierNoise final : public Noise {
 public:
  explicit OutlierNoise(double size) : size_(size) {}
  double sum_of_rewards(double f,
                        UniformStream&,
                        std::uint64_t first,
                        std::uint64_t count) const override {
    double sum = 0;
    for (std::uint64_t i = first; i < first + count; ++i) sum += i == 6 ? f + size_ : f;
    return sum;
  }
  double range_width() const override { return 1; }
  bool within_unit_interval() const override { return false; }

 private:
  double size_;
};

TEST_CASE("a reward moves one released mean by at most 1/t, however large it is") {
  std::vector<std::vector<double>> released;
  for (const double size : {-1e9, 1e9}) {
    const auto f = bowl(0.5, 0.5);
    const Problem problem({f, f}, std::make_unique<OutlierNoise>(size), 100, Seed{1});
    const auto protocol = make_protocol(dp_fed_pne_algorithm(), &problem, 2);
    const auto client = protocol->make_role(NodeId{1});
    Reaction reaction(Time{}, NodeId{1});
    client->on_message({NodeId{0}, Round{1}, Payload::make(PhasePlan{1, 2, 4, {1, 2, 3, 4}})},
                       reaction);
    released.push_back(
        std::get<SendEffect>(reaction.effects()[1]).payload.get<LocalMeans>()->means);
  }
  CHECK(released[0][0] == released[1][0]);
  CHECK(released[1][1] - released[0][1] == Approx(0.25));
  CHECK(released[0][2] == released[1][2]);
  CHECK(released[0][3] == released[1][3]);
}

TEST_CASE("private federations keep Fed-PNE's invariants, counts and forecasts") {
  std::mt19937 random(62);
  int several = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const auto s = random_federation(random);
    const bool gaussian = random() % 2 == 0;
    const bool theory = random() % 2 == 0;
    const double epsilon = 0.05 + static_cast<double>(random() % 95) / 100;
    const auto problem = s.problem();
    auto changes = private_changes(s.changes(), epsilon, gaussian, theory);
    changes["compact_plan"] = random() % 2 == 0;
    INFO("trial " << trial << ": M " << s.clients << ", T " << s.budget << ", epsilon " << epsilon);
    const auto protocol = make_protocol(dp_fed_pne_algorithm(), &problem, s.clients, changes);
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    REQUIRE(driver.pulls(s.clients) == std::vector<std::uint64_t>(s.clients, s.budget));
    const auto outcome = driver.outcome(&problem);
    REQUIRE(exact_counts(*protocol, outcome) == kExact);
    REQUIRE(broken_measurements(*protocol, outcome).empty());
    REQUIRE(within_forecast(*protocol, outcome));
    several += outcome.rounds.size() >= 2 ? 1 : 0;
    const theory::FedPneParameters p{.clients = s.clients,
                                     .horizon = s.budget,
                                     .nu1 = s.nu1,
                                     .rho = s.rho,
                                     .c = s.c,
                                     .delta = s.delta};
    const theory::Privacy privacy{.mechanism = gaussian ? theory::PrivacyMechanism::gaussian
                                                        : theory::PrivacyMechanism::laplace,
                                  .epsilon = epsilon,
                                  .theory_radius = theory};
    for (const auto& phase : outcome.rounds) {
      const auto h = phase.best->depth;
      const auto tau = theory::dp_fed_pne_tau(p, privacy, h);
      REQUIRE(phase.pulls_per_cell == (tau + s.clients - 1) / s.clients);
      REQUIRE(phase.active_cells * tau > s.clients);
    }
    RoleDriver other(
        *protocol,
        {.shuffled = true, .duplicates = 0.3, .seed = static_cast<std::uint32_t>(trial)});
    other.run();
    REQUIRE(other.all_finished());
    REQUIRE(rounds_table(other) == rounds_table(driver));
  }
  CHECK(several > 40);
}

TEST_CASE("on the event that rewards and noise stay within b' the optimum is kept") {
  const double nu1 = 1.4;
  const double rho = std::sqrt(0.5);
  const std::uint32_t clients = 16;
  const double c1 = std::pow(2.0 * clients, 0.125);
  const Partition partition(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  const std::vector<double> argmax{kGarlandArgmax};
  bool eliminated = false;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const bool gaussian = seed % 2 == 0;
    const double epsilon = 1;
    const auto problem = make_problem(garland(), clients, 60'000, true, seed);
    const auto protocol = make_protocol(
        dp_fed_pne_algorithm(),
        &problem,
        clients,
        private_changes(
            {{"nu1", nu1}, {"rho", rho}, {"c", 2.0}, {"c1", c1}}, epsilon, gaussian, true));
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
    // b' by private_bounds.hpp, W from beta.
    const double lambda = std::log(c1 * 60'000 * clients);
    const double l = 8 * lambda;  // ln(2 / beta)
    const double w = gaussian ? std::sqrt(2 * std::log(1.25e5)) * std::sqrt(2 * l / clients)
                              : std::max(4.0, std::sqrt(2 * l)) * std::sqrt(8 * l) / clients;
    REQUIRE(mu.size() >= 2);
    for (const auto& [phase, means] : mu)
      for (std::size_t i = 0; i < means.size(); ++i) {
        const double t = plans[phase].pulls;
        const double b = 2 * std::sqrt(lambda / (clients * t)) + w / t;
        const auto x = partition.point({plans[phase].depth, plans[phase].index[i]});
        // Fails with probability < 1e-20 here.
        REQUIRE(std::abs(means[i] - garland_at(x[0])) <= b);
        REQUIRE(b <= nu1 * std::pow(rho, plans[phase].depth) * (1 + 1e-9));
      }
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
  }
  CHECK(eliminated);
}

TEST_CASE(
    "measurements say what is private, and where clipping or the radius spoil the certificate") {
  const auto note_of = [](double noise, const Changes& changes, const char* name) {
    const auto problem = make_problem("garland", 4, 500, Seed{1}, 0.05, noise);
    const auto protocol = make_protocol(dp_fed_pne_algorithm(), &problem, 4, changes);
    RoleDriver driver(*protocol);
    driver.run();
    return figure_named(*protocol, driver.outcome(&problem), name).bound->note;
  };
  using Catch::Contains;
  const Changes theory{{"radius", std::string("theory")}, {"c", 2.0}, {"c1", 2.0}};
  CHECK_THAT(note_of(0.1, {}, "epsilon"),
             Contains("epsilon-private") && Contains("clipped, which biases means"));
  CHECK_THAT(note_of(0, {{"mechanism", std::string("gaussian")}}, "epsilon"),
             Contains("(epsilon, 1e-05)-private") && !Contains("clipped"));
  CHECK_THAT(note_of(0, {}, "cumulative regret"), Contains("practical rule, not by a bound"));
  CHECK_THAT(note_of(0.1, theory, "cumulative regret"), Contains("are clipped"));
  CHECK_THAT(note_of(0, theory, "cumulative regret"),
             !Contains("clipped") && !Contains("practical") && Contains("2 delta/T^6"));
}

TEST_CASE(
    "DP-Fed-PNE ends within its bounds with tiny budgets and at the gaussian mechanism's limit") {
  for (std::uint64_t budget = 1; budget <= 40; ++budget) {
    const auto problem = make_problem(garland(), 3, budget);
    const auto protocol = make_protocol(dp_fed_pne_algorithm(), &problem, 3);
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    REQUIRE(driver.pulls(3) == std::vector<std::uint64_t>(3, budget));
    REQUIRE(broken_measurements(*protocol, driver.outcome(&problem)).empty());
  }
  const auto& spec = dp_fed_pne_algorithm();
  const auto problem = make_problem(garland(), 3, 100);
  auto parameters = default_parameters(spec.parameters);
  parameters.set("mechanism", std::string("gaussian"));
  CHECK(spec.validate(parameters, {3, Seed{1}, {}, &problem}).empty());
  parameters.set("epsilon", 1.5);
  const auto problems = spec.validate(parameters, {3, Seed{1}, {}, &problem});
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].find("dp-fed-pne: the gaussian mechanism") == 0);
}

TEST_CASE("private releases don't depend on the network") {
  const auto& algorithm = dp_fed_pne_algorithm();
  for (std::uint64_t number = 0; number < 60; ++number) {
    const auto clients = static_cast<std::uint32_t>(1 + number % 5);
    const auto problem = make_problem("garland", clients, 300, Seed{number}, 0.05);
    Run run(algorithm, default_parameters(algorithm.parameters), clients, Seed{number}, &problem);
    check_faults_change_no_decision(run, number);
  }
}

}  // namespace
}  // namespace posse::test_dp_fed_pne
