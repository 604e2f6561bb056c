// SPDX-License-Identifier: Apache-2.0
// All mistakes of a file are found at once: none hides another, and none causes another.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "program/sweep/sweep_plan.hpp"
#include "tests/support/folder.hpp"

namespace posse::test_mistakes {
namespace {

// Everything in it has an effect, in all of its settings.
constexpr const char* kValid = R"(
repeat = 2
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "parallel"
[population]
clients = 4
[objective]
kind = "garland"
noise = { kind = "uniform", half_width = 0.1 }
[budget]
evaluations_per_client = 100
[network]
latency = "20 ms"
transport = "reliable"
retransmission = { backoff = 2 }
[[network.link]]
from = "client-3"
loss = { kind = "by-type", p = { LocalMeans = 0.1 } }
[[network.node]]
nodes = "client"
rate_up = "1 Mbit/s"
[[network.drop]]
type = "PhasePlan"
to = "client-1"
[compute]
evaluation = "1 ms"
[[compute.stragglers]]
nodes = "client-2"
factor = 3
[server]
policy = "deadline"
deadline = "1 s"
quorum = 2
[[fault]]
kind = "crash"
nodes = ["client-1"]
at = "1 s"
for = "2 s"
repetition = 1
[[fault]]
kind = "partition"
groups = [["server"], ["client-2"]]
at = "1 s"
for = "2 s"
algorithm = "fed-pne"
[[fault]]
kind = "corrupt"
nodes = ["client-1"]
how = "constant"
value = 1
at = "1 s"
algorithm = "fed-pne"
[limits]
virtual_time = "1 h"
[thresholds]
simple_regret = "mean < 1"
"fed-pne.rounds" = "max <= 90"
[sweep]
"network.loss" = [0, 0.01]
"algorithm.fed-pne.nu1" = { from = 1, to = 2, steps = 2 }
constraint = "clients <= 4"
)";

struct Mistake {
  std::string assignment;
  std::vector<std::string> keys;  // of its messages
};

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all = {
      {"sede=1", {"sede"}},
      {"seed=-1", {"seed"}},
      {"repeat=0", {"repeat"}},
      {"algorithm.1.kind=\"paralel\"", {"algorithm.1.kind"}},
      {"algorithm.0.label=\"a b\"", {"algorithm.0.label"}},
      {"algorithm.0.rho=2", {"algorithm.0.rho"}},
      {"algorithm.0.rhoo=2", {"algorithm.0.rhoo"}},
      {"population.clients=0", {"population.clients"}},
      {"objective.kind=\"garlnd\"", {"objective.kind"}},
      {"objective.heterogeneity={kind=\"shfit\"}", {"objective.heterogeneity.kind"}},
      {"objective.noise.half_width=-1", {"objective.noise.half_width"}},
      {"budget.evaluations_per_client=1e-3", {"budget.evaluations_per_client"}},
      {"network.latency=20", {"network.latency"}},
      {"network.transport=\"relable\"", {"network.transport"}},
      {"network.retransmission.backoff=0.5", {"network.retransmission.backoff"}},
      {"network.duplication=2", {"network.duplication"}},
      {"network.link.0.from=\"cleint-3\"", {"network.link.0.from"}},
      {"network.link.0.loss.p.LocalMeens=0.1", {"network.link.0.loss.p.LocalMeens"}},
      {"network.node.0.rate_up=\"1 Mb\"", {"network.node.0.rate_up"}},
      {"network.drop.0.type=\"PhasePlans\"", {"network.drop.0.type"}},
      {"compute.evaluation=\"1 parsec\"", {"compute.evaluation"}},
      {"compute.stragglers.0.nodes=\"clients\"", {"compute.stragglers.0.nodes"}},
      {"server.policy=\"dedline\"", {"server.policy"}},
      {"server.quorum=\"many\"", {"server.quorum"}},
      {"fault.0.nodes=[\"severs\"]", {"fault.0.nodes"}},
      {"fault.0.repetition=-1", {"fault.0.repetition"}},
      {"fault.1.groups=[[\"server\"]]", {"fault.1.groups"}},
      {"fault.1.algorithm=3", {"fault.1.algorithm"}},
      {"fault.2.how=\"constantly\"", {"fault.2.how"}},
      {"limits.events=0", {"limits.events"}},
      {"thresholds.simple_regrets=\"mean < 1\"", {"thresholds.simple_regrets"}},
      {"thresholds.simple_regret=\"median < 1\"", {"thresholds.simple_regret"}},
      {"sweep.network.loss=[0, 2]", {"network.loss"}},
      {"sweep.network.order=\"fifo\"", {"sweep.network.order"}},
      {"sweep.algorithm.hoo.nu1=[1]", {"sweep.algorithm.hoo.nu1"}},
      {"sweep.constraint=\"cleints < 3\"", {"sweep.constraint"}},
      {"inputs.unused=\"1\"", {"inputs.unused"}},
  };
  return all;
}

std::set<std::string> keys_of_mistakes(const std::vector<Override>& overrides) {
  const test::Folder folder;
  const auto file = folder.write("all.toml", kValid);
  Diagnostics diagnostics;
  const SweepPlan plan(file.string(), overrides, diagnostics);
  std::set<std::string> keys;
  for (const auto& mistake : diagnostics.all()) keys.insert(mistake.key);
  return keys;
}
std::set<std::string> keys_of_mistakes(const std::vector<std::string>& assignments) {
  std::vector<Override> overrides;
  for (const auto& assignment : assignments) overrides.push_back({"--set", assignment});
  return keys_of_mistakes(overrides);
}

/// Names of nodes can't be checked beside an algorithm of an unknown kind.
bool hidden_by_a_kind(const std::string& key) {
  return key.ends_with(".from") || key.ends_with(".nodes") || key.ends_with(".type");
}

}  // namespace

TEST_CASE("a mistake neither hides another nor causes one") {
  REQUIRE(keys_of_mistakes(std::vector<Override>{}).empty());
  for (const auto& mistake : mistakes()) {
    INFO(mistake.assignment);
    CHECK(keys_of_mistakes({mistake.assignment}) ==
          std::set<std::string>(mistake.keys.begin(), mistake.keys.end()));
  }
  for (std::size_t i = 0; i < mistakes().size(); ++i)
    for (std::size_t j = i + 1; j < mistakes().size(); ++j) {
      const auto &a = mistakes()[i], &b = mistakes()[j];
      const bool kind = a.assignment.starts_with("algorithm.1.kind");
      std::set<std::string> expected;
      for (const auto* one : {&a, &b})
        for (const auto& key : one->keys)
          if (!kind || !hidden_by_a_kind(key)) expected.insert(key);
      INFO(a.assignment << " and " << b.assignment);
      if (kind) {
        auto found = keys_of_mistakes({a.assignment, b.assignment});
        std::erase_if(found, hidden_by_a_kind);
        CHECK(found == expected);
      } else {
        CHECK(keys_of_mistakes({a.assignment, b.assignment}) == expected);
      }
    }
}

TEST_CASE("mistakes in all sections are found at once") {
  std::vector<std::string> assignments;
  std::set<std::string> expected;
  for (const auto& mistake : mistakes()) {
    if (mistake.assignment.starts_with("algorithm.1.kind")) continue;
    assignments.push_back(mistake.assignment);
    expected.insert(mistake.keys.begin(), mistake.keys.end());
  }
  CHECK(keys_of_mistakes(assignments) == expected);
}

TEST_CASE("a name in a rule that no algorithm has is shown where it stands") {
  const test::Folder folder;
  const auto file = folder.write("names.toml",
                                 R"([[algorithm]]
kind = "echo"
[population]
clients = 2
[[network.link]]
loss = 0.1
[[network.link]]
loss = 0.1
to = "cleint-0"
)");
  Diagnostics diagnostics;
  const SweepPlan plan(file.string(), {}, diagnostics);
  REQUIRE(diagnostics.all().size() == 1);
  const auto& mistake = diagnostics.all().front();
  CHECK(mistake.location.line == 9);
  CHECK(mistake.key == "network.link.1.to");
  CHECK(mistake.nearest == "client-0");
}

}  // namespace posse::test_mistakes
