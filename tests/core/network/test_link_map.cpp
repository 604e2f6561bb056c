// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <set>
#include <utility>
#include <vector>

#include "core/network/link_map.hpp"

namespace posse::test_link_map {
namespace {

/// Every shape of `n` nodes.
std::vector<LinkMap> maps(std::uint32_t n) {
  std::vector<LinkMap> all{{Topology::none, n}, {Topology::star, n}, {Topology::full_mesh, n}};
  for (std::uint32_t edges = 1; edges <= (n - 1) / 2; ++edges)
    all.push_back({Topology::hierarchy, n, edges});
  return all;
}

}  // namespace

TEST_CASE("link numbers have no gaps and give back the two ends") {
  for (const std::uint32_t n : {1u, 2u, 3u, 7u, 12u}) {
    for (const LinkMap& map : maps(n)) {
      std::set<std::uint32_t> seen;
      for (std::uint32_t a = 0; a < n; ++a) {
        for (std::uint32_t b = 0; b < n; ++b) {
          if (!map.connected({a}, {b})) continue;
          const auto link = map.link({a}, {b});
          CHECK(map.from(link) == NodeId{a});
          CHECK(map.to(link) == NodeId{b});
          seen.insert(link.value);
        }
      }
      CHECK(seen.size() == map.links());
      if (!seen.empty()) CHECK(*seen.rbegin() == map.links() - 1);
    }
  }
}

TEST_CASE("consecutive nodes are connected if each of them is") {
  const std::uint32_t n = 8;
  for (const LinkMap& map : maps(n)) {
    for (std::uint32_t from = 0; from < n; ++from)
      for (std::uint32_t first = 0; first <= n; ++first)
        for (std::uint32_t count = 1; count <= n + 1; ++count) {
          bool each = true;
          for (std::uint32_t i = 0; i < count; ++i)
            each = each && map.connected({from}, {first + i});
          CHECK(map.connected({from}, {first}, count) == each);
        }
  }
}

TEST_CASE("a star's leaves have no links to each other, and no node has a link to itself") {
  const LinkMap star(Topology::star, 4);
  CHECK(star.connected({0}, {3}));
  CHECK(star.connected({3}, {0}));
  CHECK_FALSE(star.connected({1}, {2}));
  CHECK_FALSE(star.connected({0}, {0}));
  CHECK_FALSE(star.connected({0}, {4}));
  CHECK(star.direction({0}, {2}) == Direction::down);
  CHECK(star.direction({2}, {0}) == Direction::up);
  CHECK(LinkMap(Topology::full_mesh, 4).direction({0}, {2}) == Direction::peer);
}

TEST_CASE("a hierarchy links the hub to its edges, and each edge to its block of leaves") {
  // 2 edges, 5 leaves: blocks of 2 and 3.
  const LinkMap map(Topology::hierarchy, 8, 2);
  const std::set<std::pair<std::uint32_t, std::uint32_t>> down{
      {0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {2, 6}, {2, 7}};
  CHECK(map.links() == 2 * down.size());
  for (std::uint32_t a = 0; a < 8; ++a)
    for (std::uint32_t b = 0; b < 8; ++b) {
      const bool goes_down = down.contains({a, b});
      CHECK(map.connected({a}, {b}) == (goes_down || down.contains({b, a})));
      if (map.connected({a}, {b}))
        CHECK(map.direction({a}, {b}) == (goes_down ? Direction::down : Direction::up));
    }
}

}  // namespace posse::test_link_map
