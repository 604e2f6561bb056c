// SPDX-License-Identifier: Apache-2.0
// What runs say of their own numbers.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

#include "program/run/run_warnings.hpp"
#include "program/run/runner.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_run_warnings {
namespace {

using Catch::Matchers::Contains;

RunRecord run(const std::string& text) {
  const auto scenario = test::read_valid(text);
  RunMonitor monitor(number_of_runs(scenario, {}));
  return run_scenario(scenario, {}, monitor).runs.at(0);
}

/// The text of a warning; empty if there is none.
std::string told(const RunRecord& run, const std::string& code) {
  for (const auto& warning : run.warnings)
    if (warning.code == code) return warning.text;
  return "";
}

std::string problem(const std::string& f) {
  return "[population]\nclients = 3\n[budget]\nevaluations_per_client = 200\n[objective]\nkind = "
         "\"expression\"\nlow = 0\nhigh = 1\nf = \"" +
         f + "\"\n";
}

const std::string kFedPne = R"([[algorithm]]
kind = "fed-pne"
c = 2.0
c1 = 2.0
)";

}  // namespace

TEST_CASE("clients that made fewer evaluations are named, equal ones are not") {
  CHECK(run(kFedPne + test::kThreeClients).warnings.empty());
  const auto crashed = run(kFedPne + test::kThreeClients +
                           R"([network]
latency = "20 ms"
[server]
policy = "deadline"
deadline = "100 ms"
[[fault]]
kind = "crash"
nodes = ["client-1"]
at = "30 ms"
)");
  CHECK_THAT(told(crashed, "unequal-work"), Contains("clients made ") && Contains(" to 200 eval"));
}

TEST_CASE("repetitions of what was not lost are told, with the time-out and the remedy") {
  const std::string network = R"([network]
latency = "20 ms"
transport = "reliable"
)";
  const auto needless =
      run(kFedPne + test::kThreeClients + network + "retransmission = { timeout = \"1 ms\" }\n");
  CHECK_THAT(told(needless, "needless-repetitions"),
             Contains(" messages although nothing was lost") &&
                 Contains("took up to 40 ms, longer than the time-out of 1 ms; without "
                          "network.retransmission.timeout it is derived for each link"));
  CHECK(run(kFedPne + test::kThreeClients + network).warnings.empty());
}

TEST_CASE(
    "needless repetitions are told above 1 % of the messages, 10 % if no time-out is stated") {
  const auto of_1000 = [](std::uint64_t needless, const TimeOut& timeout) {
    SimulationResult result;
    TypeAccount plans, acknowledgements;
    plans.type = "Plan";
    plans.sent = 1000;
    plans.needless = needless;
    acknowledgements.type = kAcknowledgement;
    acknowledgements.sent = 1000;
    result.outcome.accounts = {plans, acknowledgements};
    Retransmission rule;
    rule.timeout = timeout;
    RunRecord record;
    record.warnings = run_warnings(result, {}, rule);
    return told(record, "needless-repetitions");
  };
  const TimeOut stated = Duration::seconds(0.001);
  CHECK(of_1000(10, stated).empty());
  CHECK_THAT(of_1000(11, stated),
             Contains("11 retransmissions of 1000 messages") && Contains("most of them Plan"));
  CHECK(of_1000(100, TimeOut::Rule::derived).empty());
  CHECK_THAT(of_1000(101, TimeOut::Rule::derived),
             Contains("network.retransmission.timeout = \"measured\" learns from them"));
  CHECK(of_1000(100, TimeOut::Rule::measured).empty());
  CHECK_THAT(of_1000(101, TimeOut::Rule::measured),
             Contains("network.retransmission.min_timeout bounds it from below"));
}

TEST_CASE("nodes whose answers never count are named, and what they evaluate after the end") {
  const std::string quorum =
      R"([compute]
evaluation = "1 ms"
[[compute.stragglers]]
nodes = "client-1"
factor = 40
[network]
latency = "20 ms"
[server]
policy = "quorum"
quorum = 2
)";
  const std::string fed_pne = R"([[algorithm]]
kind = "fed-pne"
)" + test::kThreeClients;
  const auto slow = run(fed_pne + quorum);
  CHECK(told(slow, "never-counted") ==
        "3 of 9 answers were missing when their round was closed, in every round those of "
        "client-1: what it evaluated decided nothing");
  CHECK(told(slow, "work-after-end") ==
        "client-1 evaluated on after the end at 340 ms, until 8.02 s: for up to 92 % of all "
        "computing time; these evaluations are part of the regret");
  CHECK(run(fed_pne + R"([compute]
evaluation = "1 ms"
)")
            .warnings.empty());
}

TEST_CASE("stragglers without work are told") {
  const auto with = [](const std::string& straggler) {
    return told(run(kFedPne + test::kThreeClients +
                    "[compute]\nevaluation = \"1 ms\"\n[[compute.stragglers]]\nnodes = \"" +
                    straggler + "\"\nfactor = 40\n"),
                "idle-stragglers");
  };
  CHECK_THAT(with("server"),
             Contains("the stragglers (server) had no work that takes time") &&
                 Contains("[[compute.service]] says what messages cost"));
  CHECK(with("client-1").empty());
}

TEST_CASE("a hub that carries more than a link's rate is told whose rate that is") {
  const auto with = [](const std::string& network) {
    return told(run(R"([[algorithm]]
kind = "fed-pne"
)" + test::kThreeClients +
                    R"([network]
latency = "1 ms"
)" + network),
                "rate-of-each-link");
  };
  CHECK_THAT(with("rate = \"10 kbit/s\"\n"),
             Contains("server sent ") && Contains(" on average, more than the rate of 10 kbit/s: "
                                                  "each link has it by itself"));
  CHECK(with("rate = \"1 Gbit/s\"\n").empty());
  CHECK(with(R"(rate = "10 kbit/s"
[[network.node]]
nodes = "server"
rate_up = "10 kbit/s"
)")
            .empty());
}

TEST_CASE("losses of messages that were never sent are told") {
  const auto with = [](const std::string& p) {
    return told(run(kFedPne + test::kThreeClients +
                    "[network]\ntransport = \"reliable\"\nlatency = \"20 ms\"\nloss = { kind = "
                    "\"by-type\", p = { " +
                    p + " } }\n"),
                "network-lost-nothing");
  };
  CHECK(with("Means32 = 0.5, CompactPlan = 0.5") ==
        "network.loss names CompactPlan, Means32, of which none was sent: it lost nothing");
  CHECK(with("Means32 = 0.5, LocalMeans = 0.1").empty());
}

TEST_CASE("faults that drop and delay nothing are told, others are not") {
  const auto with = [](const std::string& fault, const std::string& code = "missed-nodes") {
    return told(run(kFedPne + test::kThreeClients +
                    R"([network]
latency = "20 ms"
transport = "reliable"
[[fault]]
)" + fault),
                code);
  };
  const std::string crash = "kind = \"crash\"\nnodes = [\"client-1\"]\nfor = \"5 ms\"\n";
  // Plans arrive at 20 ms, 60 ms, …
  CHECK(with(crash + "at = \"5 ms\"\n") ==
        "fault.0 (crash of client-1) has dropped and delayed nothing: the nodes had no work and no "
        "messages just then");
  CHECK(with(crash + "at = \"18 ms\"\n").empty());
  const std::string pause = "kind = \"pause\"\nnodes = [\"client-1\"]\nfor = \"5 ms\"\n";
  CHECK_FALSE(with(pause + "at = \"5 ms\"\n").empty());
  CHECK(with(pause + "at = \"18 ms\"\n").empty());
  const std::string partition =
      "kind = \"partition\"\ngroups = [[\"server\"], [\"client-1\"]]\nfor = \"5 ms\"\n";
  CHECK_THAT(with(partition + "at = \"5 ms\"\n", "missed-links"),
             Contains("fault.0 (partition between server and client-1) has dropped nothing: no "
                      "message was on these links just then"));
  CHECK(with(partition + "at = \"38 ms\"\n", "missed-links").empty());
  // A pause that puts off a timer has an effect.
  const std::string server = "kind = \"pause\"\nnodes = [\"server\"]\nfor = \"5 ms\"\n";
  const std::string deadline = R"([server]
policy = "deadline"
deadline = "1 s"
)";
  CHECK_FALSE(with(server + "at = \"5 ms\"\n").empty());
  CHECK(with(server + "at = \"5 ms\"\n" + deadline).empty());
  // A storm has faults of several kinds, of which some may have hit.
  const std::string storm = "kind = \"storm\"\nmean_between = \"5 ms\"\nmean_for = \"5 ms\"\n";
  CHECK(with(storm + "until = \"1 s\"\n").empty());
  CHECK(with(storm + "until = \"1 s\"\n", "missed-links").empty());
}

TEST_CASE("a mean over clients that hides one of them is told") {
  const auto with = [&](const std::string& last) {
    std::string functions;
    for (int i = 0; i < 8; ++i) functions += fmt::format("0.9-(x1-0.4{})^2, ", i);
    auto text = problem("0.9-(x1-0.4)^2") + "heterogeneity = { kind = \"mixture\", functions = \"" +
                functions + last + "\" }\n";
    text.replace(text.find("clients = 3"), 11, "clients = 10");
    return told(run(kFedPne + text), "uneven-clients");
  };
  CHECK_THAT(with("0.9*exp(-((x1-0.9)/0.1)^2)"),
             Contains("one client (number 9, from 0) has 6.27 times the mean"));
  CHECK(with("0.9-(x1-0.38)^2").empty());
}

TEST_CASE("one client's regret is told from five times the mean on") {
  const auto with = [](std::uint32_t clients, const std::vector<double>& by_client) {
    SimulationResult result;
    RegretSummary& regret = result.outcome.regret;
    regret.clients = clients;
    regret.evaluations = regret.min_evaluations = regret.max_evaluations = 10;
    regret.local_cumulative = 2;
    regret.by_client = by_client;
    Workload workload;
    workload.problem =
        std::make_shared<const Problem>(test::make_problem("garland", 3, 10, Seed{1}, 0.05));
    RunRecord record;
    record.warnings = run_warnings(result, workload);
    return told(record, "uneven-clients");
  };
  CHECK_THAT(with(3, {1, 10, 0}), Contains("one client (number 1, from 0) has 5 times the mean"));
  CHECK(with(3, {1, 9.9, 0}).empty());
  // Of many clients only the least, the median and the largest regret are kept.
  CHECK_THAT(with(65, {0, 1, 12}), Contains("one client has 6 times the mean"));
}

TEST_CASE("a maximum at the first point is told") {
  const auto with = [](const std::string& f) {
    return told(run(R"([[algorithm]]
kind = "doo"
)" + problem(f)),
                "optimal-at-once");
  };
  CHECK_THAT(with("1-(x1-0.5)^2"),
             Contains("the first point is a maximum already") &&
                 Contains("that it is found says nothing (heterogeneity = { kind = \"shift\" } "
                          "moves it)"));
  CHECK(with("1-(x1-0.3)^2").empty());
}

TEST_CASE("noise that has no room at the maximum is told") {
  const auto with = [](const std::string& noise) {
    return told(run(kFedPne + problem("0.99-(x1-0.3)^2") + "noise = { kind = \"" + noise + " }\n"),
                "cut-noise");
  };
  CHECK(with("symtrunc\", sd = 1") ==
        "the noise has a standard deviation of 0.0058, not 1, at the maximum, and of 0.28 at most: "
        "it is cut where values are near 0 or 1");
  CHECK_FALSE(with("tilttrunc\", sd = 0.5").empty());
  CHECK(with("symtrunc\", sd = 0.004").empty());
  CHECK(with("uniform\", half_width = 1").empty());
}

TEST_CASE("a value that no pulls of the budget reach is told, with the best answer there is") {
  const test::Folder folder;
  std::string text = "arm,pull,loss\n";
  for (int step = 1; step <= 20; ++step)
    text += fmt::format("fast,{0},{1}\nslow,{0},{2}\n", step, 1.0 / step, step < 15 ? 2.0 : 0.01);
  const auto curves = folder.write("curves.csv", text).string();
  const auto with = [&](int pulls) {
    return told(run(fmt::format(R"([[algorithm]]
kind = "uniform"
[[arm]]
kind = "curves"
file = "{}"
[budget]
pulls = {}
)",
                                curves,
                                pulls)),
                "beyond-reach");
  };
  CHECK(with(10) ==
        "regrets and ranks refer to the value 0.01 of slow, which no 10 pulls reach: at best an "
        "answer has the value 0.1 (fast) and a simple regret of 0.09");
  CHECK(with(20).empty());
}

TEST_CASE("faults that had not begun when a run ended are told, others are not") {
  const std::string network = R"([network]
latency = "20 ms"
)";
  const auto with = [&](const std::string& faults) {
    return run(kFedPne + test::kThreeClients + network + faults).warnings;
  };
  const std::string partition =
      R"([[fault]]
kind = "partition"
groups = [["server"], ["client-1", "client-2"]]
)";
  const auto late = with(partition + "at = \"1 h\"\nfor = \"1 s\"\n");
  REQUIRE(late.size() == 1);
  CHECK(late[0].text ==
        "fault.0 (partition between server and client-1, client-2) had not begun when the run "
        "ended at 60 ms");
  const auto in_time = with(partition + "at = \"1 ms\"\nfor = \"1 us\"\n");
  REQUIRE(in_time.size() == 1);
  CHECK(in_time[0].code == "missed-links");
  const std::string pause = R"([[fault]]
kind = "pause"
nodes = ["client-1"]
for = "1 us"
)";
  CHECK(with(pause + "at = \"20 ms\"\n").empty());
  const auto second = with(pause + "at = \"20 ms\"\n" + pause + "at = \"1 h\"\n");
  REQUIRE(second.size() == 1);
  CHECK(second[0].code == "fault.1-not-begun");
  CHECK_THAT(second[0].text, Contains("fault.1 (pause of client-1)"));
}

TEST_CASE("actions from outside are told in words") {
  SimulationResult result;
  result.interventions.push_back({Intervention::Action::pause, {}, Time{1}});
  CHECK(run_warnings(result, {}).empty());
  result.interventions.push_back(
      {Intervention::Action::crash, {{"client-3"}}, Time{1'200'000'000}});
  result.interventions.push_back(
      {Intervention::Action::cut, {{"server"}, {"client-0..4"}}, Time{1'500'000'000}});
  const auto warnings = run_warnings(result, {});
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].code == kTouched);
  CHECK(warnings[0].text ==
        "was changed by hand while it ran: crash of client-3 at 1.2 s, cut between server and "
        "client-0..4 at 1.5 s");
}

TEST_CASE("a bound that takes at most 1 for a regret does not apply to a larger range") {
  const auto bound_of = [](const RunRecord& run) {
    for (const auto& measurement : run.measurements)
      if (measurement.name == "cumulative regret") return *measurement.bound;
    FAIL("no cumulative regret");
    return Bound{};
  };
  const auto large = bound_of(run(kFedPne + problem("-147*(x1-0.3)^2")));
  CHECK(large.kind == BoundKind::does_not_apply);
  CHECK_THAT(large.note, Contains("takes at most 1 for the regret of an evaluation"));
  // Below 0, but of a range below 1.
  const auto below = bound_of(run(kFedPne + problem("-5 - 0.9*(x1-0.3)^2")));
  CHECK_THAT(below.note, !Contains("for the regret of an evaluation"));
}

TEST_CASE("an assumed maximum is told with its value, and the largest value above it") {
  // A program that answers x1.
  const auto with = [](const std::string& maximum) {
    return run(
        "[[algorithm]]\nkind = \"doo\"\n[population]\nclients = 1\n[budget]\n"
        "evaluations_per_client = 9\n[objective]\nkind = \"external\"\nlow = 0\nhigh = 1\n"
        "maximum = " +
        maximum + R"(
command = '''
while read -r l; do id=${l#*:}; id=${id%%,*}; x=${l#*[}; x=${x%%]*}
echo "{\"id\":$id,\"value\":$x}"; done'''
)");
  };
  const auto above = with("0.75");
  CHECK(told(above, kAboveMaximum) ==
        "a point has the value 0.96875, 0.219 above the maximum that its regret refers to: regrets "
        "are too small, or below zero (objective.maximum)");
  CHECK(told(above, kAssumedMaximum) ==
        "regrets refer to an assumed maximum of 0.75, which may not be attained: differences say "
        "something, ratios don't");
  const auto below = with("1.5");
  CHECK(told(below, kAboveMaximum).empty());
  CHECK_THAT(told(below, kAssumedMaximum), Contains("an assumed maximum of 1.5,"));
  const auto known = run(R"([[algorithm]]
kind = "doo"
)" + problem("0.9-(x1-0.3)^2"));
  CHECK(told(known, kAboveMaximum).empty());
  CHECK(told(known, kAssumedMaximum).empty());
}

namespace {

/// The first warning of a scenario that begins with `code`; empty if there is none.
std::string told_of(const std::string& network, const std::string& code) {
  const auto scenario = test::read_valid(
      R"([[algorithm]]
kind = "echo"
[population]
clients = 2
[network]
)" + network);
  for (const auto& warning : scenario_warnings(scenario, 0))
    if (warning.code.starts_with(code)) return warning.text;
  return "";
}

}  // namespace

TEST_CASE("bursts of packets that back-off keeps from ending are told, others are not") {
  const auto bursts = [](const std::string& p_and_r, const std::string& more) {
    return told_of("loss = { kind = \"gilbert-elliott\", " + p_and_r + " }\n" + more,
                   "endless-bursts");
  };
  const std::string reliable = "transport = \"reliable\"\n";
  // The chance that k transmissions are lost falls as (2/3)^k, the waits grow as 2^k.
  CHECK_THAT(bursts("p = 0.003, r = 0.333", reliable),
             Contains("3 transmissions on average") && Contains("1.33 times") &&
                 Contains("loss = { kind = \"bursts\", ... } ends bursts in time"));
  CHECK(bursts("p = 0.003, r = 0.333", "").empty());
  CHECK(bursts("p = 0.003, r = 0.6", reliable).empty());
  CHECK(bursts("p = 0.003, r = 0.333", reliable + "retransmission = { backoff = 1.4 }\n").empty());
  // With losses of 0.5 and 0.9 both states lose: the eigenvalue is 0.82.
  CHECK_THAT(bursts("p = 0.1, r = 0.1, loss_good = 0.5, loss_bad = 0.9", reliable),
             Contains("1.64 times"));
  CHECK(told_of("loss = { kind = \"bursts\", average = 0.01, mean_bad = \"75 ms\" }\n" + reliable,
                "endless-bursts")
            .empty());
}

TEST_CASE("a floor that moves the mean of a latency is told with the mean after it") {
  const auto latency = [](const std::string& text) {
    return told_of("latency = " + text + "\n", "cut-duration");
  };
  // E max(X, 0) = 2 Phi(0.4) + 5 phi(0.4) = 3.15, and Phi(-0.4) = 0.345.
  CHECK(latency("{ kind = \"normal\", mean = \"2 ms\", sd = \"5 ms\" }") ==
        "network.latency has a mean of 3.15 ms, not 2 ms: its floor raises 34 % of the draws");
  // With a floor at the mean, E max(X, 20) = 20 + 5 phi(0) = 21.99.
  CHECK(latency("{ kind = \"normal\", mean = \"20 ms\", sd = \"5 ms\", floor = \"20 ms\" }") ==
        "network.latency has a mean of 22 ms, not 20 ms: its floor raises 50 % of the draws");
  CHECK(latency("{ kind = \"normal\", mean = \"20 ms\", sd = \"5 ms\" }").empty());
  CHECK(latency("{ kind = \"exponential\", mean = \"20 ms\", floor = \"50 ms\" }").empty());
}

TEST_CASE("a trimmed mean that would leave out no answer is refused with a share that works") {
  const auto errors = [](const std::string& server) {
    return test::errors_in(R"([[algorithm]]
kind = "fed-pne"
)" + test::kThreeClients +
                           R"([server]
aggregate = "trimmed-mean"
)" + server);
  };
  CHECK_THAT(errors(""), Contains("leaves out no answer") && Contains("trim = 0.3334 or more"));
  CHECK_THAT(errors("trim = 0.3\n"), Contains("0.3 of 3 answers of fed-pne"));
  CHECK(errors("trim = 0.34\n").empty());
  CHECK(errors("trim = 0\n").empty());
  CHECK_THAT(errors("trim = 0.4\npolicy = \"quorum\"\nquorum = 2\n"), Contains("has 2 in a round"));
}

}  // namespace posse::test_run_warnings
