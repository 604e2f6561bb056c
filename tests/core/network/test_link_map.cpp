#include <catch2/catch.hpp>
#include <set>

#include "core/network/link_map.hpp"

namespace posse::test_link_map {

TEST_CASE("link numbers have no gaps and give back the two ends") {
  for (const auto topology : {Topology::star, Topology::full_mesh}) {
    for (const std::uint32_t n : {1u, 2u, 3u, 7u}) {
      const LinkMap map(topology, n);
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
  for (const auto topology : {Topology::none, Topology::star, Topology::full_mesh}) {
    const std::uint32_t n = 5;
    const LinkMap map(topology, n);
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

}  // namespace posse::test_link_map
