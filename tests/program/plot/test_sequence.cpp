// SPDX-License-Identifier: Apache-2.0
// Sequence diagrams of runs put together by hand, and of the built executable's runs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "program/plot/sequence.hpp"
#include "program/plot/sequence_of_run.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/xml.hpp"

namespace posse::test_sequence {
namespace {

using Catch::Matchers::Contains;

Time ms(std::int64_t milliseconds) { return Time{milliseconds * 1'000'000}; }

MessageRecord message(std::uint32_t from,
                      std::uint32_t to,
                      std::int64_t sent,
                      std::int64_t arrived) {
  MessageRecord m;
  m.type = "Plan";
  m.round = Round{1};
  m.from = NodeId{from};
  m.to = NodeId{to};
  m.sent = ms(sent);
  m.delivered = ms(arrived);
  m.content = static_cast<std::uint64_t>(sent);
  return m;
}
MessageRecord dropped(std::uint32_t from, std::uint32_t to, std::int64_t sent) {
  auto m = message(from, to, sent, 0);
  m.outcome = MessageOutcome::dropped;
  m.cause = DropCause::loss;
  return m;
}

/// Two rounds of 50 ms between a server and a client.
SimulationResult two_rounds() {
  SimulationResult result;
  result.node_names = {"server", "client-0"};
  result.messages = {message(0, 1, 0, 10),
                     message(1, 0, 40, 50),
                     message(0, 1, 50, 60),
                     dropped(1, 0, 90),
                     message(0, 1, 100, 100)};
  result.messages.back().outcome = MessageOutcome::in_flight;
  result.work = {{NodeId{1}, ms(10), ms(40)}, {NodeId{1}, ms(60), ms(90)}};
  result.faults = {{ms(20), FaultOf::nodes, 0, true, NodeId{0}},
                   {ms(25), FaultOf::nodes, 1, true, NodeId{0}},
                   {ms(30), FaultOf::nodes, 0, false, NodeId{0}},
                   {ms(35), FaultOf::nodes, 1, false, NodeId{0}}};
  for (const std::uint32_t number : {1, 2}) {
    RoundRecord round;
    round.round = Round{number};
    round.began = ms(50 * (number - 1));
    round.ended = ms(50 * number);
    result.outcome.rounds.push_back(round);
  }
  result.outcome.last_event = ms(100);
  result.regret_curve = {{1, 1, 0, 0.02, "simple_regret", 0.5},
                         {2, 1, 0, 0.05, "simple_regret", 0.25},
                         {2, 1, 0, 0.05, "simple_regret", 0.125},
                         {4, 2, 0, 0.1, "simple_regret", 0.0}};
  return result;
}

Sequence drawn(const SimulationResult& result, const SequenceSelection& selection = {}) {
  return sequence_of(sequence_parts(result, Transport::datagram), selection, "title", "what");
}

/// How many elements <g class="message OUTCOME"> there are, by outcome.
std::map<std::string, std::size_t> drawn_fates(const std::string& svg) {
  std::map<std::string, std::size_t> counts;
  for (const auto& name : xml_attributes(svg, "g", "class")) ++counts[name];
  return counts;
}

}  // namespace

TEST_CASE("a sequence diagram has a lane per node and an arrow per message copy") {
  const auto sequence = drawn(two_rounds());
  CHECK(sequence.lanes == std::vector<std::string>{"server", "client-0"});
  CHECK(sequence.from == 0);
  CHECK(sequence.until == 0.1);
  REQUIRE(sequence.arrows.size() == 5);
  CHECK(sequence.arrows[0].arrived == 0.01);
  CHECK_FALSE(sequence.arrows[3].arrived);
  CHECK(sequence.bars.size() == 3);
  CHECK(sequence.rounds.size() == 2);
  CHECK_THAT(sequence.subtitle, Contains("what; 5 of 5 message copies"));
  const auto svg = to_svg(sequence);
  CHECK(xml_problem(svg).empty());
  CHECK(drawn_fates(svg) == std::map<std::string, std::size_t>{{"message delivered", 3},
                                                               {"message dropped", 1},
                                                               {"message in_flight", 1}});
  CHECK_THAT(svg, Contains(">loss</text>") && Contains("dropped (1)") && Contains("round 2"));
}

TEST_CASE("a node that several faults stop stands still until the last of them ends") {
  const auto sequence = drawn(two_rounds());
  const auto stop = std::find_if(
      sequence.bars.begin(), sequence.bars.end(), [](const auto& bar) { return bar.stopped; });
  REQUIRE(stop != sequence.bars.end());
  CHECK(stop->lane == 0);
  CHECK(stop->from == 0.02);
  CHECK(stop->until == 0.035);
}

TEST_CASE("the regret of a part of a run begins with the value that holds at its beginning") {
  SequenceSelection late;
  late.from = ms(60);
  const auto sequence = drawn(two_rounds(), late);
  REQUIRE(sequence.curves.size() == 1);
  CHECK(sequence.curves[0].points ==
        std::vector<std::pair<double, double>>{{0.06, 0.125}, {0.1, 0.0}});
}

TEST_CASE("a round's diagram has the messages of its time only") {
  SequenceSelection first;
  first.rounds = {1, 1};
  CHECK(drawn(two_rounds(), first).arrows.size() == 2);
  SequenceSelection second;
  second.rounds = {2, 2};
  const auto sequence = drawn(two_rounds(), second);
  CHECK(sequence.arrows.size() == 3);
  CHECK(sequence.from == 0.05);
  CHECK(sequence.rounds.size() == 1);
  CHECK_THAT(sequence.subtitle, Contains("3 of 5 message copies"));
}

TEST_CASE("a part of a run without anything in it can't be drawn") {
  SequenceSelection selection;
  selection.rounds = {2, 3};
  CHECK_THROWS_WITH(drawn(two_rounds(), selection),
                    "there is no record of round 3; the rounds are 1 to 2");
  selection = {};
  selection.from = ms(101);
  CHECK_THROWS_WITH(drawn(two_rounds(), selection), "the run ends at 0.1 s");
  selection = {};
  selection.from = selection.until = ms(20);
  CHECK_THROWS_AS(drawn(two_rounds(), selection), std::invalid_argument);
}

TEST_CASE("copies of a message that left before are marked, by number or as datagrams") {
  auto result = two_rounds();
  result.messages = {message(0, 1, 0, 10), message(0, 1, 0, 12), message(0, 1, 20, 30)};
  auto sequence = drawn(result);
  CHECK_FALSE(sequence.arrows[0].repeated);
  CHECK(sequence.arrows[1].repeated);  // the network's duplicate
  CHECK_FALSE(sequence.arrows[2].repeated);
  result.messages[1].number = 1;  // with numbers the third is a retransmission of the first
  sequence = sequence_of(sequence_parts(result, Transport::reliable), {}, "", "");
  CHECK_FALSE(sequence.arrows[1].repeated);
  CHECK(sequence.arrows[2].repeated);
}

TEST_CASE("a large run is cut to its busiest nodes and first messages, and the picture says so") {
  auto result = two_rounds();
  result.node_names.resize(kMostLanes + 5, "node");
  result.messages.clear();
  for (std::uint32_t i = 0; i < 2 * kMostArrows; ++i)
    result.messages.push_back(message(0, 1 + i % (std::uint32_t{kMostLanes} + 4), i, i + 5));
  const auto sequence = drawn(result);
  CHECK(sequence.lanes.size() == kMostLanes);
  CHECK(sequence.arrows.size() == kMostArrows);
  // The i-th message between lanes; 39 of 44 are.
  CHECK(sequence.until == Approx(sequence.arrows.back().sent + 0.005));
  CHECK_THAT(sequence.subtitle,
             Contains("400 of 800 message copies") &&
                 Contains("the 40 of 45 nodes with the most copies") &&
                 Contains("--from or --rounds"));
}

TEST_CASE("what is cut ends with the last arrival, or where the next copy leaves") {
  auto result = two_rounds();
  result.messages.assign(kMostArrows, message(0, 1, 0, 10));
  result.messages.back() = dropped(0, 1, 0);
  result.outcome.last_event = ms(10);
  CHECK(drawn(result).until == 0.01);
  result.messages.push_back(message(0, 1, 5, 15));
  CHECK(drawn(result).until == 0.01);
  result.messages.back().sent = ms(12);
  CHECK(drawn(result).until == 0.012);
}

TEST_CASE("flags select a part of a run, and mistakes are named") {
  const auto parsed = parse_selection("20ms", "1 s", "");
  REQUIRE(parsed.value);
  CHECK(parsed.value->from == ms(20));
  CHECK(parsed.value->until == ms(1000));
  CHECK(parse_selection("", "", "3").value->rounds ==
        std::pair<std::uint32_t, std::uint32_t>{3, 3});
  CHECK(parse_selection("", "", "2..5").value->rounds ==
        std::pair<std::uint32_t, std::uint32_t>{2, 5});
  for (const auto* rounds : {"x", "5..2", "1..", "..3", "-1"})
    CHECK_THAT(parse_selection("", "", rounds).problem, Contains("neither a round"));
  CHECK_THAT(parse_selection("20", "", "").problem, Contains("--from '20'"));
  CHECK_THAT(parse_selection("1s", "", "2").problem, Contains("exclude each other"));
}

TEST_CASE("plot --kind sequence draws every copy that the ledger counts, with its fate") {
  const ProgramFolder folder;
  folder.write("lossy.toml",
               R"(name = "lossy"
seed = 2
repeat = 2
[[algorithm]]
kind = "random"
[[algorithm]]
kind = "parallel"
[population]
clients = 4
[objective]
kind = "garland"
[budget]
evaluations_per_client = 60
[network]
latency = { kind = "uniform", min = "2 ms", max = "7 ms" }
loss = 0.1
duplication = 0.05
transport = "reliable"
[compute]
evaluation = "1 ms"
)");
  REQUIRE(folder.posse("run lossy.toml --quiet").code == 0);
  const auto plot = folder.posse(
      "plot runs/lossy --kind sequence --algorithm parallel --repetition 1 --out s.svg");
  INFO(plot.err);
  REQUIRE(plot.code == 0);
  CHECK(plot.out == "s.svg\ns.csv\n");
  const auto svg = content(folder / "s.svg");
  CHECK(xml_problem(svg).empty());
  CHECK_THAT(svg, Contains("Messages of parallel, repetition 1") && !Contains("not as recorded"));

  std::map<std::string, std::size_t> counted;
  std::size_t again = 0;
  const auto results =
      nlohmann::json::parse(content(folder / "runs" / "lossy" / "latest" / "results.json"));
  for (const auto& run : results["runs"]) {
    if (run["algorithm"] != "parallel" || run["repetition"] != 1) continue;
    for (const auto& type : run["ledger"]) {
      for (const std::string fate : {"delivered", "discarded", "in_flight"})
        if (type[fate] > 0) counted["message " + fate] += type[fate].get<std::size_t>();
      for (const auto& cause : type["dropped"])
        if (cause > 0) counted["message dropped"] += cause.get<std::size_t>();
      if (type["type"] != "Ack")
        again += type["retransmitted"].get<std::size_t>() + type["duplicated"].get<std::size_t>();
    }
  }
  REQUIRE(again > 0);
  CHECK(counted["message dropped"] > 0);
  CHECK(drawn_fates(svg) == counted);
  CHECK_THAT(svg, Contains("sent again (" + std::to_string(again) + ")"));

  std::istringstream csv(content(folder / "s.csv"));
  std::string line;
  std::getline(csv, line);
  const auto columns = std::count(line.begin(), line.end(), ',');
  std::size_t rows = 0;
  while (std::getline(csv, line)) {
    CHECK(std::count(line.begin(), line.end(), ',') == columns);
    rows += line.starts_with("message,");
  }
  std::size_t copies = 0;
  for (const auto& [fate, number] : counted) copies += number;
  CHECK(rows == copies);
}

TEST_CASE("plot --kind sequence needs a run that exists, and its flags no other kind") {
  const ProgramFolder folder;
  folder.write("e.toml",
               R"(name = "e"
[[algorithm]]
kind = "echo"
[population]
clients = 2
)");
  REQUIRE(folder.posse("run e.toml --quiet").code == 0);
  CHECK(folder.posse("plot runs/e --kind sequence").code == 0);  // without regrets
  CHECK(folder.posse("plot runs/e --kind sequence --local").code == 2);
  CHECK_THAT(folder.posse("plot runs/e --rounds 2").err, Contains("need --kind sequence"));
  CHECK_THAT(folder.posse("plot runs/e --kind sequence --rounds 900").err,
             Contains("(exit code 2)"));
  const auto missing = folder.posse("plot runs/e --kind sequence --repetition 7");
  CHECK(missing.code == 11);
  CHECK_THAT(missing.err, Contains("has no run of 'echo' in repetition 7"));
}

}  // namespace posse::test_sequence
