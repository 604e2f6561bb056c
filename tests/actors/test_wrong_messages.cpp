// SPDX-License-Identifier: Apache-2.0
// Messages and calls that no correct node makes stop the run: sizes that don't fit, players and
// parts that don't exist, rewards that weren't asked for.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "actors/blin/bounds.hpp"
#include "actors/blin/messages.hpp"
#include "actors/common/average_uploads.hpp"
#include "actors/common/edge_uploads.hpp"
#include "actors/common/local_means.hpp"
#include "actors/common/local_moments.hpp"
#include "actors/fed_pne_variance/protocol.hpp"
#include "actors/fn_ucb/messages.hpp"
#include "actors/fn_ucb/protocol.hpp"
#include "actors/hct_batched/protocol.hpp"
#include "actors/parallel/messages.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/pf_pne_reuse/frontier_search.hpp"
#include "actors/reward_bandit/policy/rucb_median.hpp"
#include "actors/reward_bandit/policy/sgd_ucb_smom.hpp"
#include "core/base/check.hpp"
#include "tests/support/reactions.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_wrong_messages {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;
using Numbers = std::vector<double>;

TEST_CASE("uploads whose sizes don't fit stop the server", "[wrong]") {
  CHECK_THROWS_AS(average_rows({}, 1, {}), CheckFailure);
  const auto of = [](std::size_t count) {
    return Uploads{Payload::make(LocalMeans{1, Numbers(count, 0.5)}),
                   Payload::make(LocalMeans{1, Numbers(2, 0.5)})};
  };
  for (const std::size_t wrong : {1, 3}) {
    auto uploads = of(wrong);
    CHECK_THROWS_AS(average_uploads<LocalMeans>(uploads, 2, {}), CheckFailure);
    for (const auto sums : {EdgeSummation::gathered, EdgeSummation::exact}) {
      CHECK_THROWS_AS(edge_upload(of(wrong), 1, 2, sums, {}), CheckFailure);
      CHECK_NOTHROW(edge_upload(of(2), 1, 2, sums, {}));
    }
    // Two edges, of two clients and of one.
    const Hierarchy hierarchy{3, 2};
    Uploads means{Payload::make(EdgeMeans{1, Numbers(4, 0.5)}),
                  Payload::make(EdgeMeans{1, Numbers(wrong, 0.5)})};
    CHECK_THROWS_AS(average_of(means, 2, hierarchy, EdgeSummation::gathered, {}), CheckFailure);
    Uploads halves{Payload::make(EdgeSums{1, std::vector<std::uint64_t>(4)}),
                   Payload::make(EdgeSums{1, std::vector<std::uint64_t>(2 * wrong)})};
    CHECK_THROWS_AS(average_of(halves, 2, hierarchy, EdgeSummation::exact, {}), CheckFailure);
  }
}

TEST_CASE("moments whose sizes don't fit the plan stop the server", "[wrong]") {
  const auto problem = make_problem(garland(), 1, 100);
  for (const auto* spec : {&fed_pne_variance_algorithm(), &vhct_batched_algorithm()}) {
    INFO(spec->kind);
    const auto protocol = make_protocol(*spec, &problem, 1);
    const std::size_t cells = spec == &fed_pne_variance_algorithm() ? 2 : 1;
    for (const bool of_means : {true, false}) {
      const auto server = protocol->make_role(NodeId{0});
      start(*server, 0);
      LocalMoments moments{1, Numbers(cells, 0.5), Numbers(cells, 0.1)};
      (of_means ? moments.means : moments.variances).push_back(0.5);
      CHECK_THROWS_AS(tell(*server, 0, 1, 1, moments), CheckFailure);
    }
    const auto server = protocol->make_role(NodeId{0});
    start(*server, 0);
    CHECK_NOTHROW(
        tell(*server, 0, 1, 1, LocalMoments{1, Numbers(cells, 0.5), Numbers(cells, 0.1)}));
  }
}

TEST_CASE("a model of another size stops an agent of FN-UCB", "[wrong]") {
  const auto problem = make_problem(garland(), 2, 5);
  const auto protocol =
      make_protocol(fn_ucb_algorithm(), &problem, 2, {{"width", std::int64_t{1}}});
  for (std::size_t part = 0; part <= 4; ++part) {
    SyncedModel model;
    model.gram = Numbers{1, 0, 0, 0, 1, 0, 0, 0, 1};
    model.inverse = model.gram;
    model.responses = model.net = Numbers(3, 0.5);
    std::vector<Numbers*> parts{&model.gram, &model.inverse, &model.responses, &model.net};
    if (part < 4) parts[part]->push_back(0);
    const auto agent = protocol->make_role(NodeId{1});
    start(*agent, 1);
    if (part < 4)
      CHECK_THROWS_AS(tell(*agent, 1, 0, 1, model), CheckFailure);
    else
      CHECK_NOTHROW(tell(*agent, 1, 0, 1, model));
  }
}

/// A player of three, which waits for the others' means of the root.
struct Player {
  explicit Player(const char* way, const char* sums = "gathered", std::uint32_t self = 0)
      : problem(make_problem(sine(), 3, 400)),
        protocol(make_protocol(parallel_algorithm(),
                               &problem,
                               3,
                               {{"exchange", std::string(way)}, {"sums", std::string(sums)}})),
        role(protocol->make_role(NodeId{self})),
        self_(self) {
    start(*role, self);
  }
  template <class T>
  void tell_from(std::uint32_t from, T message) {
    tell(*role, self_, from, 1, std::move(message));
  }
  Problem problem;
  std::unique_ptr<Protocol> protocol;
  std::unique_ptr<Role> role;

 private:
  std::uint32_t self_;
};

TEST_CASE("means whose number doesn't fit a level's cells stop a player", "[wrong]") {
  CHECK_THROWS_AS(Player("mesh").tell_from(1, LevelMeans{0, {}}), CheckFailure);
  CHECK_NOTHROW(Player("mesh").tell_from(1, LevelMeans{0, Numbers(1)}));
  // Three players and one cell: more means, or a player that doesn't exist.
  CHECK_NOTHROW(Player("ring").tell_from(2, GatheredMeans{0, 2, Numbers(1)}));
  CHECK_THROWS_AS(Player("tree").tell_from(1, GatheredMeans{0, 1, Numbers(4)}), CheckFailure);
  CHECK_THROWS_AS(Player("tree").tell_from(1, GatheredMeans{0, 3, Numbers(1)}), CheckFailure);
  CHECK_THROWS_AS(Player("relay", "gathered", 1).tell_from(0, Averages{0, 0, Numbers(2)}),
                  CheckFailure);
  CHECK_NOTHROW(Player("relay", "gathered", 1).tell_from(0, Averages{0, 0, Numbers(1)}));

  // Sums in a tree have one part, of two halves a cell.
  using Halves = std::vector<std::uint64_t>;
  CHECK_NOTHROW(Player("tree", "exact").tell_from(1, PartialSums{0, 0, Halves(2)}));
  CHECK_THROWS_AS(Player("tree", "exact").tell_from(1, PartialSums{0, 0, Halves(4)}), CheckFailure);
  CHECK_THROWS_AS(Player("tree", "exact").tell_from(1, PartialSums{0, 1, Halves(2)}), CheckFailure);
  CHECK_THROWS_AS(Player("tree", "exact", 1).tell_from(0, Averages{0, 0, Numbers(2)}),
                  CheckFailure);
  CHECK_THROWS_AS(Player("gossip").tell_from(1, GossipMeans{0, 0, Numbers(2)}), CheckFailure);
}

TEST_CASE("a policy takes as many rewards as it asked for, from a budget for every arm",
          "[wrong]") {
  CHECK_NOTHROW(RucbMedian(3, 6, {0, 0.9}));
  CHECK_THROWS_AS(RucbMedian(3, 5, {0, 0.9}), CheckFailure);
  CHECK_THROWS_AS(RucbMedian(0, 5, {0, 0.9}), CheckFailure);
  SmomOptions none;
  none.n = 0;
  CHECK_THROWS_AS(SgdUcbSmom(3, 20, none, Seed{1}), CheckFailure);
  RucbMedian policy(3, 6, {0, 0.9});
  const auto draw = policy.next();
  REQUIRE(draw);
  CHECK_THROWS_AS(policy.take(*draw, Numbers{1}), CheckFailure);
  CHECK_NOTHROW(policy.take(*draw, Numbers{1, 1}));
}

TEST_CASE("a frontier search tells and asks in turn, and has leaves", "[wrong]") {
  const Partition intervals(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  const theory::ReuseParameters constants{.clients = 1, .horizon = 100};
  FrontierSearch empty(intervals, constants);
  CHECK_THROWS_AS(empty.next(10), CheckFailure);
  FrontierSearch search(intervals, constants);
  search.add_leaf({1, 1}, 0, 0);
  CHECK_THROWS_AS(search.tell(1), CheckFailure);
  CHECK_THROWS_AS(search.next(0), CheckFailure);
  search.next(10);
  CHECK_THROWS_AS(search.next(10), CheckFailure);
  CHECK_NOTHROW(search.tell(1));
}

TEST_CASE("BLiN counts batches in less than 62 dimensions, a slope needs two points", "[wrong]") {
  CHECK_NOTHROW(theory::blin_batches_ceiling({.horizon = 100, .dimension = 61}));
  CHECK_THROWS_AS(theory::blin_batches_ceiling({.horizon = 100, .dimension = 62}), CheckFailure);
  const auto problem = make_problem(bowl(0.25, 0.5), 1, 10);
  CHECK_THROWS_AS(theory::steepest_slope(problem, 1), CheckFailure);
  CHECK(theory::steepest_slope(problem, 2) > 0);
}

}  // namespace
}  // namespace posse::test_wrong_messages
