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

}  // namespace posse::test_nodes
