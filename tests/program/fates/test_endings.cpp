// SPDX-License-Identifier: Apache-2.0
// Ends of runs that random scenarios once found to depend on the kernel or on latency.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "program/fates/properties.hpp"
#include "program/fates/trial.hpp"

namespace posse::test_endings {
namespace {

std::string violations(const std::string& scenario) {
  std::string found;
  for (const auto& violation : violations_of(make_trial(scenario)))
    found += fmt::format("{}: {}\n", violation.property, violation.what);
  return found;
}

}  // namespace

TEST_CASE("a crash in the window of the answer delays a settled node's work on every kernel") {
  for (const int seed : {729963, 729967})
    CHECK(violations(fmt::format(R"(
name = "delayed-work"
seed = {}
[[algorithm]]
kind = "vpct"
[budget]
evaluations_per_client = 6
[[compute.service]]
compute = {{ kind = "pareto", scale = "1.552 ms", shape = 2.8 }}
[[fault]]
kind = "crash"
nodes = ["instance-1"]
at = "2 ms"
every = "1 ms"
for = "0.506 ms"
until = "13 ms"
[network]
latency = {{ kind = "normal", mean = "1 ms", sd = "0.881 ms", floor = "0.936 ms" }}
[objective]
kind = "sine"
[population]
clients = 1
)",
                                 seed))
              .empty());
}

TEST_CASE("a run ends with the hub's last departure, whomever it is for") {
  for (const int seed : {1, 3, 4})
    CHECK(violations(fmt::format(R"(
name = "last-departure"
seed = {}
[[algorithm]]
kind = "hct"
[budget]
evaluations_per_client = 24
[[compute.service]]
encode = "1 ms"
[network]
loss = {{ kind = "by-type", p = {{ Query = 0.2 }} }}
[objective]
kind = "constant"
[population]
clients = 3
[server]
policy = "quorum"
quorum = 1
)",
                                 seed))
              .empty());
}

TEST_CASE("a client that the server has decided to admit is waited for before it is told") {
  for (const int seed : {1, 2, 3})
    CHECK(violations(fmt::format(R"(
name = "newcomer"
seed = {}
[[algorithm]]
kind = "fed2-ucb"
arms_per_dimension = 2
pulls_per_phase = 2
[budget]
evaluations_per_client = 5
[[compute.service]]
encode = "2 ms"
[objective]
kind = "garland"
[population]
clients = 3
)",
                                 seed))
              .empty());
}

TEST_CASE("no acknowledgement arrives after the end, though a client waits or the server is down") {
  CHECK(violations(R"(
name = "server-down"
seed = 1066405
[[algorithm]]
kind = "pf-pne"
arity = 3
[budget]
evaluations_per_client = 13
[[fault]]
kind = "availability"
file = "availability.csv"
[inputs]
"availability.csv" = "node,down_s,up_s\nserver,0.040073,0.072470\nserver,0.118768,\n"
[network]
latency = { kind = "normal", mean = "1 ms", sd = "0.767 ms" }
rate = "32 kbit/s"
transport = "reliable"
[objective]
kind = "constant"
[population]
clients = 1
)")
            .empty());
  // The server gives up on a client that was down.
  CHECK(violations(R"(
name = "given-up"
seed = 1091030
[[algorithm]]
kind = "fed1-ucb"
arms_per_dimension = 4
[budget]
evaluations_per_client = 1
[[fault]]
kind = "crash"
nodes = ["client-6"]
at = "0.537 ms"
for = "0.125 ms"
[network]
latency = { kind = "uniform", max = "0.797 ms", min = "0.152 ms" }
rate = "19502 kbit/s"
retransmission = { max_tries = 1, timeout = "1 ms" }
transport = "reliable"
[objective]
kind = "himmelblau"
[population]
clients = 7
)")
            .empty());
}

TEST_CASE("the survivors of the last level reach a client without evaluations left") {
  for (const int seed : {2, 6, 9})
    CHECK(violations(fmt::format(R"(
name = "last-survivors"
seed = {}
[[algorithm]]
kind = "pf-pne-vhct"
[budget]
evaluations_per_client = 13
[objective]
kind = "garland"
heterogeneity = {{ kind = "shift" }}
[population]
clients = 3
)",
                                 seed))
              .empty());
}

TEST_CASE("a local learner that crashes again after it has finished reports nothing more") {
  CHECK(violations(R"(
name = "crashes-again"
seed = 6004
[[algorithm]]
kind = "hct-local"
[budget]
evaluations_per_client = 10
[compute]
evaluation = { kind = "gamma", mean = "0.538 ms", shape = 1.0 }
[[fault]]
kind = "crash"
state = "lost"
nodes = ["client"]
at = "1 ms"
every = "2 ms"
for = "1 ms"
until = "10 ms"
[objective]
kind = "garland"
[population]
clients = 2
)")
            .empty());
}

TEST_CASE("a late answer may delay others where messages take time to handle") {
  CHECK(violations(R"(
name = "late-answer"
seed = 2265
[[algorithm]]
kind = "hoo"
[budget]
evaluations_per_client = 16
[[compute.service]]
dispatch = { kind = "exponential", mean = "0.264 ms" }
[objective]
kind = "garland"
[population]
clients = 2
[server]
policy = "deadline"
deadline = "1 ms"
)")
            .empty());
}

}  // namespace posse::test_endings
