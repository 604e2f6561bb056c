#include <catch2/catch.hpp>
#include <set>

#include "core/network/nodes.hpp"
#include "core/network/topology.hpp"

namespace posse::test_topology {

TEST_CASE("link numbers are dense and lead back to their ends") {
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

TEST_CASE("a star's leaves have no links among themselves, and nobody one to itself") {
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

TEST_CASE("nodes are named and selected by name, group or star") {
  const Nodes nodes({{"server", 1, false}, {"client", 12, true}});
  CHECK(nodes.size() == 13);
  CHECK(nodes.name({0}) == "server");
  CHECK(nodes.name({12}) == "client-11");
  const auto range = [&](std::string_view selector) {
    const auto r = nodes.select(selector);
    return std::pair{r.first, r.last};
  };
  CHECK(range("*") == std::pair{0u, 13u});
  CHECK(range("client") == std::pair{1u, 13u});
  CHECK(range("client-0") == std::pair{1u, 2u});
  CHECK(range("client-11") == std::pair{12u, 13u});
  for (const auto wrong :
       {"client-12", "client-", "client-01", "client--1", "server-0", "", "clients", "client-1x"}) {
    INFO(wrong);
    CHECK(range(wrong).first == range(wrong).second);
  }
}

}  // namespace posse::test_topology
