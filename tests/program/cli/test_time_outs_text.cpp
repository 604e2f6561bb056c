// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "program/cli/time_outs_text.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_time_outs_text {
namespace {

const std::string kStar = R"([[algorithm]]
kind = "echo"
[population]
clients = 3
[network]
latency = "20 ms"
)";

}  // namespace

TEST_CASE("check -v shows the time-outs of links, equal ones together") {
  CHECK(time_outs_text(test::read_valid(kStar)).empty());  // datagrams
  const std::string reliable = kStar + "transport = \"reliable\"\n";
  CHECK(
      time_outs_text(test::read_valid(reliable)) ==
      "first time-outs, for messages of 1000 bytes:\n"
      "  algorithm  links  the first           time-out           two round trips  behind others\n"
      "  echo       6      server to client-0  80 ms     derived  80 ms            0 s\n");
  CHECK(
      time_outs_text(test::read_valid(reliable + R"([[network.link]]
from = "client-1"
latency = "300 ms"
[[network.link]]
to = "client-2"
timeout = "5 ms"
[[network.node]]
nodes = "client-0"
rate_down = "1 Mbit/s"
)")) ==
      "first time-outs, for messages of 1000 bytes:\n"
      "  algorithm  links  the first           time-out           two round trips  behind others\n"
      "  echo       1      server to client-2  5 ms      stated\n"
      "  echo       1      client-2 to server  80 ms     derived  80 ms            0 s\n"
      "  echo       2      server to client-0  88.06 ms  derived  80 ms            8.064 ms\n"
      "  echo       2      server to client-1  640 ms    derived  640 ms           0 s\n");
}

}  // namespace posse::test_time_outs_text
