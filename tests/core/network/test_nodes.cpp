// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string_view>
#include <utility>

#include "core/network/nodes.hpp"

namespace posse::test_nodes {

TEST_CASE("nodes are named and selected by name, by group or by *") {
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

TEST_CASE("the hub and the participants are selected whatever their names are") {
  const auto range = [](const Nodes& nodes, std::string_view selector) {
    const auto r = nodes.select(selector);
    return std::pair{r.first, r.last};
  };
  const auto none = [&](const Nodes& nodes, std::string_view selector) {
    const auto [first, last] = range(nodes, selector);
    return first == last;
  };
  const Nodes star({{"server", 1, false}, {"client", 12, true}});
  CHECK(range(star, "hub") == std::pair{0u, 1u});
  CHECK(range(star, "participant") == std::pair{1u, 13u});
  CHECK(range(star, "participant-4..9") == std::pair{5u, 11u});
  CHECK(range(star, "participant-11") == std::pair{12u, 13u});
  for (const auto* wrong :
       {"participant-12", "participant-", "participant-01", "participants", "hub-0"})
    CHECK(none(star, wrong));
  const Nodes hierarchy({{"server", 1, false}, {"edge", 3, true}, {"client", 6, true}});
  CHECK(range(hierarchy, "participant") == std::pair{4u, 10u});
  // Arms are numbered from 1, participants from 0.
  const Nodes functional({{"agent", 1, false}, {"arm", 4, true, 1}});
  CHECK(range(functional, "participant-0") == std::pair{1u, 2u});
  CHECK(range(functional, "arm-1") == std::pair{1u, 2u});
  const Nodes mesh({{"player", 5, true}});
  CHECK(none(mesh, "hub"));
  CHECK(range(mesh, "participant") == std::pair{0u, 5u});
  CHECK(star.members({"participant", 0.5}, StreamKey{}).size() >= 1);
}

}  // namespace posse::test_nodes
