// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "actors/fn_ucb/bounds.hpp"
#include "actors/fn_ucb/messages.hpp"
#include "actors/fn_ucb/neural_ucb.hpp"
#include "actors/fn_ucb/protocol.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_fn_ucb {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;

struct Trace {
  std::vector<std::vector<std::uint32_t>> plays;  // by client: arms in order
  std::vector<std::uint64_t> synced;              // steps that ended with a synchronisation
};

/// A net given by its weights, written down once more.
double net(const std::vector<double>& theta, std::span<const double> z) {
  const std::size_t q = z.size();
  const std::size_t w = theta.size() / (q + 1);
  double value = 0;
  for (std::size_t k = 0; k < w; ++k)
    value += theta[w * q + k] * std::max(0.0, dot(std::span(theta).subspan(k * q, q), z));
  return value;
}
std::vector<double> net_gradient(const std::vector<double>& theta, std::span<const double> z) {
  const std::size_t q = z.size();
  const std::size_t w = theta.size() / (q + 1);
  std::vector<double> g(theta.size());
  for (std::size_t k = 0; k < w; ++k) {
    const double hidden = dot(std::span(theta).subspan(k * q, q), z);
    if (hidden <= 0) continue;
    for (std::size_t j = 0; j < q; ++j) g[k * q + j] = theta[w * q + k] * z[j];
    g[w * q + k] = hidden;
  }
  return g;
}

/// The algorithm step by step, in one place, without messages, with dense inverses and one reward
/// after the other in training.
Trace by_definition(const Problem& problem,
                    const ArmPoints& arms,
                    std::uint32_t width,
                    const FnUcbOptions& o) {
  const ReluFeatures initial(arms, width, problem.seed());
  const std::vector<double> theta_0(initial.theta().begin(), initial.theta().end());
  const std::size_t p = theta_0.size();
  const std::size_t agents = problem.clients();
  std::vector<std::vector<double>> z, g;
  for (std::uint32_t arm = 1; arm <= arms.size(); ++arm) {
    std::vector<double> inputs;
    for (const double u : arms.unit_point(arm)) inputs.push_back(u - 0.5);
    inputs.push_back(1);
    z.push_back(inputs);
    g.push_back(net_gradient(theta_0, inputs));
  }

  struct Agent {
    Matrix w_new, v_local;
    std::vector<double> b_new, theta;
    std::vector<std::pair<std::size_t, double>> seen;
  };
  std::vector<Agent> all(
      agents, {identity(p, 0), identity(p, o.lambda), std::vector<double>(p), theta_0, {}});
  std::vector<RewardSource> rewards;
  for (std::size_t m = 0; m < agents; ++m) rewards.emplace_back(problem, m);
  Matrix w_sync = identity(p, 0);
  Matrix v_inv = identity(p, 1 / o.lambda);
  std::vector<double> b_sync(p);
  std::vector<double> theta_sync = theta_0;
  Trace trace;
  trace.plays.resize(agents);
  std::uint64_t t_last = 0;

  const auto plus = [&](Matrix a, const Matrix& b, const Matrix* c) {
    for (std::size_t i = 0; i < p; ++i)
      for (std::size_t j = 0; j < p; ++j) a[i][j] += b[i][j] + (c != nullptr ? (*c)[i][j] : 0);
    return a;
  };
  const auto log_size = [&](const Matrix& v) {
    if (o.exact_det) return inverse(v).second;
    double sum = 0;
    for (std::size_t j = 0; j < p; ++j) sum += std::log(v[j][j]);
    return sum;
  };

  for (std::uint64_t t = 0; t < problem.budget(); ++t) {
    const double ramp = (static_cast<double>(t) - 3) / static_cast<double>(o.ramp);
    const double alpha = t < 3 ? 0 : std::min(1.0, ramp);
    bool fires = false;
    for (std::size_t m = 0; m < agents; ++m) {
      Agent& agent = all[m];
      const Matrix v_bar = plus(identity(p, o.lambda), w_sync, &agent.w_new);
      const Matrix inverted = inverse(v_bar).first;
      std::vector<double> b = b_sync;
      for (std::size_t j = 0; j < p; ++j) b[j] += agent.b_new[j];
      const auto theta_bar = times(inverted, b);
      std::size_t best = 0;
      double largest = -1e300;
      for (std::size_t k = 0; k < g.size(); ++k) {
        const double ucb2 = dot(g[k], theta_bar) +
                            o.nu * std::sqrt(o.lambda) * std::sqrt(quadratic_form(inverted, g[k]));
        const double ucb1 = net(theta_sync, z[k]) +
                            o.nu2 * std::sqrt(o.lambda) * std::sqrt(quadratic_form(v_inv, g[k]));
        const double score = alpha * ucb1 + (1 - alpha) * ucb2;
        if (score > largest) {
          largest = score;
          best = k;
        }
      }
      const double reward = rewards[m].pull(arms.point(static_cast<std::uint32_t>(best) + 1), 1);
      trace.plays[m].push_back(static_cast<std::uint32_t>(best) + 1);
      agent.seen.push_back({best, reward});
      add_outer(agent.w_new, g[best]);
      add_outer(agent.v_local, g[best]);
      for (std::size_t j = 0; j < p; ++j) agent.b_new[j] += reward * g[best][j];
      const Matrix v_t = plus(identity(p, o.lambda), w_sync, &agent.w_new);
      const Matrix v_last = plus(identity(p, o.lambda), w_sync, nullptr);
      if (static_cast<double>(t - t_last) * (log_size(v_t) - log_size(v_last)) > o.sync_threshold)
        fires = true;
    }
    if (!fires) continue;
    trace.synced.push_back(t);
    t_last = t;
    v_inv = identity(p, 0);
    theta_sync.assign(p, 0.0);
    for (auto& agent : all) {
      const auto len = static_cast<double>(agent.seen.size());
      for (std::uint32_t step = 0; t < o.train_until && step < o.train_steps; ++step) {
        std::vector<double> slope(p);
        for (const auto& [k, reward] : agent.seen) {
          const double error = net(agent.theta, z[k]) - reward;
          const auto gradient = net_gradient(agent.theta, z[k]);
          for (std::size_t j = 0; j < p; ++j) slope[j] += 2 * error * gradient[j] / len;
        }
        for (std::size_t j = 0; j < p; ++j)
          agent.theta[j] -= o.rate * (slope[j] + o.lambda / len * agent.theta[j]);
      }
      w_sync = plus(w_sync, agent.w_new, nullptr);
      const Matrix own = inverse(agent.v_local).first;
      for (std::size_t i = 0; i < p; ++i) {
        b_sync[i] += agent.b_new[i];
        theta_sync[i] += agent.theta[i] / static_cast<double>(agents);
        for (std::size_t j = 0; j < p; ++j) v_inv[i][j] += own[i][j] / static_cast<double>(agents);
      }
      agent.w_new = identity(p, 0);
      agent.b_new.assign(p, 0.0);
    }
  }
  return trace;
}

Trace trace_of(const RoleDriver& driver, const ArmPoints& arms, std::size_t clients) {
  std::map<std::vector<double>, std::uint32_t> number;
  for (std::uint32_t k = 1; k <= arms.size(); ++k) number[arms.point(k)] = k;
  Trace trace;
  trace.plays.resize(clients);
  for (const auto& p : driver.all<PullsObserved>())
    trace.plays[p.client].insert(trace.plays[p.client].end(), p.count, number.at(p.point));
  for (const auto& e : driver.all<RoundEnded>(0)) trace.synced.push_back(e.steps - 1);
  return trace;
}

struct Case {
  std::uint32_t clients = 3;
  std::uint64_t budget = 50;
  std::uint32_t width = 4;
  std::int64_t arms = 10;
  FnUcbOptions options;
  bool plane = false;

  Problem problem(std::uint64_t seed) const {
    std::vector<std::shared_ptr<const Objective>> locals;
    for (std::uint32_t m = 0; m < clients; ++m)
      locals.push_back(plane ? bowl(0.2 + 0.1 * m, 0.7) : garland(0.02 * m));
    return make_problem(std::move(locals), budget, true, seed);
  }
  Changes changes() const {
    return {{"width", std::int64_t{width}},
            {"arms_per_dimension", arms},
            {"lambda", options.lambda},
            {"nu", options.nu},
            {"nu2", options.nu2},
            {"sync_threshold", options.sync_threshold},
            {"exact_det", options.exact_det},
            {"train_steps", std::int64_t{options.train_steps}},
            {"train_until", static_cast<std::int64_t>(options.train_until)},
            {"ramp", static_cast<std::int64_t>(options.ramp)}};
  }
};

std::vector<Case> cases() {
  return {
      {},
      {.options = {.nu = 0.7, .nu2 = 0.4, .sync_threshold = 3, .train_until = 30, .ramp = 20}},
      {.options = {.nu = 0.5, .sync_threshold = 2, .exact_det = true, .ramp = 25}},
      {.options = {.lambda = 1, .nu = 1, .nu2 = 1, .sync_threshold = 30, .ramp = 40}},
      {.clients = 1, .options = {.nu = 1, .nu2 = 1, .ramp = 5}},
      {.clients = 2,
       .budget = 40,
       .arms = 4,
       .options = {.nu = 0.5, .nu2 = 0.5, .sync_threshold = 1, .ramp = 15},
       .plane = true},
      {.budget = 12, .width = 20, .arms = 20, .options = {.ramp = 4}},
  };
}

TEST_CASE("FN-UCB decides as its definition does, step by step", "[fn_ucb]") {
  for (const auto& c : cases())
    for (const std::uint64_t seed : {1, 2}) {
      const auto problem = c.problem(seed);
      const auto protocol = make_protocol(fn_ucb_algorithm(), &problem, c.clients, c.changes());
      RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.3, .seed = 7});
      driver.run();
      REQUIRE(driver.all_finished());
      const ArmPoints arms(
          problem.domain(), {.per_dimension = static_cast<std::uint32_t>(c.arms)}, problem.seed());
      const Trace expected = by_definition(problem, arms, c.width, c.options);
      const Trace actual = trace_of(driver, arms, c.clients);
      INFO("D = " << c.options.sync_threshold << ", ramp " << c.options.ramp);
      CHECK(actual.synced == expected.synced);
      CHECK(actual.plays == expected.plays);
      CHECK(broken_measurements(*protocol, driver.outcome(&problem)).empty());
    }
}

TEST_CASE("the tests against FN-UCB's definition skip synchronisations and play many arms",
          "[fn_ucb]") {
  std::size_t skipped = 0;
  std::size_t arms_played = 0;
  for (const auto& c : cases()) {
    const auto problem = c.problem(1);
    const ArmPoints arms(
        problem.domain(), {.per_dimension = static_cast<std::uint32_t>(c.arms)}, problem.seed());
    const auto trace = by_definition(problem, arms, c.width, c.options);
    CHECK(trace.synced.front() > 0);
    if (c.options.sync_threshold == 0)
      CHECK(trace.synced.size() == c.budget - 1);  // every step but the first
    else
      skipped += c.budget - trace.synced.size();
    std::set<std::uint32_t> different(trace.plays[0].begin(), trace.plays[0].end());
    arms_played += different.size();
  }
  CHECK(skipped > 80);
  CHECK(arms_played > 25);
}

TEST_CASE("an agent's inverses stay the dense ones over many rewards", "[fn_ucb]") {
  const ArmPoints arms(Box::cube(2, 0, 1), {.per_dimension = 5}, Seed{1});
  const ReluFeatures features(arms, 4, Seed{1});
  NeuralUcb agent(features, {.sync_threshold = 1e9, .exact_det = true});
  auto dense = identity(features.size(), 0.1);
  for (int t = 0; t < 700; ++t) {
    const auto arm = agent.choose();
    if (t % 97 == 0 || t == 699) {
      const auto inverted = inverse(dense).first;
      for (std::size_t i = 0; i < features.size(); ++i)
        for (std::size_t j = 0; j < features.size(); ++j) {
          const auto equal = Approx(inverted[i][j]).epsilon(1e-8).margin(1e-8);
          REQUIRE(agent.own_inverse()(i, j) == equal);
          REQUIRE(agent.shared_inverse()(i, j) == equal);
        }
    }
    add_outer(dense, features.gradient(arm));
    CHECK_FALSE(agent.tell(std::sin(arm)));
    agent.go_on();
  }
}

TEST_CASE("the weight of the nets' scores grows from step 3 on", "[fn_ucb]") {
  const FnUcbOptions options;
  CHECK(options.alpha(0) == 0);
  CHECK(options.alpha(3) == 0);
  CHECK(options.alpha(4) == 1.0 / 700);
  CHECK(options.alpha(702) == 699.0 / 700);
  CHECK(options.alpha(703) == 1);
  CHECK(options.alpha(1'000'000) == 1);
}

TEST_CASE("FN-UCB's messages have the stated sizes", "[fn_ucb]") {
  const std::size_t p = 60;
  const NeuralState state{std::vector<double>(p * p),
                          std::vector<double>(p),
                          std::vector<double>(p),
                          std::vector<double>(p * p)};
  const auto update = Payload::make(AgentUpdate{state});
  CHECK(update.size_bytes() == 16 + 8 * (2 * p * p + 2 * p));
  CHECK(update.values() == 2 * p * p + 2 * p);
  CHECK(Payload::make(SyncedModel{state}).size_bytes() == 16 + 8 * (2 * p * p + 2 * p));
  CHECK(Payload::make(StepDone{1}).size_bytes() == 4);
  CHECK(Payload::make(SendUpdate{1}).size_bytes() == 4);
  CHECK(Payload::make(NextStep{1}).size_bytes() == 4);
}

TEST_CASE("the ceiling on FN-UCB's synchronisations follows its formula", "[fn_ucb]") {
  using theory::fn_ucb_syncs_ceiling;
  CHECK(fn_ucb_syncs_ceiling({.steps = 1}) == 0);
  CHECK(fn_ucb_syncs_ceiling({.steps = 100}) == 99);
  // R = 10 ln(1 + 2 · 101 · 5 / (0.1 · 10)) = 10 ln 1011 = 69.1870; sqrt(100 R / 50) = 11.76.
  CHECK(fn_ucb_syncs_ceiling({.agents = 2,
                              .steps = 101,
                              .features = 10,
                              .lambda = 0.1,
                              .largest_square = 5,
                              .sync_threshold = 50}) == 11);
  CHECK(fn_ucb_syncs_ceiling({.steps = 10, .sync_threshold = 1e-9}) == 9);
}

TEST_CASE("FN-UCB ends cleanly whatever the budget, clients and threshold", "[fn_ucb]") {
  for (const std::uint32_t clients : {1, 2, 5})
    for (const std::uint64_t budget : {1, 2, 3, 4, 5, 30})
      for (const double threshold : {0.0, 2.0, 1e6})
        for (const bool exact : {false, true}) {
          const auto problem = make_problem(garland(), clients, budget, true, budget);
          const auto protocol = make_protocol(fn_ucb_algorithm(),
                                              &problem,
                                              clients,
                                              {{"width", std::int64_t{8}},
                                               {"sync_threshold", threshold},
                                               {"exact_det", exact},
                                               {"ramp", std::int64_t{4}}});
          test::Run run(fn_ucb_algorithm(),
                        default_parameters(fn_ucb_algorithm().parameters),
                        clients,
                        Seed{1},
                        &problem);
          run.spec.protocol = protocol.get();
          run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.01)}}};
          const auto outcome = run_serial(run.spec).outcome;
          INFO(clients << " clients, T = " << budget << ", D = " << threshold);
          REQUIRE(outcome.status == RunStatus::finished);
          CHECK(outcome.regret.min_evaluations == budget);
          CHECK(outcome.regret.max_evaluations == budget);
          CHECK(broken_measurements(*protocol, outcome).empty());
          if (threshold == 0) CHECK(outcome.rounds.size() == budget - 1);
          if (threshold == 1e6) CHECK(outcome.rounds.empty());
          const auto forecast = protocol->forecast();
          CHECK(static_cast<double>(outcome.rounds.size()) <= forecast.rounds);
          CHECK(static_cast<double>(outcome.total(&TypeAccount::sent)) <= forecast.messages);
          CHECK(static_cast<double>(outcome.total(&TypeAccount::bytes)) <= forecast.bytes);
          CHECK(static_cast<double>(outcome.regret.evaluations) <= forecast.evaluations);
        }
}

TEST_CASE("FN-UCB's server names the clients that it waits for", "[fn_ucb]") {
  const auto problem = make_problem(garland(), 3, 20, true);
  const auto protocol = make_protocol(fn_ucb_algorithm(), &problem, 3);
  RoleDriver driver(*protocol);
  driver.start();
  driver.deliver_one();
  const auto waiting = driver.role(0).waiting();
  REQUIRE(waiting);
  CHECK(waiting->for_what == "StepDone of step 0");
  CHECK(waiting->from == std::vector<NodeId>{{2}, {3}});
  CHECK(driver.role(1).waiting()->for_what == "NextStep of step 0");
  driver.run();
}

TEST_CASE("FN-UCB completes its run even if training diverges", "[fn_ucb]") {
  const auto problem = make_problem(garland(), 2, 20, true);
  const auto protocol =
      make_protocol(fn_ucb_algorithm(),
                    &problem,
                    2,
                    {{"width", std::int64_t{60}}, {"rate", 1e5}, {"ramp", std::int64_t{2}}});
  RoleDriver driver(*protocol);
  driver.run();
  CHECK(driver.all_finished());
  CHECK(driver.pulls(2) == std::vector<std::uint64_t>{20, 20});
}

TEST_CASE(
    "FN-UCB refuses messages and features that do not fit into memory, and too large a budget",
    "[fn_ucb]") {
  auto parameters = default_parameters(fn_ucb_algorithm().parameters);
  const auto plane = make_problem(bowl(0.5, 0.5), 1, 0xffffffff);
  const auto complaints = [&](const Problem& problem) {
    return fn_ucb_algorithm().validate(parameters, {1, Seed{1}, {}, &problem});
  };
  REQUIRE(complaints(plane).size() == 1);
  CHECK(complaints(plane)[0].find("4294967294") != std::string::npos);
  const auto fine = make_problem(bowl(0.5, 0.5), 1, 10);
  CHECK(complaints(fine).empty());
  parameters.set("width", std::int64_t{129});  // 129 · 4 = 516
  parameters.set("arms_per_dimension", std::int64_t{1000});
  REQUIRE(complaints(fine).size() == 2);
  CHECK(complaints(fine)[0].find("516") != std::string::npos);
  CHECK(complaints(fine)[1].find("arms_per_dimension") != std::string::npos);
}

}  // namespace
}  // namespace posse::test_fn_ucb
