// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "actors/host/node_claims.hpp"
#include "actors/host/wall_world.hpp"

namespace posse::test_node_claims {
namespace {

const NodeNames kStar({{"server", 1, false}, {"client", 6, true}});
const std::vector<KnownNodes> kKnown{{kStar, true}, {NodeNames({{"player", 4, true}}), false}};

std::string refusal(const std::vector<std::string>& wanted,
                    const std::vector<NodeClaim>& others = {}) {
  const auto refused = refuse_claim(kKnown, wanted, others);
  return refused ? refused->why : "";
}

}  // namespace

TEST_CASE("a name that no member can have is refused, with those that there are") {
  CHECK(refusal({}).empty());
  CHECK(refusal({"client-1", "client-3..5"}).empty());
  CHECK(refusal({"client"}).empty());
  CHECK(refusal({"player-0"}).empty());
  CHECK(refusal({"client-6"}) ==
        "no member can be 'client-6': there are client-0..5; or player-0..3");
  CHECK(refusal({"client-1", "cleint-2"}) ==
        "no member can be 'cleint-2': there are client-0..5; or player-0..3");
  CHECK(refusal({"server"}) == "no member can be 'server': there are client-0..5; or player-0..3");
  CHECK(refusal({""}) == "no member can be '': there are client-0..5; or player-0..3");
}

TEST_CASE("a node that a member names twice, or another one has, is refused, with those left") {
  CHECK(refusal({"client-1", "client-1"}) == "it names client-1 twice");
  CHECK(refusal({"client-0..3", "client-2"}) == "it names client-2 twice");
  const std::vector<NodeClaim> others{{1, {"client-1"}}, {2, {}}, {3, {"client-4..5"}}};
  CHECK(refusal({"client-0", "client-2..3"}, others).empty());
  CHECK(refusal({}, others).empty());
  CHECK(refusal({"client-1"}, others) == "client-1 is with member 1; free: client-0, client-2..3");
  CHECK(refusal({"client"}, others) == "client-1 is with member 1; free: client-0, client-2..3");
  CHECK(refuse_claim(kKnown, {"client-5"}, others)->for_now);
  CHECK_FALSE(refuse_claim(kKnown, {"client-9"}, others)->for_now);
  CHECK(refusal({"player-1"}, {{1, {"player"}}}) == "player-1 is with member 1; free: none");
}

TEST_CASE("nodes are dealt out by name, and what is left in blocks") {
  using Processes = std::vector<std::size_t>;
  constexpr auto nobody = WallWorld::kNoProcess;
  CHECK(deal_out(kStar, Topology::star, {{}, {}}) == Processes{0, 1, 1, 1, 2, 2, 2});
  CHECK(deal_out(kStar, Topology::star, {{}, {"client-0", "client-4..5"}}) ==
        Processes{0, 2, 1, 1, 1, 2, 2});
  CHECK(deal_out(kStar, Topology::star, {{"client-1"}, {"client-1..2"}}) ==
        Processes{0, nobody, 1, 2, nobody, nobody, nobody});
  CHECK(deal_out(kStar, Topology::star, {{"player-1"}}) == Processes{0, 1, 1, 1, 1, 1, 1});
  const NodeNames mesh({{"player", 5, true}});
  CHECK(deal_out(mesh, Topology::full_mesh, {{}}) == Processes{0, 0, 0, 1, 1});
  CHECK(deal_out(mesh, Topology::full_mesh, {{"player-0"}}) == Processes{1, 0, 0, 0, 0});
}

}  // namespace posse::test_node_claims
