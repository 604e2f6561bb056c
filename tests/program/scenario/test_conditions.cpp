// SPDX-License-Identifier: Apache-2.0
// The sentence that says under which conditions numbers were made.
#include <catch2/catch.hpp>

#include "program/scenario/conditions.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_conditions {
namespace {

using Catch::Matchers::Contains;

std::string conditions(const std::string& more, const std::vector<std::string>& sets = {}) {
  return conditions_text(test::read_valid(R"([[algorithm]]
kind = "fed-pne"
)" + test::kThreeClients + more,
                                          sets));
}

}  // namespace

TEST_CASE("conditions name what is not there, too") {
  CHECK(conditions("", {"objective.noise={ kind = \"none\" }"}) ==
        "garland, no noise; 3 clients, 200 evaluations each; evaluations take no time; no latency, "
        "no loss, datagrams");
}

TEST_CASE("conditions name latency, rates, losses, policy, stragglers and faults in words") {
  CHECK(
      conditions(
          R"([network]
latency = { kind = "exponential", mean = "40 ms", floor = "10 ms" }
loss = 0.02
rate = "2 Mbit/s"
transport = "reliable"
[compute]
evaluation = "1 ms"
[[compute.stragglers]]
nodes = "client-0"
factor = 3
[server]
policy = "quorum"
quorum = 2
[[fault]]
kind = "pause"
nodes = ["client-1"]
at = "1 s"
for = "1 s"
)",
          {"objective.noise={ kind = \"uniform\", half_width = 0.2 }"}) ==
      "garland, noise uniform (half_width 0.2); 3 clients, 200 evaluations each; evaluation 1 ms; "
      "latency exponential (mean 40 ms, floor 10 ms) one way, 2 Mbit/s on each link by itself, "
      "loss bernoulli (p 0.02), reliable "
      "transport, time-outs derived from the latency (Linux TCP: at least 200 ms); server policy "
      "quorum of 2; 1 rule for stragglers; 1 fault");
  CHECK_THAT(conditions("", {"objective.heterogeneity={ kind = \"shift\", scale = 0.1 }"}),
             Catch::Matchers::StartsWith("garland, clients differ by shift (scale 0.1, boundary "));
}

TEST_CASE("a median is told with the mean that it has") {
  CHECK_THAT(conditions(R"([compute]
evaluation = { kind = "lognormal", median = "1 ms", sigma = 2 }
)"),
             Contains("evaluation lognormal (median 1 ms, sigma 2.0, mean 7.39 ms)"));
}

TEST_CASE("conditions of several scenarios name what differs") {
  Conditions sweep;
  const auto add = [&](const std::string& more, const std::string& latency) {
    sweep.add(test::read_valid(
        R"([[algorithm]]
kind = "fed-pne"
)" + test::kThreeClients +
            "[network]\n" + more,
        {"network.latency=\"" + latency + "\""}));
  };
  const std::string reliable =
      "transport = \"reliable\"\nretransmission = { timeout = \"1 s\" }\nloss = ";
  add(reliable + "0\n", "5 ms");
  add(reliable + "0.1\n", "20 ms");
  CHECK_THAT(sweep.text(),
             Contains("latency 5 or 20 ms one way, no loss or loss bernoulli (p 0.1), reliable "
                      "transport, time-outs of 1 s"));
  add("rate = \"1 Mbit/s\"\n", "40 ms");
  add(R"(rate = "1 Mbit/s"
[[network.node]]
nodes = "server"
rate_up = "1 Mbit/s"
)",
      "80 ms");
  CHECK_THAT(
      sweep.text(),
      Contains("latency 5 … 80 ms one way, no limit of rates or 1 Mbit/s on each link by itself, "
               "no loss or loss bernoulli (p 0.1), reliable transport or datagrams, time-outs of 1 "
               "s, no or 1 rate of nodes"));
}

}  // namespace posse::test_conditions
