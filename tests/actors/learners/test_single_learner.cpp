// SPDX-License-Identifier: Apache-2.0
// Single learners behind a network and alone: what the hosts do, whatever the learner.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "actors/learners/central_learner.hpp"
#include "actors/learners/single_learner.hpp"
#include "core/domain/partition.hpp"
#include "core/role/checkpoints.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_single_learner {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;

/// Goes through the cells of depth 3 in an order that depends on every reward it was told; keeps
/// what it was told where tests can see it.
class Scripted final : public Learner {
 public:
  explicit Scripted(std::vector<double>* told) : told_(told) {}
  std::unique_ptr<Learner> clone() const override { return std::make_unique<Scripted>(*this); }
  Cell next() override { return cell_; }
  void tell(double reward) override {
    if (told_ != nullptr) told_->push_back(reward);
    sum_ += reward;
    best_ = cell_;
    cell_ = after(sum_);
    ++steps_;
  }
  Cell recommend() const override { return best_; }
  std::optional<TreeSize> tree() const override { return TreeSize{3, steps_}; }
  static Cell after(double sum) {
    return {3, 1 + static_cast<std::uint64_t>(std::abs(sum) * 1e6) % 8};
  }

 private:
  std::vector<double>* told_;
  Cell cell_{3, 1};
  Cell best_{0, 1};
  double sum_ = 0;
  std::uint64_t steps_ = 0;
};

std::map<std::string, std::vector<double>> told;  // by learner, where a test listens

class ScriptedKind final : public LearnerKind {
 public:
  static constexpr std::string_view kName = "scripted";
  ScriptedKind(const Parameters& parameters, const ProtocolContext& context)
      : points_(make_partition(parameters, context.problem->domain(), context.seed)) {}
  const PointSet& points() const override { return points_; }
  std::unique_ptr<Learner> make(std::string_view name) const override {
    const auto listening = told.find(std::string(name));
    return std::make_unique<Scripted>(listening == told.end() ? nullptr : &listening->second);
  }
  static std::vector<ParameterSpec> parameters() { return partition_parameters(); }
  static std::vector<std::string> validate(const Parameters&, const ProtocolContext&) { return {}; }

 private:
  Partition points_;
};

const AlgorithmSpec& scripted() {
  static const auto spec = single_learner<ScriptedKind>({"scripted", "a script", "this test"});
  return spec;
}
const Changes kLocal{{"placement", std::string("local")}};

Problem garlands(std::uint64_t budget, std::uint64_t seed = 1) {
  return make_problem({garland(-0.03), garland(-0.01), garland(0.04)}, budget, true, seed);
}
Partition halves() { return Partition(Box::cube(1, 0, 1), PartitionKind::cyclic, 2); }

TEST_CASE("the central learner is told the mean over the clients, in their order, step by step") {
  const auto problem = garlands(300);
  told = {{"learner", {}}};
  const auto protocol = make_protocol(scripted(), &problem, 3);
  RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.3, .seed = 3});
  driver.run();
  REQUIRE(driver.all_finished());
  // The mean over the clients by hand.
  const auto partition = halves();
  std::vector<RewardSource> sources;
  for (std::size_t m = 0; m < 3; ++m) sources.emplace_back(problem, m);
  Cell cell{3, 1};
  double sum = 0;
  const auto& heard = told.at("learner");
  REQUIRE(heard.size() == 300);
  for (const double reward : heard) {
    const auto x = partition.point(cell);
    double mean = 0;
    for (auto& source : sources) mean += source.pull(x, 1);
    mean /= 3;
    REQUIRE(reward == mean);
    sum += mean;
    cell = Scripted::after(sum);
  }
  CHECK(driver.pulls(3) == std::vector<std::uint64_t>(3, 300));
  CHECK(driver.evaluations_declared() == 900);
  told.clear();
}

TEST_CASE("a step is a round of one query and one answer per client, 16 and 12 bytes") {
  const auto problem = garlands(40);
  const auto protocol = make_protocol(scripted(), &problem, 3);
  RoleDriver driver(*protocol);
  driver.run();
  std::uint32_t queries = 0;
  std::uint32_t rewards = 0;
  const auto rounds = driver.all<RoundEnded>(0);
  REQUIRE(rounds.size() == 40);
  for (const auto& sent : driver.sent()) {
    if (const auto* query = sent.message.get<Query>()) {
      ++queries;
      CHECK(sent.message.payload.size_bytes() == 16);
      CHECK(sent.message.round.value == query->t);
      CHECK(rounds[query->t - 1].best == Cell{query->depth, query->index});
      CHECK(rounds[query->t - 1].steps == query->t);
    }
    if (const auto* reward = sent.message.get<Reward>()) {
      ++rewards;
      CHECK(sent.message.payload.size_bytes() == 12);
      CHECK(sent.message.round.value == reward->t);
      CHECK(sent.to == NodeId{0});
    }
  }
  CHECK(queries == 120);
  CHECK(rewards == 120);
  const auto outcome = driver.outcome(&problem);
  for (const auto& [name, value] : std::map<std::string, double>{
           {"rounds", 40}, {"messages", 240}, {"payload up", 1440}, {"payload down", 1920}}) {
    const auto measurement = figure_named(*protocol, outcome, name);
    CHECK(measurement.measured == value);
    REQUIRE(measurement.bound);
    CHECK(measurement.bound->is_identity);
    CHECK(measurement.bound->value == value);
  }
  CHECK(broken_measurements(*protocol, outcome).empty());
  CHECK(figure_named(*protocol, outcome, "tree cells").measured == 40);
  CHECK(figure_named(*protocol, outcome, "tree depth").measured == 3);
  const auto forecast = protocol->forecast();
  CHECK(forecast.evaluations == 120);
  CHECK(forecast.rounds == 40);
  CHECK(forecast.messages == 240);
  CHECK(forecast.bytes == 3360);
}

TEST_CASE("every budget from 1 is spent exactly, centrally and locally") {
  for (const auto& changes : {Changes{}, kLocal})
    for (std::uint64_t budget = 1; budget <= 20; ++budget) {
      const auto problem = garlands(budget);
      const auto protocol = make_protocol(scripted(), &problem, 3, changes);
      RoleDriver driver(*protocol);
      driver.run();
      REQUIRE(driver.all_finished());
      REQUIRE(driver.pulls(3) == std::vector<std::uint64_t>(3, budget));
      REQUIRE(driver.evaluations_declared() == 3 * budget);
      REQUIRE(broken_measurements(*protocol, driver.outcome(&problem)).empty());
    }
}

TEST_CASE("a quorum's mean is over the arrivals, late rewards are reported and not used") {
  const auto problem = garlands(10);
  told = {{"learner", {}}};
  const auto protocol = make_protocol(scripted(), &problem, 3, {}, {PolicyKind::quorum, 2, {}});
  RoleDriver driver(*protocol);
  driver.start();
  for (int i = 0; i < 3; ++i) driver.deliver_one();  // queries
  const auto answers = driver.pending();
  REQUIRE(answers.size() == 3);
  driver.deliver(answers[2]);
  driver.deliver(answers[2]);  // a copy
  CHECK(told.at("learner").empty());
  driver.deliver(answers[0]);
  const auto reward = [&](int i) { return answers[i].message.get<Reward>()->reward; };
  REQUIRE(told.at("learner").size() == 1);
  CHECK(told.at("learner")[0] == (reward(0) + reward(2)) / 2);
  const auto ended = driver.all<RoundEnded>(0);
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].arrived == 2);
  CHECK(ended[0].late == std::vector<NodeId>{NodeId{2}});
  driver.deliver(answers[1]);
  CHECK(driver.all<StaleObserved>().size() == 1);
  CHECK(told.at("learner").size() == 1);
  told.clear();
}

TEST_CASE("a deadline closes the step with what has arrived") {
  const auto problem = garlands(5);
  told = {{"learner", {}}};
  const auto protocol =
      make_protocol(scripted(), &problem, 3, {}, {PolicyKind::deadline, 1, Duration::seconds(1)});
  RoleDriver driver(*protocol);
  driver.start();
  for (int i = 0; i < 3; ++i) driver.deliver_one();
  const auto answers = driver.pending();
  driver.pending().clear();
  driver.deliver(answers[1]);
  CHECK(told.at("learner").empty());
  driver.fire_one();
  REQUIRE(told.at("learner").size() == 1);
  CHECK(told.at("learner")[0] == answers[1].message.get<Reward>()->reward);
  told.clear();
}

TEST_CASE("an environment that saw a newer query leaves an older one alone") {
  const auto problem = garlands(10);
  const auto protocol = make_protocol(scripted(), &problem, 3);
  const auto environment = protocol->make_role(NodeId{2});
  Reaction reaction(Time{}, NodeId{2});
  const auto query = [&](std::uint32_t t) {
    reaction.reset(Time{}, NodeId{2});
    environment->on_message({NodeId{0}, Round{t}, Payload::make(Query{t, 1, 1})}, reaction);
  };
  query(2);
  CHECK(reaction.effects().size() == 2);
  query(2);
  CHECK(reaction.effects().empty());
  query(1);
  CHECK(reaction.effects().empty());
  REQUIRE(reaction.observations().size() == 1);
  CHECK(std::get<StaleObserved>(reaction.observations()[0].observation).round == Round{1});
}

/// Parameters of the scripted algorithm with some changed.
Parameters parameters_with(const Changes& changes) {
  auto parameters = default_parameters(scripted().parameters);
  for (const auto& [name, value] : changes) parameters.set(name, value);
  return parameters;
}

TEST_CASE("local learners do on their own objectives what a direct loop does, without a message") {
  const std::uint64_t budget = 10'000;  // more than one reaction's share
  const auto problem = garlands(budget);
  Run run(scripted(), parameters_with(kLocal), 3, Seed{1}, &problem);
  run.spec.compute.evaluation = ConstantDuration{Duration::seconds(0.001)};
  const auto result = run_serial(run.spec);
  REQUIRE(result.outcome.status == RunStatus::finished);
  CHECK(result.outcome.finished_at == Time{} + Duration::seconds(10));
  CHECK(result.outcome.rounds.empty());
  CHECK(result.outcome.accounts.empty());
  CHECK(result.node_names == std::vector<std::string>{"client-0", "client-1", "client-2"});

  const auto partition = halves();
  double local = 0;
  double global = 0;
  double simple = 0;
  std::map<std::uint64_t, double> at;  // simple local regret after so many evaluations
  for (std::uint32_t m = 0; m < 3; ++m) {
    RewardSource source(problem, m);
    double sum = 0;
    for (std::uint64_t t = 1; t <= budget; ++t) {
      const auto x = partition.point(Scripted::after(t == 1 ? 0 : sum));
      const double gap = problem.local_maximum(m).value - problem.local(m, x);
      local += gap;
      global += problem.mean_maximum().value - problem.mean(x);
      sum += source.pull(x, 1);
      at[t] += gap / 3;
      if (t == budget) simple += gap;
    }
  }
  const auto& regret = result.outcome.regret;
  CHECK(regret.evaluations == 3 * budget);
  CHECK(regret.local_cumulative == Approx(local / 3).epsilon(1e-12));
  CHECK(regret.cumulative == Approx(global / 3).epsilon(1e-12));
  CHECK(*regret.local_simple == Approx(simple / 3).epsilon(1e-12));
  CHECK(regret.local_recommendations.size() == 3);
  // The curve's simple regrets are those of the recommendations right then.
  int points = 0;
  for (const auto& point : result.regret_curve) {
    if (point.metric != "local_simple_regret") continue;
    ++points;
    CHECK(point.value == Approx(at.at(point.evaluations)).epsilon(1e-12));
    CHECK(point.virtual_s == Approx(0.001 * static_cast<double>(point.evaluations)));
  }
  CHECK(points > 40);
  CHECK(broken_measurements(*run.protocol, result.outcome).empty());
}

TEST_CASE("a local learner works in pieces: up to the next checkpoint, at most 4096 evaluations") {
  const auto problem = garlands(50'000);
  const auto protocol = make_protocol(scripted(), &problem, 3, kLocal);
  const auto role = protocol->make_role(NodeId{1});
  Reaction reaction(Time{}, NodeId{1});
  role->on_start(reaction);
  std::uint64_t sum = 0, largest = 0;
  Checkpoints checkpoints;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    std::uint64_t piece = 0;
    for (const auto& effect : reaction.effects()) {
      if (const auto* evaluate = std::get_if<EvaluateEffect>(&effect)) piece += evaluate->count;
      if (const auto* timer = std::get_if<SetTimerEffect>(&effect)) {
        CHECK(timer->after_work);
        goes_on = true;
      }
    }
    sum += piece;
    largest = std::max(largest, piece);
    CHECK(sum <= checkpoints.next());
    checkpoints.reached(sum);
    reaction.reset(Time{}, NodeId{1});
    if (goes_on) role->on_timer(TimerId{1}, reaction);
  }
  CHECK(sum == 50'000);
  CHECK(largest == 4096);
}

TEST_CASE("points drawn at every pull are drawn by whoever pulls, each in the cell") {
  for (const bool local : {false, true}) {
    const auto problem = garlands(50);
    Changes changes{{"point", std::string("uniform")}};
    if (local) changes.insert(*kLocal.begin());
    const auto protocol = make_protocol(scripted(), &problem, 3, changes);
    RoleDriver driver(*protocol);
    driver.run();
    const auto partition = halves();
    std::set<double> points;
    for (const auto& pulls : driver.all<PullsObserved>()) {
      CHECK(pulls.count == 1);
      points.insert(pulls.point[0]);
    }
    CHECK(points.size() == 150);
    if (local) continue;
    const auto rounds = driver.all<RoundEnded>(0);
    const auto first = driver.all<PullsObserved>(1);
    for (std::size_t t = 0; t < 50; ++t)
      CHECK(partition.locate(3, first[t].point) == rounds[t].best);
  }
}

RunOutcome run_on(const NetworkConfig& network, const Problem& problem, Policy policy = {}) {
  Run run(scripted(), parameters_with({}), 3, problem.seed(), &problem, policy);
  run.spec.network = network;
  run.spec.compute.evaluation = ExponentialDuration{Duration::seconds(0.001), Duration{}};
  run.spec.limits.virtual_time = Time{} + Duration::seconds(36'000);
  auto outcome = run_serial(run.spec).outcome;
  for (const std::size_t threads : {1, 2})
    CHECK(run_windows(run.spec, threads).outcome.fingerprint == outcome.fingerprint);
  CHECK(broken_measurements(*run.protocol, outcome).empty());
  return outcome;
}

TEST_CASE("lost, copied and reordered messages change no decision behind a reliable transport") {
  std::uint64_t repeated = 0;
  std::uint64_t discarded = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const auto problem = garlands(60, number);
    const auto ideal = run_on({.links = {{.latency = ConstantDuration{Duration{1000}}}}}, problem);
    auto network = random_network(Seed{number});
    network.transport = Transport::reliable;
    network.retransmission.max_tries = 1000;
    network.links.front().loss = BernoulliLoss{0.2};
    network.links.front().duplication = 0.2;
    const auto faulty = run_on(network, problem);
    INFO("network " << number << " " << faulty.report);
    REQUIRE(faulty.status == RunStatus::finished);
    REQUIRE(faulty.rounds.size() == ideal.rounds.size());
    for (std::size_t t = 0; t < ideal.rounds.size(); ++t)
      REQUIRE(faulty.rounds[t].best == ideal.rounds[t].best);
    CHECK(faulty.regret.cumulative == ideal.regret.cumulative);
    CHECK(faulty.regret.recommendation == ideal.regret.recommendation);
    CHECK(faulty.total(&TypeAccount::sent, "Query") == 180);
    repeated += faulty.total(&TypeAccount::repeated);
    discarded += faulty.total(&TypeAccount::discarded);
  }
  CHECK(repeated > 1000);
  CHECK(discarded > 1000);
}

TEST_CASE("a lost datagram stalls a server that waits for all, and the report names it") {
  const auto problem = garlands(60);
  for (const auto* type : {"Query", "Reward"}) {
    NetworkConfig network;
    network.links = {{.latency = ConstantDuration{Duration::seconds(0.05)}}};
    network.drops = {{.type = type, .round = Round{7}}};
    const auto outcome = run_on(network, problem);
    CHECK(outcome.status == RunStatus::stalled);
    CHECK(outcome.rounds.size() == 6);
    CHECK_THAT(outcome.report,
               Catch::Contains("learner has waited for Reward of step 7") && Catch::Contains(type));
  }
}

TEST_CASE("datagrams and a tolerant policy: a run ends, and no reward counts twice") {
  std::uint64_t missed = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const auto problem = garlands(100, number);
    auto network = random_network(Seed{number});
    network.transport = Transport::datagram;
    const auto outcome =
        run_on(network, problem, {PolicyKind::deadline, 1, Duration::seconds(0.3)});
    INFO("network " << number << " " << outcome.report);
    if (outcome.status == RunStatus::finished) {
      CHECK(outcome.rounds.size() == 100);
      CHECK(outcome.total(&TypeAccount::bytes, "Query") -
                outcome.total(&TypeAccount::header_bytes, "Query") ==
            300 * 16);
    } else {
      CHECK(outcome.status == RunStatus::stalled);
      CHECK_THAT(outcome.report, Catch::Contains("learner has waited for Reward"));
    }
    CHECK(outcome.regret.max_evaluations <= 100);
    for (const auto& round : outcome.rounds) missed += round.arrived < 3;
  }
  CHECK(missed > 100);
}

TEST_CASE("a placement decides topology and nodes, a central learner's steps are numbered rounds") {
  const auto problem = garlands(10);
  const auto central = make_protocol(scripted(), &problem, 3);
  const auto local = make_protocol(scripted(), &problem, 3, kLocal);
  CHECK(topology_of(scripted(), *central) == Topology::star);
  CHECK(topology_of(scripted(), *local) == Topology::none);
  CHECK(LinkMap(Topology::none, 1'000'000).links() == 0);
  CHECK(local->groups()[0].name == "client");
  CHECK(local->forecast().messages == 0);
  CHECK(local->forecast().evaluations == 30);

  const auto endless = garlands(1'000'000'001);
  for (const auto& changes : {Changes{}, kLocal}) {
    const auto problems = scripted().validate(parameters_with(changes), {3, Seed{1}, {}, &endless});
    REQUIRE(problems.size() == (changes.empty() ? 1 : 0));
    if (changes.empty())
      CHECK(problems[0] ==
            "scripted: at most 1000000000 evaluations per client with a central learner (each is a "
            "round), "
            "given 1000000001");
    CHECK(scripted().validate(parameters_with(changes), {3, Seed{1}, {}, nullptr}).empty());
  }
  static const auto placed = single_learner_placed<ScriptedKind, Placement::local>(
      {"scripted-local", "a script", "this test"});
  CHECK(placed.topology == Topology::none);
  CHECK(placed.messages.empty());
  CHECK(std::none_of(placed.parameters.begin(), placed.parameters.end(), [](const auto& spec) {
    return spec.name == "placement";
  }));
}

}  // namespace
}  // namespace posse::test_single_learner
