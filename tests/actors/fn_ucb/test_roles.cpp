// SPDX-License-Identifier: Apache-2.0
// The server and an agent of FN-UCB by hand: reports, requests for updates, and the model that the
// server makes of the updates.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "actors/fn_ucb/messages.hpp"
#include "actors/fn_ucb/protocol.hpp"
#include "core/learner/arm_points.hpp"
#include "core/learner/relu_features.hpp"
#include "tests/support/reactions.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_fn_ucb_roles {
namespace {

using namespace test;
using Numbers = std::vector<double>;

/// p = 3 width weights, as d = 1. Two arms, three agents, three steps.
struct Small {
  explicit Small(double threshold, std::int64_t width = 1)
      : problem(make_problem(garland(), 3, 3)),
        protocol(make_protocol(fn_ucb_algorithm(),
                               &problem,
                               3,
                               {{"width", width},
                                {"arms_per_dimension", std::int64_t{2}},
                                {"sync_threshold", threshold}})) {}
  Problem problem;
  std::unique_ptr<Protocol> protocol;
};

AgentUpdate update(double base) {
  AgentUpdate all;
  all.gram = Numbers{base, 0, 0, 0, base, 0, 0, 0, base};
  all.responses = Numbers{base, base + 1, base + 2};
  all.net = Numbers{base, 2 * base, 3 * base};
  all.inverse = Numbers{base, 1, 2, 1, base, 3, 2, 3, base};
  return all;
}

TEST_CASE("without an update all reports lead to the next step, and none after the last",
          "[fn_ucb]") {
  const Small small(1e6);
  const auto server = small.protocol->make_role(NodeId{0});
  const auto started = start(*server, 0);
  CHECK(observed<RecommendationObserved>(started).size() == 1);
  CHECK(started.effects().empty());
  for (std::uint32_t step = 0; step < 3; ++step) {
    const std::uint32_t round = step + 1;
    const std::string words = "StepDone of step " + std::to_string(step);
    check_waiting(*server, words, round, {NodeId{1}, NodeId{2}, NodeId{3}});
    CHECK(is_empty(tell(*server, 0, 2, round, StepDone{step})));
    CHECK(is_empty(tell(*server, 0, 2, round, StepDone{step})));      // a copy
    CHECK(is_empty(tell(*server, 0, 1, round + 1, StepDone{step})));  // another step's
    check_waiting(*server, words, round, {NodeId{1}, NodeId{3}});
    CHECK(is_empty(tell(*server, 0, 1, round, StepDone{step})));
    const auto last = tell(*server, 0, 3, round, StepDone{step});
    CHECK(observed<RoundEnded>(last).empty());
    if (step == 2) {
      CHECK(finishes(last));
      CHECK(sends(last).empty());
      CHECK_FALSE(server->waiting());
      break;
    }
    CHECK_FALSE(finishes(last));
    REQUIRE(sends(last).size() == 1);
    CHECK(sends(last)[0].first == NodeId{1});
    CHECK(sends(last)[0].count == 3);
    CHECK(sends(last)[0].round == Round{round});
    REQUIRE(sends(last)[0].payload.get<NextStep>() != nullptr);
    CHECK(sends(last)[0].payload.get<NextStep>()->step == step);
  }
}

TEST_CASE("an update makes the server ask the others once, sums and means make the model",
          "[fn_ucb]") {
  const Small small(1e6);
  const auto server = small.protocol->make_role(NodeId{0});
  start(*server, 0);
  CHECK(is_empty(tell(*server, 0, 1, 1, StepDone{0})));
  const auto began = tell(*server, 0, 2, 1, update(1));
  CHECK(began.effects().empty());
  REQUIRE(observed<RoundBegan>(began).size() == 1);
  CHECK(observed<RoundBegan>(began)[0].round == Round{1});
  check_waiting(*server, "StepDone of step 0", 1, {NodeId{3}});
  const auto asks = tell(*server, 0, 3, 1, StepDone{0});
  const auto asked = sends(asks);
  REQUIRE(asked.size() == 2);
  for (const auto& [at, node] : {std::pair{0, 1u}, {1, 3u}}) {
    const auto& send = asked[static_cast<std::size_t>(at)];
    CHECK(send.first == NodeId{node});
    CHECK(send.count == 1);
    CHECK(send.round == Round{1});
    CHECK(send.payload.get<SendUpdate>()->step == 0);
  }
  check_waiting(*server, "AgentUpdate of step 0", 1, {NodeId{1}, NodeId{3}});
  CHECK(is_empty(tell(*server, 0, 2, 1, update(1))));  // copies
  CHECK(is_empty(tell(*server, 0, 3, 1, StepDone{0})));
  CHECK(is_empty(tell(*server, 0, 3, 1, update(3))));
  check_waiting(*server, "AgentUpdate of step 0", 1, {NodeId{1}});
  const auto synced = tell(*server, 0, 1, 1, update(5));
  const auto ended = observed<RoundEnded>(synced);
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].round == Round{1});
  CHECK(ended[0].steps == 1);
  CHECK(ended[0].active_cells == 2);
  CHECK(ended[0].kept_cells == 2);
  CHECK(ended[0].arrived == 3);
  CHECK(ended[0].expected == 3);
  CHECK(ended[0].first_asked == NodeId{1});
  CHECK(ended[0].waited == Duration{});
  REQUIRE(ended[0].best);
  CHECK(ended[0].best->depth == 0);
  REQUIRE(sends(synced).size() == 1);
  CHECK(sends(synced)[0].first == NodeId{1});
  CHECK(sends(synced)[0].count == 3);
  CHECK(sends(synced)[0].round == Round{1});
  const auto* model = sends(synced)[0].payload.get<SyncedModel>();
  REQUIRE(model != nullptr);
  CHECK(model->gram == Numbers{9, 0, 0, 0, 9, 0, 0, 0, 9});
  CHECK(model->responses == Numbers{9, 12, 15});
  CHECK(model->net == Numbers{3, 6, 9});
  CHECK(model->inverse == Numbers{3, 1, 2, 1, 3, 3, 2, 3, 3});
  check_waiting(*server, "StepDone of step 1", 2, {NodeId{1}, NodeId{2}, NodeId{3}});

  // Next time W and B add up, the nets and the inverses begin anew; and the criterion of all.
  CHECK(is_empty(tell(*server, 0, 3, 1, update(5))));  // late
  CHECK(observed<RoundBegan>(tell(*server, 0, 1, 2, update(1))).size() == 1);
  CHECK(is_empty(tell(*server, 0, 2, 2, update(1))));
  const auto again = sends(tell(*server, 0, 3, 2, update(1)));
  REQUIRE(again.size() == 1);
  const auto* second = again[0].payload.get<SyncedModel>();
  REQUIRE(second != nullptr);
  CHECK(second->gram == Numbers{12, 0, 0, 0, 12, 0, 0, 0, 12});
  CHECK(second->responses == Numbers{12, 18, 24});
  CHECK(second->net == Numbers{1, 2, 3});
  CHECK(second->inverse == Numbers{1, 1, 2, 1, 1, 3, 2, 3, 1});

  // After the last step there is a round, but no model.
  CHECK(is_empty(tell(*server, 0, 1, 3, StepDone{2})));
  CHECK(is_empty(tell(*server, 0, 2, 3, StepDone{2})));
  CHECK(observed<RoundBegan>(tell(*server, 0, 3, 3, update(1))).size() == 1);
  check_waiting(*server, "AgentUpdate of step 2", 3, {NodeId{1}, NodeId{2}});
  tell(*server, 0, 1, 3, update(1));
  const auto end = tell(*server, 0, 2, 3, update(1));
  CHECK(observed<RoundEnded>(end).size() == 1);
  CHECK(observed<RoundEnded>(end)[0].steps == 3);
  CHECK(finishes(end));
  CHECK(sends(end).empty());
  CHECK_FALSE(server->waiting());
}

TEST_CASE("a synchronisation's row adds up how long the updates waited", "[fn_ucb]") {
  const Small small(1e6);
  const auto server = small.protocol->make_role(NodeId{0});
  start(*server, 0);
  tell(*server, 0, 1, 1, update(1), Time{10});
  tell(*server, 0, 2, 1, update(1), Time{25});
  const auto ended = observed<RoundEnded>(tell(*server, 0, 3, 1, update(1), Time{40}));
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].waited == Duration{30 + 15});
}

TEST_CASE("nets are trained in steps before train_until only", "[fn_ucb]") {
  const auto problem = make_problem(garland(), 3, 5);
  /// The net that an agent sends in step `step`, without synchronisations before.
  const auto net = [&](std::int64_t train_until, std::uint32_t step) {
    const auto protocol = make_protocol(
        fn_ucb_algorithm(),
        &problem,
        3,
        {{"width", std::int64_t{8}}, {"sync_threshold", 1e6}, {"train_until", train_until}});
    const auto agent = protocol->make_role(NodeId{1});
    start(*agent, 1);
    for (std::uint32_t t = 0; t < step; ++t) tell(*agent, 1, 0, t + 1, NextStep{t});
    const auto sent = sends(tell(*agent, 1, 0, step + 1, SendUpdate{step}));
    REQUIRE(sent.size() == 1);
    return sent[0].payload.get<AgentUpdate>()->net;
  };
  const auto initial = net(0, 0);
  CHECK(initial.size() == 24);
  CHECK(net(1, 0) != initial);
  CHECK(net(1, 1) == initial);
  CHECK(net(2, 1) != initial);
  CHECK(net(2, 2) == initial);
}

TEST_CASE("the best arm has the largest mixture of the net's value and the linear one",
          "[fn_ucb]") {
  // With a ramp of 2, alpha(4) = 1/2 after step 3.
  const auto problem = make_problem(garland(), 1, 10);
  const auto protocol = make_protocol(
      fn_ucb_algorithm(),
      &problem,
      1,
      {{"width", std::int64_t{4}}, {"sync_threshold", 1e6}, {"ramp", std::int64_t{2}}});
  const ArmPoints arms(problem.domain(), {}, problem.seed());
  const ReluFeatures features(arms, 4, problem.seed());
  const std::size_t p = features.size();
  std::mt19937 random(5);
  const auto numbers = [&](std::size_t count) {
    Numbers all(count);
    for (auto& number : all) number = static_cast<double>(random() % 2001) / 1000 - 1;
    return all;
  };
  std::set<std::uint32_t> best;
  for (int trial = 0; trial < 20; ++trial) {
    const auto server = protocol->make_role(NodeId{0});
    start(*server, 0);
    for (std::uint32_t step = 0; step < 3; ++step) tell(*server, 0, 1, step + 1, StepDone{step});
    AgentUpdate sent;
    sent.responses = numbers(p);
    for (auto& response : sent.responses) response *= 0.3;  // neither score outweighs the other
    sent.net = numbers(p);
    sent.gram.assign(p * p, 0);
    for (std::size_t j = 0; j < p; ++j) sent.gram[j * p + j] = 0.4;  // 0.5 with lambda
    sent.inverse = sent.gram;
    const auto ended = observed<RoundEnded>(tell(*server, 0, 1, 4, sent));
    REQUIRE(ended.size() == 1);
    Numbers scores(features.arms());
    features.values(sent.net, scores);
    for (std::uint32_t arm = 1; arm <= features.arms(); ++arm) {
      double linear = 0;
      for (std::size_t j = 0; j < p; ++j)
        linear += features.gradient(arm)[j] * sent.responses[j] / 0.5;
      scores[arm - 1] = 0.5 * scores[arm - 1] + 0.5 * linear;
    }
    const auto expected = std::max_element(scores.begin(), scores.end()) - scores.begin() + 1;
    CHECK(ended[0].best == Cell{0, static_cast<std::uint64_t>(expected)});
    best.insert(static_cast<std::uint32_t>(expected));
  }
  CHECK(best.size() > 3);
}

TEST_CASE("an agent plays once a step, updates when asked or when its criterion holds",
          "[fn_ucb]") {
  const Small small(1e6);
  const auto agent = small.protocol->make_role(NodeId{2});
  const auto started = start(*agent, 2);
  const auto check_play = [](const Reaction& reaction, std::uint32_t step) {
    const auto pulls = observed<PullsObserved>(reaction);
    REQUIRE(pulls.size() == 1);
    CHECK(pulls[0].client == 1);
    CHECK(pulls[0].count == 1);
    CHECK(std::get<EvaluateEffect>(reaction.effects()[0]).count == 1);
    REQUIRE(sends(reaction).size() == 1);
    CHECK(sends(reaction)[0].first == NodeId{0});
    CHECK(sends(reaction)[0].round == Round{step + 1});
    REQUIRE(sends(reaction)[0].payload.get<StepDone>() != nullptr);
    CHECK(sends(reaction)[0].payload.get<StepDone>()->step == step);
  };
  check_play(started, 0);
  CHECK_FALSE(finishes(started));
  check_waiting(*agent, "NextStep of step 0", 1, {NodeId{0}});
  CHECK(is_empty(tell(*agent, 2, 0, 2, SendUpdate{0})));  // another step's
  const auto asked = tell(*agent, 2, 0, 1, SendUpdate{0});
  REQUIRE(sends(asked).size() == 1);
  CHECK(sends(asked)[0].first == NodeId{0});
  CHECK(sends(asked)[0].round == Round{1});
  CHECK(sends(asked)[0].payload.get<AgentUpdate>() != nullptr);
  check_waiting(*agent, "SyncedModel of step 0", 1, {NodeId{0}});
  CHECK(is_empty(tell(*agent, 2, 0, 1, SendUpdate{0})));  // a copy
  SyncedModel model;
  static_cast<NeuralState&>(model) = update(1);
  check_play(tell(*agent, 2, 0, 1, model), 1);
  CHECK(is_empty(tell(*agent, 2, 0, 1, model)));  // a copy
  check_waiting(*agent, "NextStep of step 1", 2, {NodeId{0}});
  const auto last = tell(*agent, 2, 0, 2, NextStep{1});
  check_play(last, 2);
  CHECK(finishes(last));
  CHECK_FALSE(agent->waiting());
  // It still answers for the last synchronisation.
  CHECK(sends(tell(*agent, 2, 0, 3, SendUpdate{2})).size() == 1);

  // D = 0: the criterion holds from step 1 on; in step 0, t - t_last is 0.
  const Small always(0, 8);  // one unit alone can be 0 at an arm
  const auto eager = always.protocol->make_role(NodeId{1});
  const auto first = sends(start(*eager, 1));
  REQUIRE(first.size() == 1);
  CHECK(first[0].payload.get<StepDone>() != nullptr);
  const auto second = sends(tell(*eager, 1, 0, 1, NextStep{0}));
  REQUIRE(second.size() == 1);
  CHECK(second[0].payload.get<AgentUpdate>() != nullptr);
  check_waiting(*eager, "SyncedModel of step 1", 2, {NodeId{0}});
  CHECK(is_empty(tell(*eager, 1, 0, 2, SendUpdate{1})));  // it has sent one
}

}  // namespace
}  // namespace posse::test_fn_ucb_roles
