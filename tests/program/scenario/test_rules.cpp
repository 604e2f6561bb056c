// SPDX-License-Identifier: Apache-2.0
// For which algorithms rules are, what has no effect on some of them, and scenarios without it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "program/run/run_warnings.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/with_algorithms.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_rules {
namespace {

using Catch::Matchers::Contains;
using test::read_valid;
using Texts = std::vector<std::string>;

/// Two algorithms with the same names of nodes and messages.
const std::string kEchoes = R"([[algorithm]]
kind = "echo"
label = "one"
[[algorithm]]
kind = "echo"
label = "two"
[population]
clients = 3
[network]
latency = "5 ms"
)";

/// Clients with a server, and players without one.
const std::string kBoth =
    R"([[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "parallel"
)" + test::kThreeClients +
    R"([network]
latency = "5 ms"
)";

/// One rule of each kind, with names of nodes if it needs them; each has something to change.
const std::map<std::string, std::string> kRules{
    {"network.link", "from = \"*\"\nlatency = \"7 ms\"\n"},
    {"network.node", "nodes = \"*\"\nrate_up = \"1 Mbit/s\"\n"},
    {"network.drop", "transmission = 3\n"},
    {"compute.stragglers", "factor = 2\n"},
    {"compute.service", "decode = \"1 us\"\n"},
    {"fault", "kind = \"pause\"\nnodes = [\"*\"]\nat = \"1 ms\"\nfor = \"1 ms\"\n"},
};

std::string table(const std::string& section, const std::string& more = "") {
  return "[[" + section + "]]\n" + kRules.at(section) + more;
}

/// Rules that take effect on an algorithm, beside [network] itself.
std::size_t rules(const Scenario& scenario, std::size_t algorithm) {
  const AlgorithmEntry& entry = scenario.algorithms.at(algorithm);
  const NetworkConfig network = make_network(scenario, entry, 0);
  return network.links.size() - 1 + network.nodes.size() + network.drops.size() +
         network.link_faults.size() + network.node_faults.size() +
         make_compute(scenario, entry).service.size();
}

Texts warnings(const std::string& text) {
  const auto scenario = read_valid(text);
  Texts texts;
  for (std::size_t a = 0; a < scenario.algorithms.size(); ++a)
    for (const auto& warning : scenario_warnings(scenario, a))
      texts.push_back(scenario.algorithms[a].label + ": " + warning.text);
  return texts;
}

/// The single scenarios of its algorithms, which read back as they are, without warnings.
Scenario alone(const Scenario& scenario, const std::string& label) {
  const auto one = with_algorithms(scenario, {label});
  std::string text = to_toml(one);
  INFO(text);
  if (!one.inputs.files().empty()) text += "[inputs]\n";
  for (const auto& file : one.inputs.files())
    text += "\"" + file.stored + "\" = '''" + *file.content + "'''\n";
  const auto again = read_valid(text);
  CHECK(scenario_warnings(again, 0).size() == scenario_warnings(one, 0).size());
  auto without_comments = one;
  without_comments.left_out.clear();
  if (one.inputs.files().empty()) CHECK(to_toml(again) == to_toml(without_comments));
  return again;
}

std::uint64_t fingerprint(const Scenario& scenario, const std::string& label) {
  RunMonitor monitor(number_of_runs(scenario, {}));
  for (const auto& run : run_scenario(scenario, {}, monitor).runs)
    if (scenario.algorithms[run.algorithm].label == label) {
      INFO(run.result.outcome.report);
      CHECK(run.result.outcome.status == RunStatus::finished);
      return run.result.outcome.fingerprint;
    }
  FAIL("no run of " << label);
  return 0;
}

/// Each algorithm alone runs as beside the others.
void check_alone(const std::string& text) {
  const auto scenario = read_valid(text);
  for (const auto& entry : scenario.algorithms) {
    INFO(entry.label);
    CHECK(fingerprint(alone(scenario, entry.label), entry.label) ==
          fingerprint(scenario, entry.label));
  }
}

}  // namespace

TEST_CASE("a rule for an algorithm takes effect there alone") {
  for (const auto& [section, keys] : kRules) {
    INFO(section);
    const auto both = read_valid(kEchoes + table(section));
    CHECK(rules(both, 0) == 1);
    CHECK(rules(both, 1) == 1);
    const auto one = read_valid(kEchoes + table(section, "algorithm = \"one\"\n"));
    CHECK(rules(one, 0) == 1);
    CHECK(rules(one, 1) == 0);
    const auto listed = read_valid(kEchoes + table(section, "algorithm = [\"two\", \"one\"]\n"));
    CHECK(rules(listed, 0) == 1);
    CHECK(rules(listed, 1) == 1);
    for (const auto* scenario : {&both, &one, &listed}) {
      const auto again = read_valid(to_toml(*scenario));
      CHECK(to_toml(again) == to_toml(*scenario));
      CHECK(rules(again, 0) == rules(*scenario, 0));
      CHECK(rules(again, 1) == rules(*scenario, 1));
    }
  }
}

TEST_CASE("what is no label of an algorithm, or no list of labels, is refused in every rule") {
  for (const auto& [section, keys] : kRules) {
    const auto errors = [&, &section = section](const std::string& value) {
      return test::errors_in(kEchoes + table(section, "algorithm = " + value + "\n"));
    };
    const std::string key = section + ".0.algorithm: ";
    const std::string allowed = "\n    allowed: a label or a list of labels: one, two\n";
    CHECK_THAT(errors("3"), Contains(key + "is not a label\n    given:   3" + allowed));
    CHECK_THAT(errors("true"), Contains(key + "is not a label"));
    CHECK_THAT(errors("{ label = \"one\" }"), Contains(key + "is not a label" + allowed));
    CHECK_THAT(errors("[]"), Contains(key + "is an empty list" + allowed));
    CHECK_THAT(errors("\"\""), Contains(key + "is unknown"));
    CHECK_THAT(errors("\"echo\""), Contains(key + "is unknown"));  // a kind
    CHECK_THAT(
        errors("\"onee\""),
        Contains(key + "is unknown\n    given:   \"onee\"" + allowed + "    did you mean 'one'?"));
    CHECK_THAT(errors("[\"one\", \"tow\"]"),
               Contains(key + "has the element \"tow\"" + allowed + "    did you mean 'two'?"));
    CHECK_THAT(errors("[\"one\", 3]"), Contains(key + "has the element 3"));
    CHECK_THAT(errors("[\"one\", [\"two\"]]"), Contains(key + "has the element a list"));
    CHECK_THAT(errors("[\"one\", \"one\"]"), Contains(key + "has 'one' twice"));
    // One mistake is one error, at the line of the key.
    const auto line = std::count(kEchoes.begin(), kEchoes.end(), '\n') +
                      std::count(keys.begin(), keys.end(), '\n') + 2;
    const auto error = errors("\"onee\"");
    CHECK_THAT(error, Catch::Matchers::StartsWith("test.toml:" + std::to_string(line) + ": error"));
    CHECK(error.find("error", error.find("error") + 1) == std::string::npos);
  }
}

TEST_CASE("an unknown label is not told where a label of [[algorithm]] is wrong") {
  const auto errors = test::errors_in(
      R"([[algorithm]]
kind = "echo"
label = 7
[population]
clients = 2
)" + table("network.node", "algorithm = \"mine\"\n"));
  CHECK_THAT(errors, Contains("algorithm.0.label"));
  CHECK_THAT(errors, !Contains("network.node.0"));
}

TEST_CASE("a rule must have an effect on one of the algorithms that it is for") {
  const auto errors = [](const std::string& rule) { return test::errors_in(kBoth + rule); };
  const std::string node = R"([[network.node]]
rate_up = "1 Mbit/s"
)";
  CHECK(errors(node + "nodes = \"client\"\nalgorithm = \"fed-pne\"\n").empty());
  CHECK(errors(node + "nodes = \"client\"\nalgorithm = [\"fed-pne\", \"parallel\"]\n").empty());
  CHECK_THAT(errors(node + "nodes = \"client\"\nalgorithm = \"parallel\"\n"),
             Contains("network.node.0.nodes: 'parallel' has no 'client'"));
  CHECK_THAT(errors(node + "nodes = \"clinet\"\n"),
             Contains("network.node.0.nodes: no algorithm here has 'clinet'") &&
                 Contains("did you mean 'client'?"));
  const std::string drop = "[[network.drop]]\n";
  CHECK_THAT(errors(drop + "type = \"LocalMeans\"\nalgorithm = \"parallel\"\n"),
             Contains("network.drop.0.type: 'parallel' has no 'LocalMeans'"));
  // Each name is one of an algorithm, but no algorithm has both.
  CHECK_THAT(errors(drop + "type = \"LocalMeans\"\nfrom = \"player-1\"\n"),
             Contains("test.toml:14: error: network.drop.0: no algorithm here has all of "
                      "type = \"LocalMeans\", from = \"player-1\""));
  CHECK_THAT(errors(R"([[network.link]]
latency = "1 ms"
from = "client"
to = "player"
)"),
             Contains("network.link.0: no algorithm here has all of"));
  CHECK_THAT(errors(R"([[network.link]]
loss = { kind = "by-type", p = { LocalMeans = 0.1 } }
algorithm = "parallel"
)"),
             Contains("network.link.0.loss: no algorithm that it is for sends these messages"));
  CHECK_THAT(errors(R"([[fault]]
kind = "partition"
at = "1 s"
groups = [["server"], ["player"]]
)"),
             Contains("fault.0: no algorithm here has all of"));
}

TEST_CASE("a rule without effect on an algorithm is told once, unless it says for whom it is") {
  const auto told = [](const std::string& rule) { return warnings(kBoth + rule); };
  const std::string node = "[[network.node]]\nrate_up = \"1 Mbit/s\"\nnodes = ";
  CHECK(told(node + "\"client\"\n") ==
        Texts{"parallel: network.node.0 (nodes = \"client\") has no effect on it, which has "
              "player-0..2; \"participant\" covers both"});
  CHECK(told(node + "\"participant\"\n").empty());
  CHECK(told(node + "\"client\"\nalgorithm = \"fed-pne\"\n").empty());
  CHECK(told(node + "\"client\"\nalgorithm = [\"fed-pne\", \"parallel\"]\n").empty());
  // A mesh has no hub.
  CHECK(told(node + "\"server\"\n") ==
        Texts{"parallel: network.node.0 (nodes = \"server\") has no effect on it, which has "
              "player-0..2"});
  CHECK(told(R"([[network.link]]
latency = "1 ms"
from = "server"
to = "client-1"
)") == Texts{"parallel: network.link.0 (from = \"server\", to = \"client-1\") has no effect on "
             "it, which has player-0..2"});
  CHECK(told(R"([[compute.stragglers]]
nodes = "player-0"
factor = 2
)") == Texts{"fed-pne: compute.stragglers.0 (nodes = \"player-0\") has no effect on it, which has "
             "server, client-0..2; \"participant\" covers both"});
  CHECK(told(R"([[fault]]
kind = "storm"
nodes = "client"
mean_between = "1 s"
mean_for = "1 s"
until = "9 s"
)")
            .size() == 1);
  // Faults of some nodes: of each algorithm those that it has.
  CHECK(told(R"([[fault]]
kind = "pause"
at = "1 ms"
for = "1 ms"
nodes = ["server", "client-1", "player-1"]
)") == Texts{"fed-pne: part of fault.0 (nodes = \"player-1\") has no effect on it, which has "
             "server, client-0..2; \"participant\" covers both",
             "parallel: part of fault.0 (nodes = \"server\", \"client-1\") has no effect on it, "
             "which has player-0..2"});
  const std::string three = R"([[algorithm]]
kind = "hct-central"
)" + kBoth;
  CHECK(warnings(three + node + "\"server\"\n") ==
        Texts{"hct-central: network.node.0 (nodes = \"server\") has no effect on it, which has "
              "learner, environment-0..2; \"hub\" covers it, too",
              "parallel: network.node.0 (nodes = \"server\") has no effect on it, which has "
              "player-0..2"});
  CHECK_THAT(warnings(three + node + "\"client\"\n").at(0), Contains("\"participant\" covers all"));
}

TEST_CASE("a message type or a round that an algorithm doesn't have is told once") {
  const auto told = [](const std::string& rule) { return warnings(kBoth + rule); };
  CHECK(told(R"([[network.drop]]
type = "LocalMeans"
to = "server"
)") == Texts{"parallel: network.drop.0 (type = \"LocalMeans\", to = \"server\") has no effect on "
             "it, which has player-0..2 and sends no LocalMeans"});
  CHECK(told(R"([[network.drop]]
type = "LocalMeans"
algorithm = "fed-pne"
)")
            .empty());
  CHECK(told(R"([[compute.service]]
type = "LevelMeans"
decode = "1 us"
)")
            .size() == 1);
  CHECK(told(R"([[compute.service]]
type = "start"
compute = "1 us"
)")
            .empty());
  // Losses by type are one model for all algorithms: some of its types must be sent by each.
  const std::string loss = "loss = { kind = \"by-type\", p = { ";
  CHECK(told(loss + "LocalMeans = 0.1, LevelMeans = 0.1 } }\n").empty());
  CHECK_THAT(
      told(loss + "LocalMeans = 0.1 } }\n").at(0),
      Contains(
          "parallel: network.loss (LocalMeans) has no effect on it, which sends none of them"));
  const std::string link = R"([[network.link]]
from = "*"
)" + loss + "LocalMeans = 0.1 } }\n";
  CHECK(told(link).size() == 1);
  CHECK(told(link + "algorithm = \"fed-pne\"\n").empty());
}

TEST_CASE("a round above the forecast of all algorithms is refused, of one it is told") {
  const std::string echoes =
      R"([[algorithm]]
kind = "echo"
label = "short"
rounds = 5
[[algorithm]]
kind = "echo"
label = "long"
rounds = 50
[population]
clients = 3
[network]
latency = "5 ms"
[[network.drop]]
)";
  CHECK(warnings(echoes + "round = 5\n").empty());
  CHECK_THAT(warnings(echoes + "round = 20\n").at(0),
             Contains("short: network.drop.0 (round = 20) has no effect on it, which has"));
  CHECK(warnings(echoes + "round = 20\nalgorithm = \"long\"\n").empty());
  CHECK_THAT(
      test::errors_in(echoes + "round = 99\n"),
      Contains("network.drop.0.round: no algorithm here has round 99\n    allowed: at most"));
  CHECK_THAT(test::errors_in(echoes + "round = 20\nalgorithm = \"short\"\n"),
             Contains("network.drop.0.round: 'short' has no round 20"));
}

TEST_CASE("an algorithm alone runs as beside others, without the rules that do nothing to it") {
  const std::string reliable = kBoth + "transport = \"reliable\"\n";
  const std::string node = "[[network.node]]\nrate_up = \"1 Mbit/s\"\nnodes = ";
  check_alone(reliable + node + "\"client\"\n");
  check_alone(reliable + node + "\"participant\"\n");
  check_alone(reliable + node + "\"client\"\nalgorithm = \"fed-pne\"\n");
  check_alone(reliable + node + "\"client\"\nalgorithm = [\"fed-pne\", \"parallel\"]\n");
  check_alone(reliable + R"([[network.link]]
from = "player-0"
loss = 0.2
)");
  check_alone(reliable + R"([[network.drop]]
type = "LevelMeans"
round = 1
)");
  check_alone(reliable +
              R"([[compute.stragglers]]
nodes = "client-1"
factor = 3
[[compute.service]]
nodes = "server"
type = "LocalMeans"
decode = "1 ms"
)");
  check_alone(reliable +
              R"(loss = { kind = "by-type", p = { LocalMeans = 0.2 } }
[[network.link]]
to = "player-2"
loss = { kind = "by-type", p = { LevelMeans = 0.3 } }
)");
  // min_timeout is for the time-outs of one algorithm's links.
  check_alone(reliable +
              R"(retransmission = { timeout = "50 ms", min_timeout = "20 ms" }
[[network.link]]
from = "client"
timeout = "derived"
)");
}

TEST_CASE("an algorithm alone has the faults that it had beside others") {
  const std::string reliable = kBoth + R"(transport = "reliable"
[[compute.stragglers]]
factor = 2
)";
  const std::string random = "mean_between = \"20 ms\"\nmean_for = \"5 ms\"\nuntil = \"1 s\"\n";
  // Random times and shares of what follows don't depend on what has no effect.
  check_alone(reliable + R"([[fault]]
kind = "clog"
groups = [["server"], ["client-1"]]
)" + random + R"([[fault]]
kind = "pause"
nodes = ["client-0", "player-2"]
)" + random +
              R"([[fault]]
kind = "pause"
nodes = [{ nodes = "participant", share = 0.4 }]
)" + random + R"([[fault]]
kind = "clog"
one_way = true
)" + "groups = [[\"client-0\"], [\"*\"], [\"player\"]]\n" +
              random);
  check_alone(reliable + R"([[fault]]
kind = "storm"
nodes = "client"
)" + random);
  check_alone(reliable + R"([[fault]]
kind = "pause"
nodes = ["player"]
)" + random + "algorithm = \"parallel\"\n");
}

TEST_CASE("an algorithm alone has its lines of files with down times and latencies") {
  const test::Folder folder;
  folder.write(
      "down.csv",
      "node,down_s,up_s\nclient-1,0.005,0.0125\nplayer-0,0.004,0.25\nclient-0,0.02,0.03\n");
  folder.write("ms.csv", "from,to,latency_ms\nserver,client-0,3.7\nclient-0,server,12\n");
  folder.write("both.csv", "from,to,latency_us\nserver,client-0,3700\nplayer-0,player-1,1200\n");
  const std::string text =
      R"([[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "parallel"
)" + test::kThreeClients +
      R"([network]
transport = "reliable"
)";
  const std::string availability = R"([[fault]]
kind = "availability"
file = "down.csv"
)";
  for (const std::string file : {"ms.csv", "both.csv"}) {
    INFO(file);
    Diagnostics diagnostics;
    const auto path = folder.write("s.toml",
                                   text + "latency = { kind = \"matrix\", file = \"" + file +
                                       "\", otherwise = \"2 ms\" }\n" + availability);
    const auto scenario = load_scenario(path, {}, diagnostics);
    INFO(diagnostics.text());
    REQUIRE(diagnostics.empty());
    for (const auto& entry : scenario.algorithms) {
      INFO(entry.label);
      CHECK(fingerprint(alone(scenario, entry.label), entry.label) ==
            fingerprint(scenario, entry.label));
    }
    const auto parallel = with_algorithms(scenario, {"parallel"});
    CHECK(std::get<NodeFault>(parallel.faults.at(0).what).nodes ==
          std::vector<FaultyNodes>{"player-0"});
    CHECK((parallel.network.matrix == nullptr) == (file == "ms.csv"));
  }
}

TEST_CASE("comments of a scenario name what is left out of it") {
  const auto scenario =
      read_valid(kBoth +
                 R"(loss = { kind = "by-type", p = { LocalMeans = 0.1, LevelMeans = 0.2 } }
[[network.node]]
nodes = "client"
rate_up = "1 Mbit/s"
[[network.node]]
nodes = "client"
rate_up = "1 Mbit/s"
algorithm = "fed-pne"
[[fault]]
kind = "pause"
at = "1 ms"
for = "1 ms"
nodes = ["server", "player-1"]
)");
  CHECK(with_algorithms(scenario, {"parallel"}).left_out ==
        Texts{"left out: network.loss (LocalMeans) has no effect on parallel",
              "left out: network.node.0 (nodes = \"client\") has no effect on parallel",
              "left out: part of fault.0 (nodes = \"server\") has no effect on parallel"});
  CHECK_THAT(
      to_toml(with_algorithms(scenario, {"parallel"})),
      Contains("\n# left out: network.node.0 (nodes = \"client\") has no effect on parallel\n"));
  CHECK(with_algorithms(scenario, {"fed-pne"}).left_out.size() == 2);
  CHECK(with_algorithms(scenario, {"fed-pne", "parallel"}).left_out.empty());
  CHECK(to_toml(with_algorithms(scenario, {"fed-pne", "parallel"})) == to_toml(scenario));
}

TEST_CASE("derived time-outs that are kept follow from each algorithm's own network") {
  const auto recorded = read_valid(kEchoes + table("network.link", "algorithm = \"two\"\n"));
  auto scenario = read_valid(kEchoes);
  scenario.network.derives_from = std::make_shared<const Scenario>(recorded);
  const auto links = [&](std::size_t algorithm) {
    return make_network(scenario, scenario.algorithms[algorithm], 0).derives_from->links.size();
  };
  CHECK(links(0) == 1);
  CHECK(links(1) == 2);
}

}  // namespace posse::test_rules
