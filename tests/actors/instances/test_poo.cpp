// SPDX-License-Identifier: Apache-2.0
// POO and GPO over many nodes: the same as in one place.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <optional>

#include "actors/instances/messages.hpp"
#include "actors/instances/protocol.hpp"
#include "core/learner/gpo.hpp"
#include "core/learner/poo.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_poo {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;

const std::vector<TreeKind> kBases{TreeKind::hoo, TreeKind::t_hoo, TreeKind::hct, TreeKind::vhct};

/// Tells which instance was asked last.
class Watched final : public Learner {
 public:
  Watched(std::unique_ptr<Learner> learner, std::uint64_t number, std::uint64_t* asked)
      : learner_(std::move(learner)), number_(number), asked_(asked) {}
  std::unique_ptr<Learner> clone() const override {
    return std::make_unique<Watched>(learner_->clone(), number_, asked_);
  }
  Cell next() override {
    *asked_ = number_;
    return learner_->next();
  }
  void tell(double reward) override { learner_->tell(reward); }
  Cell recommend() const override { return learner_->recommend(); }

 private:
  std::unique_ptr<Learner> learner_;
  std::uint64_t number_;
  std::uint64_t* asked_;
};

/// In one place: POO or GPO as a learner, with the rewards that the instances of a run would get.
struct InOnePlace {
  InOnePlace(const Problem& p, TreeKind kind, double delta)
      : problem(p), partition(p.domain(), PartitionKind::cyclic, 2) {
    options.delta = delta;
    options.choices.seed = p.seed();
    options.choices.name = "instance";
    factory = [this, kind](const InstanceRequest& request) {
      return std::make_unique<Watched>(
          tree_instances(kind, partition, options)(request), request.number, &asked);
    };
  }
  double pull(std::uint64_t instance, Cell cell) {
    const auto [source, added] =
        sources.try_emplace(instance, problem, 0, "instance-" + std::to_string(instance));
    return source->second.pull(partition.point(cell), 1);
  }

  const Problem& problem;
  Partition partition;
  TreeLearnerOptions options;
  InstanceFactory factory;
  std::uint64_t asked = 0;
  std::map<std::uint64_t, RewardSource> sources;
};

/// Start and Found as they were sent.
struct Exchange {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Start> starts;  // by pass and instance
  std::map<std::pair<std::uint32_t, std::uint32_t>, Found> founds;
};
Exchange exchange_of(const RoleDriver& driver) {
  Exchange exchange;
  for (const auto& sent : driver.sent()) {
    const auto pass = sent.message.round.value;
    if (const auto* start = sent.message.get<Start>())
      exchange.starts[{pass, sent.to.value - 1}] = *start;
    if (const auto* found = sent.message.get<Found>())
      exchange.founds[{pass, sent.message.from.value - 1}] = *found;
  }
  return exchange;
}

TEST_CASE("POO's instances decide what POO in one place decides, after every pass") {
  for (const auto kind : kBases)
    for (const std::uint64_t budget : {1u, 2u, 5u, 97u, 1000u, 3001u}) {
      const auto problem = make_problem(garland(), 1, budget, true, budget);
      const auto protocol =
          make_protocol(poo_algorithm(), &problem, 1, {{"base", std::string(to_string(kind))}});
      RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.3, .seed = 4});
      driver.run();
      INFO(to_string(kind) << ", n = " << budget);
      REQUIRE(driver.all_finished());
      REQUIRE(driver.pulls(1) == std::vector<std::uint64_t>{budget});
      REQUIRE(driver.evaluations_declared() == budget);

      InOnePlace place(problem, kind, 1.0 / static_cast<double>(budget));
      Poo poo({}, budget, place.factory);
      const auto rounds = driver.all<RoundEnded>(0);
      const auto recommended = driver.all<RecommendationObserved>(0);
      REQUIRE(recommended.size() == rounds.size() + 1);
      std::uint64_t t = 0;
      for (std::size_t pass = 0; pass < rounds.size(); ++pass) {
        for (; t < rounds[pass].steps; ++t) {
          const Cell cell = poo.next();
          poo.tell(place.pull(place.asked, cell));
        }
        REQUIRE(recommended[pass + 1].point == place.partition.point(poo.recommend()));
      }
      REQUIRE(t == budget);
      const auto exchange = exchange_of(driver);
      std::map<std::uint32_t, Found> last;
      for (const auto& [key, found] : exchange.founds) last[key.second] = found;
      REQUIRE(last.size() == poo.instances().size());
      for (const auto& [instance, found] : last)
        REQUIRE(found.mean == poo.instances()[instance].mean());
      REQUIRE(broken_measurements(*protocol, driver.outcome(&problem)).empty());
    }
}

TEST_CASE("GPO's instances decide what GPO in one place decides") {
  for (const auto kind : kBases)
    for (const std::uint64_t budget : {1u, 2u, 7u, 100u, 1003u, 9999u}) {
      const auto problem = make_problem(garland(), 1, budget, true, budget);
      const auto protocol =
          make_protocol(gpo_algorithm(), &problem, 1, {{"base", std::string(to_string(kind))}});
      RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.3, .seed = 4});
      driver.run();
      INFO(to_string(kind) << ", n = " << budget);
      REQUIRE(driver.all_finished());
      REQUIRE(driver.pulls(1) == std::vector<std::uint64_t>{budget});
      REQUIRE(driver.evaluations_declared() == budget);
      InOnePlace place(problem, kind, 0.01);
      Gpo gpo({}, budget, place.factory);
      const auto e = gpo.plan().evaluations;
      const auto N = gpo.plan().instances;
      for (std::uint64_t t = 0; t < 2 * N * e; ++t) {
        const Cell cell = gpo.next();
        gpo.tell(place.pull(t < N * e ? t / e : t / e - N, cell));
      }
      const auto best = place.partition.point(gpo.recommend());
      REQUIRE(driver.all<RecommendationObserved>(0).back().point == best);
      const auto exchange = exchange_of(driver);
      REQUIRE(exchange.founds.size() == N);
      for (const auto& [key, found] : exchange.founds) {
        if (e > 0) REQUIRE(found.mean == gpo.candidates()[key.second].mean());
        REQUIRE(exchange.starts.at(key).rho == gpo.plan().rhos[key.second]);
        REQUIRE(exchange.starts.at(key).budget == 2 * e);
      }
      // The rest is the winner's, by the hub.
      std::uint64_t rest = 0;
      for (const auto& pulls : driver.all<PullsObserved>(0)) {
        rest += pulls.count;
        CHECK(pulls.point == best);
      }
      REQUIRE(rest == budget - 2 * N * e);
      REQUIRE(broken_measurements(*protocol, driver.outcome(&problem)).empty());
    }
}

TEST_CASE("POO follows the listing's schedule: rho and evaluations of every instance") {
  const std::uint64_t budget = 2000;
  const auto problem = make_problem(sine(), 1, budget);
  const auto protocol = make_protocol(poo_algorithm(), &problem, 1);
  RoleDriver driver(*protocol);
  driver.run();
  // The listing, counting only.
  const double d_max = std::log(2.0) / std::log(1 / 0.9);
  std::vector<double> rho{0.9};
  std::vector<std::uint64_t> evaluations{0};
  std::uint64_t left = budget;
  const auto evaluate = [&](std::size_t i, std::uint64_t count) {
    const auto done = std::min(left, count);
    evaluations[i] += done;
    left -= done;
  };
  double n = 0;
  double N = 1;
  while (left > 0) {
    while (left > 0 && n >= 3 && N <= 0.5 * d_max * std::log(n / std::log(n))) {
      for (double i = 1; i <= N && left > 0; ++i) {
        rho.push_back(std::pow(0.9, 2 * N / (2 * i + 1)));
        evaluations.push_back(0);
        evaluate(rho.size() - 1, static_cast<std::uint64_t>(n / N));
      }
      n *= 2;
      N *= 2;
    }
    for (std::size_t i = 0; i < rho.size(); ++i) evaluate(i, 1);
    n += static_cast<double>(rho.size());
  }
  REQUIRE(rho.size() > 8);
  std::vector<std::uint64_t> told(rho.size());
  for (const auto& [key, start] : exchange_of(driver).starts) {
    REQUIRE(key.second < rho.size());
    CHECK(start.nu == 1);
    CHECK(start.rho == rho[key.second]);
    told[key.second] += start.budget;
  }
  CHECK(told == evaluations);
  CHECK(figure_named(*protocol, driver.outcome(&problem), "instances").measured ==
        static_cast<double>(rho.size()));
}

TEST_CASE("messages are 24 bytes down and 8 + 8 d up, as many as the schedule says") {
  for (const auto* spec : {&poo_algorithm(), &gpo_algorithm(), &pct_algorithm(), &vpct_algorithm()})
    for (std::uint64_t budget = 1; budget < 60; ++budget) {
      const auto problem = make_problem(bowl(0.3, 0.8), 1, budget, true);
      const auto protocol = make_protocol(*spec, &problem, 1);
      RoleDriver driver(*protocol);
      driver.run();
      INFO(spec->kind << ", n = " << budget);
      REQUIRE(driver.all_finished());
      double bytes = 0;
      for (const auto& sent : driver.sent()) {
        const auto size = sent.message.payload.size_bytes();
        REQUIRE(size == 24);  // both, as d = 2
        bytes += static_cast<double>(size);
      }
      const auto forecast = protocol->forecast();
      CHECK(forecast.bytes == bytes);
      CHECK(forecast.messages == static_cast<double>(driver.sent().size()));
      CHECK(forecast.evaluations == static_cast<double>(budget));
      const auto outcome = driver.outcome(&problem);
      CHECK(static_cast<double>(outcome.rounds.size()) == forecast.rounds);
      CHECK(figure_named(*protocol, outcome, "evaluations").measured ==
            static_cast<double>(budget));
      CHECK(broken_measurements(*protocol, outcome).empty());
    }
  Found found{0.5, {{1, 2, 3}}};
  const auto payload = Payload::make(found);
  CHECK(payload.size_bytes() == 8 + 8 * 3);
  CHECK(payload.values() == 4);
}

TEST_CASE("PCT is GPO over HCT, VPCT over VHCT") {
  const auto problem = make_problem(garland(), 1, 500, true);
  const auto points = [&](const AlgorithmSpec& spec, const Changes& changes) {
    const auto protocol = make_protocol(spec, &problem, 1, changes);
    RoleDriver driver(*protocol);
    driver.run();
    std::vector<std::vector<double>> all;
    for (const auto& pulls : driver.all<PullsObserved>()) all.push_back(pulls.point);
    return all;
  };
  CHECK(points(pct_algorithm(), {}) == points(gpo_algorithm(), {}));
  CHECK(points(vpct_algorithm(), {}) == points(gpo_algorithm(), {{"base", std::string("vhct")}}));
  CHECK(points(pct_algorithm(), {}) != points(vpct_algorithm(), {}));
}

TEST_CASE("a long search is cut into reactions of 4096 evaluations, to no effect") {
  const auto problem = make_problem(garland(), 1, 200'000, true);
  const auto protocol = make_protocol(poo_algorithm(), &problem, 1, {{"rho_max", 0.3}});
  RoleDriver driver(*protocol);
  driver.run();
  REQUIRE(driver.all_finished());
  CHECK(driver.pulls(1) == std::vector<std::uint64_t>{200'000});
  InOnePlace place(problem, TreeKind::hct, 1.0 / 200'000);
  Poo poo({.rho_max = 0.3}, 200'000, place.factory);
  for (std::uint64_t t = 0; t < 200'000; ++t) {
    const Cell cell = poo.next();
    poo.tell(place.pull(place.asked, cell));
  }
  CHECK(driver.all<RecommendationObserved>(0).back().point ==
        place.partition.point(poo.recommend()));
}

TEST_CASE("faults change no decision of POO and PCT behind a reliable transport") {
  std::uint64_t repeated = 0;
  for (std::uint64_t number = 0; number < 30; ++number) {
    const auto& spec = number % 2 ? poo_algorithm() : pct_algorithm();
    const auto problem = make_problem("garland", 1, 400, Seed{number});
    Run run(spec, default_parameters(spec.parameters), 1, Seed{number}, &problem);
    run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.05)}}};
    run.spec.compute.evaluation = ConstantDuration{Duration::seconds(0.001)};
    const auto ideal = run_serial(run.spec).outcome;
    REQUIRE(ideal.status == RunStatus::finished);
    CHECK(broken_measurements(*run.protocol, ideal).empty());
    run.spec.network = random_network(Seed{number});
    run.spec.network.transport = Transport::reliable;
    run.spec.network.retransmission.max_tries = 1000;
    run.spec.network.links.front().loss = BernoulliLoss{0.2};
    run.spec.network.links.front().duplication = 0.2;
    const auto faulty = run_serial(run.spec).outcome;
    INFO(spec.kind << ", network " << number << " " << faulty.report);
    REQUIRE(faulty.status == RunStatus::finished);
    CHECK(faulty.regret.recommendation == ideal.regret.recommendation);
    CHECK(*faulty.regret.simple == *ideal.regret.simple);
    CHECK(faulty.regret.evaluations == 400);
    CHECK(faulty.rounds.size() == ideal.rounds.size());
    repeated += faulty.total(&TypeAccount::repeated);
    for (const std::size_t threads : {1, 2})
      CHECK(run_windows(run.spec, threads).outcome.fingerprint == faulty.fingerprint);
  }
  CHECK(repeated > 100);
}

TEST_CASE("a lost Start or Found stalls the run, and the report names it") {
  for (const auto* type : {"Start", "Found"}) {
    const auto& spec = poo_algorithm();
    const auto problem = make_problem("garland", 1, 400, Seed{1});
    Run run(spec, default_parameters(spec.parameters), 1, Seed{1}, &problem);
    run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.05)}}};
    run.spec.network.drops = {{.type = type, .round = Round{3}}};
    const auto outcome = run_serial(run.spec).outcome;
    CHECK(outcome.status == RunStatus::stalled);
    CHECK_THAT(outcome.report,
               Catch::Contains("poo has waited for Found of pass 3") && Catch::Contains(type));
  }
}

TEST_CASE("instances work for one client, and there are not too many of them") {
  const auto problem = make_problem(garland(), 3, 100'000);
  auto parameters = default_parameters(poo_algorithm().parameters);
  const auto several = poo_algorithm().validate(parameters, {3, Seed{1}, {}, &problem});
  REQUIRE(several.size() == 1);
  CHECK(several[0] ==
        "poo: all instances evaluate for one client, given 3; set clients = 1 in its "
        "[[algorithm]]");
  CHECK(poo_algorithm().validate(parameters, {1, Seed{1}, {}, nullptr}).empty());
  parameters.set("rho_max", 1 - 1e-6);
  for (const auto* spec : {&poo_algorithm(), &gpo_algorithm()}) {
    const auto many = spec->validate(parameters, {1, Seed{1}, {}, &problem});
    if (spec == &poo_algorithm()) parameters.set("base", std::string("hct"));
    INFO(spec->kind);
    // At most n/2 = 50000 instances can evaluate anything.
    CHECK(many.empty());
    const auto larger = make_problem(garland(), 1, 10'000'000);
    const auto refused = spec->validate(parameters, {1, Seed{1}, {}, &larger});
    REQUIRE(refused.size() == 1);
    CHECK_THAT(refused[0], Catch::Contains("at most 65536; lower rho_max"));
  }
}

}  // namespace
}  // namespace posse::test_poo
