// SPDX-License-Identifier: Apache-2.0
// [[fault]] in scenarios: what is read, written again, refused, and where it takes effect.
#include <catch2/catch.hpp>

#include "program/run/runner.hpp"
#include "program/scenario/availability_file.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace test_faults {

using namespace posse;
using test::read_valid;

namespace {

constexpr auto kEcho = R"(
seed = 3
repeat = 2
[[algorithm]]
kind = "echo"
label = "one"
rounds = 5
[[algorithm]]
kind = "echo"
label = "two"
rounds = 5
clients = 6
[population]
clients = 3
[network]
latency = "50 ms"
transport = "reliable"
)";

std::string with(const std::string& fault) { return std::string(kEcho) + "[[fault]]\n" + fault; }
std::string errors(const std::string& fault) { return test::errors_in(with(fault)); }
auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

const std::string kCut = "kind = \"partition\"\ngroups = [[\"server\"], [\"client-1\"]]\n";

std::vector<RunRecord> run(const Scenario& scenario) {
  RunOptions options;
  RunMonitor monitor(number_of_runs(scenario, options));
  return run_scenario(scenario, options, monitor).runs;
}

}  // namespace

TEST_CASE("a fault is read with its groups, its times and whom it is for") {
  const auto scenario = read_valid(
      with("at = \"1500 us\"\nkind = \"partition\"\n"
           "groups = [[\"server\"], [\"client-1\", \"client-2\"], [\"*\"]]\nfor = \"2 min\"\n"
           "algorithm = \"two\"\nrepetition = 1\n") +
      "[[fault]]\n" + kCut + "at = \"0 s\"\n");
  REQUIRE(scenario.faults.size() == 2);
  const auto& fault = scenario.faults[0];
  CHECK(fault.links().when.at == Time{1'500'000});
  CHECK(fault.links().when.lasting == Duration{120'000'000'000});
  CHECK(fault.links().groups ==
        std::vector<std::vector<FaultyNodes>>{{"server"}, {"client-1", "client-2"}, {"*"}});
  CHECK(fault.scope.algorithms == std::vector<std::string>{"two"});
  CHECK(fault.repetition == 1u);
  const auto& other = scenario.faults[1];
  CHECK(other.links().when.at == Time{});
  CHECK_FALSE(other.links().when.lasting);
  CHECK(other.scope.algorithms.empty());
  CHECK_FALSE(other.repetition);
}

TEST_CASE("faults are written as they are read, to the nanosecond") {
  const std::vector<std::pair<std::string, std::int64_t>> times{
      {"1 ns", 1},
      {"123456789 ns", 123'456'789},
      {"1234567891234567 ns", 1'234'567'891'234'567},
      {"8999999999999999999 ns", 8'999'999'999'999'999'999},
      {"0.3 s", 300'000'000},
      {"86400000000001 us", 86'400'000'000'001'000},
      {"2000000001 s", 2'000'000'001'000'000'000}};
  for (const auto& [time, ns] : times) {
    const auto scenario =
        read_valid(with("at = \"" + time + "\"\nfor = \"" + time + "\"\n" + kCut));
    CHECK(scenario.faults[0].links().when.at.ns == ns);
    CHECK(scenario.faults[0].links().when.lasting->ns == ns);
    const auto text = to_toml(scenario);
    INFO(text);
    const auto again = read_valid(text);
    REQUIRE(again.faults.size() == 1);
    CHECK(again.faults[0].links().when.at.ns == ns);
    CHECK(again.faults[0].links().when.lasting->ns == ns);
    CHECK(again.faults[0].links().groups == scenario.faults[0].links().groups);
    CHECK(to_toml(again) == text);
  }
  const auto all = read_valid(with("at = \"3 ms\"\nalgorithm = \"one\"\nrepetition = 1\n" + kCut) +
                              R"([[fault]]
at = "7 ms"
)" + kCut);
  const auto again = read_valid(to_toml(all));
  REQUIRE(again.faults.size() == 2);
  CHECK(again.faults[0].scope.algorithms == std::vector<std::string>{"one"});
  CHECK(again.faults[0].repetition == 1u);
  CHECK(again.faults[1].scope.algorithms.empty());
}

TEST_CASE("every form of a fault is written as it is read") {
  const std::string clients = "[\"client-0..1\", { nodes = \"client\", share = 0.5 }]";
  const std::string random = "mean_between = \"7 s\"\nmean_for = \"300 ms\"\nuntil = \"10 min\"\n";
  const std::string repeated = "at = \"1 s\"\nfor = \"2 s\"\nevery = \"5 s\"\n";
  for (const std::string& fault : {
           "kind = \"clog\"\nat = \"1 s\"\nfor = \"2 s\"\ngroups = [[\"server\"], " + clients +
               "]\n",
           repeated + kCut,
           repeated + "until = \"1 h\"\none_way = true\n" + kCut,
           random + kCut,
           std::string("kind = \"pause\"\nat = \"1 s\"\nfor = \"2 s\"\nnodes = [\"server\"]\n"),
           "kind = \"crash\"\nat = \"0 s\"\nnodes = " + clients + "\n",
           "kind = \"crash\"\nuntil = \"1 h\"\nnodes = [\"*\"]\n" + repeated,
           "kind = \"pause\"\nnodes = [\"*\"]\n" + random,
           "kind = \"crash\"\nstate = \"lost\"\nnodes = " + clients + "\n" + random,
           "kind = \"storm\"\nstate = \"lost\"\nnodes = \"client\"\n" + random,
       }) {
    const auto scenario = read_valid(with(fault));
    const auto text = to_toml(scenario);
    INFO(fault << text);
    const auto again = read_valid(text);
    CHECK(to_toml(again) == text);
    REQUIRE(again.faults.size() == scenario.faults.size());
    for (std::size_t i = 0; i < again.faults.size(); ++i)
      CHECK((again.faults[i].what == scenario.faults[i].what));
  }
  const auto shares = read_valid(
      with("kind = \"partition\"\nat = \"3 s\"\n"
           "groups = [[\"server\"], [{ nodes = \"client\", share = 0.5 }, \"25% of client\"]]\n"));
  CHECK(shares.faults[0].links().groups[1] ==
        std::vector<FaultyNodes>{{"client", 0.5}, {"client", 0.25}});
}

TEST_CASE("a kind that does not exist is the only mistake that is reported of its fault") {
  for (const std::string keys :
       {"nodes = [\"server\"]\n", "groups = [[\"server\"], [\"client\"]]\none_way = true\n"}) {
    const auto text = errors("at = \"1 s\"\nkind = \"crush\"\n" + keys);
    CHECK_THAT(text, has("did you mean 'crash'?"));
    CHECK(text.find("error") == text.rfind("error"));
  }
}

TEST_CASE("mistakes in a fault of nodes are reported with location and allowed values") {
  const std::string crash = "at = \"1 s\"\nkind = \"crash\"\n";
  CHECK_THAT(errors(crash), has("fault.0.nodes: is missing"));
  CHECK_THAT(errors(crash + "nodes = []\n"), has("fault.0.nodes: is not a list of nodes"));
  CHECK_THAT(errors(crash + "nodes = \"server\"\n"), has("fault.0.nodes: is not a list of nodes"));
  CHECK_THAT(errors(crash + "nodes = [\"clint-1\"]\n"),
             has("fault.0.nodes: no algorithm here has 'clint-1'"));
  CHECK_THAT(errors(crash + "nodes = [\"server\"]\ngroups = [[\"server\"], [\"client\"]]\n"),
             has("fault.0.groups: unknown key"));
  CHECK_THAT(errors(crash + "nodes = [\"server\"]\nfor = \"1 s\"\nevery = \"2 s\"\n"),
             has("fault.0.until: is missing"));
}

TEST_CASE("a fault for one algorithm or repetition takes effect there alone") {
  const auto clean = run(read_valid(kEcho));
  REQUIRE(clean.size() == 4);  // one/0, two/0, one/1, two/1
  const auto dropped = [&](const std::string& whom) {
    const auto runs = run(read_valid(with("at = \"120 ms\"\nfor = \"1 s\"\n" + whom + kCut)));
    std::vector<bool> which;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto& out = runs[i].result.outcome;
      CHECK(out.status == RunStatus::finished);
      which.push_back(out.total(&TypeAccount::dropped_partition) > 0);
      // Where it isn't meant nothing changes.
      CHECK((out.fingerprint == clean[i].result.outcome.fingerprint) == !which.back());
    }
    return which;
  };
  CHECK(dropped("") == std::vector<bool>{true, true, true, true});
  CHECK(dropped("algorithm = \"one\"\n") == std::vector<bool>{true, false, true, false});
  CHECK(dropped("repetition = 1\n") == std::vector<bool>{false, false, true, true});
  CHECK(dropped("algorithm = \"two\"\nrepetition = 0\n") ==
        std::vector<bool>{false, true, false, false});
}

TEST_CASE("mistakes in a fault are reported with location and allowed values") {
  const std::string at = "at = \"1 s\"\n";
  CHECK_THAT(errors(kCut), has("fault.0.at: is missing"));
  CHECK_THAT(errors(kCut + "at = 5\n"), has("fault.0.at: has no unit"));
  CHECK_THAT(errors(kCut + "at = \"-1 s\"\n"), has("fault.0.at"));
  CHECK_THAT(errors(at + "groups = [[\"server\"], [\"client\"]]\n"),
             has("fault.0.kind: is missing"));
  CHECK_THAT(errors(at + "kind = \"crush\"\ngroups = [[\"server\"], [\"client\"]]\n"),
             has("fault.0.kind"));
  CHECK_THAT(errors(at + "kind = \"partition\"\n"), has("fault.0.groups: is missing"));
  for (const std::string groups : {"[]",
                                   "[[\"server\"]]",
                                   "[[\"server\"], []]",
                                   "[[\"server\"], [\"\"]]",
                                   "[[\"server\"], [3]]",
                                   "[\"server\", \"client\"]",
                                   "\"server\"",
                                   "3",
                                   "[[\"server\"], [[\"client\"]]]"}) {
    INFO(groups);
    const auto text = errors(at + "kind = \"partition\"\ngroups = " + groups + "\n");
    CHECK_THAT(text, has("fault.0.groups: is not a list of two or more groups of nodes"));
    CHECK_THAT(text, has("[[\"server\"], [\"client-3\", \"client-4..9\""));
  }
  CHECK_THAT(errors(at + kCut + "for = \"0 s\"\n"), has("fault.0.for: must be above 0"));
  CHECK_THAT(errors(at + kCut + "every = \"2 s\"\n"), has("fault.0.every: needs a shorter for"));
  CHECK_THAT(errors(at + kCut + "for = \"2 s\"\nevery = \"2 s\"\n"),
             has("fault.0.every: needs a shorter for"));
  CHECK_THAT(errors(at + kCut + "until = \"2 s\"\n"), has("fault.0.until: does nothing"));
  CHECK_THAT(errors(at + kCut + "for = \"1 s\"\nevery = \"2 s\"\nuntil = \"1 s\"\n"),
             has("fault.0.until: is not after at"));
  CHECK_THAT(errors(at + kCut + "mean_for = \"2 s\"\n"), has("fault.0.mean_for: does nothing"));
  const std::string random = "mean_between = \"2 s\"\n";
  CHECK_THAT(errors(random + kCut), has("fault.0.mean_for: is missing"));
  CHECK_THAT(errors(random + kCut), has("fault.0.until: is missing"));
  CHECK_THAT(errors(random + "mean_for = \"1 s\"\nuntil = \"9 s\"\nfor = \"1 s\"\n" + kCut),
             has("fault.0.for: does nothing"));
  CHECK_THAT(errors("mean_between = \"1 us\"\nmean_for = \"1 us\"\nuntil = \"1 h\"\n" + kCut),
             has("fault.0.until: gives 1800000000 occurrences"));
  CHECK_THAT(errors(at + "kind = \"clog\"\ngroups = [[\"server\"], [\"client\"]]\n"),
             has("fault.0.for: is missing"));
  CHECK_THAT(errors(at + kCut + "one_way = 1\n"), has("fault.0.one_way"));
  for (const std::string share : {"share = 0", "share = 1.5", "nodes = \"client\"", "shares = 0.1"})
    CHECK_THAT(errors(at + "kind = \"partition\"\ngroups = [[\"server\"], [{ " + share + " }]]\n"),
               has("fault.0.groups.1.0"));
  CHECK_THAT(errors(at + "kind = \"partition\"\ngroups = [[\"server\"], [\"0% of client\"]]\n"),
             has("fault.0.groups: is not a list"));
  CHECK_THAT(errors(at + "kind = \"partition\"\ngroups = [[\"server\"], [\"9% of clint\"]]\n"),
             has("no algorithm here has 'clint'"));
  CHECK_THAT(errors(at + "kind = \"partition\"\ngroups = [[\"server\"], [\"client-2..9\"]]\n"),
             has("no algorithm here has 'client-2..9'"));
  CHECK_THAT(errors(at + kCut + "fro = \"1 s\"\n"), has("fault.0.fro: unknown key"));
  CHECK_THAT(errors(at + kCut + "algorithm = \"three\"\n"), has("fault.0.algorithm"));
  CHECK_THAT(errors(at + kCut + "algorithm = \"echo\"\n"), has("one"));  // a label, not a kind
  CHECK_THAT(errors(at + kCut + "repetition = 2\n"), has("fault.0.repetition: is out of range"));
  CHECK_THAT(errors(at + kCut + "repetition = -1\n"), has("fault.0.repetition: is out of range"));
  // The line of the fault, and of no other.
  CHECK_THAT(errors(at + kCut + "[[fault]]\n" + kCut), has("fault.1.at: is missing"));
}

TEST_CASE("names in a fault must mean a node of an algorithm that it is for") {
  const auto cut = [](const std::string& name, const std::string& whom = "") {
    return errors("at = \"1 s\"\nkind = \"partition\"\ngroups = [[\"server\"], [\"" + name +
                  "\"]]\n" + whom);
  };
  CHECK(cut("client-5") == "");  // two's
  CHECK_THAT(cut("client-6"), has("fault.0.groups: no algorithm here has 'client-6'"));
  CHECK_THAT(cut("client-6"), has("test.toml:21"));
  CHECK_THAT(cut("clinet"), has("did you mean 'client'?"));
  CHECK(cut("client-5", "algorithm = \"two\"\n") == "");
  CHECK_THAT(cut("client-5", "algorithm = \"one\"\n"),
             has("fault.0.groups: 'one' has no 'client-5'"));
  CHECK_THAT(cut("EchoReply"), has("no algorithm here has 'EchoReply'"));  // no node
}

TEST_CASE("a wrong fault ends the program as an invalid scenario, a right one is in the results") {
  const ProgramFolder folder;
  folder.write("wrong.toml", with("at = \"1 s\"\nfor = \"0 s\"\n" + kCut));
  const auto wrong = folder.posse("run wrong.toml");
  CHECK(wrong.code == static_cast<int>(ExitCode::invalid_scenario));
  CHECK_THAT(wrong.err, has("wrong.toml:20: error: fault.0.for: must be above 0"));
  folder.write("right.toml", with("at = \"120 ms\"\nfor = \"1 s\"\n" + kCut));
  const auto right = folder.posse("run right.toml");
  INFO(right.out << right.err);
  CHECK(right.code == 0);
}

TEST_CASE("recorded down times are read, written and applied") {
  const test::Folder folder;
  folder.write("down.csv", "node,down_s,up_s\nclient-1,0.5,1.25\nclient-0,2,\nclient-1,3,4\n");
  const auto file = folder.write(
      "s.toml", with("kind = \"availability\"\nfile = \"down.csv\"\nstate = \"lost\"\n"));
  Diagnostics diagnostics;
  const auto scenario = load_scenario(file, {}, diagnostics);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  const auto& fault = std::get<NodeFault>(scenario.faults.at(0).what);
  CHECK(fault.loses_state);
  CHECK(fault.nodes == std::vector<FaultyNodes>{"client-0", "client-1"});
  REQUIRE(fault.trace != nullptr);
  CHECK(fault.trace->at("client-0") ==
        std::vector<FaultInterval>{{Time{2'000'000'000}, Time::max()}});
  CHECK(fault.trace->at("client-1").size() == 2);
  CHECK(to_toml(scenario).find("kind = \"availability\"\nstate = \"lost\"\n"
                               "file = \"inputs/0-down.csv\"") != std::string::npos);
}

TEST_CASE("mistakes in a file of down times are reported with their line") {
  const auto error = [](const std::string& rows) -> std::string {
    try {
      parse_down_times("node,down_s,up_s\n" + rows);
    } catch (const InputError& problem) {
      return problem.what();
    }
    return "none";
  };
  CHECK(error("a,1,2\na,2,3\n") == "none");
  CHECK(error("") == "the file has no data rows");
  CHECK(error("a,x,2\n") == "line 2: 'x' is not a time in seconds (a number from 0 to 9e9)");
  CHECK(error("a,-1,2\n") == "line 2: '-1' is not a time in seconds (a number from 0 to 9e9)");
  CHECK(error("a,1,nan\n") == "line 2: 'nan' is not a time in seconds (a number from 0 to 9e9)");
  CHECK(error("a,1,1\n") == "line 2: up_s is not after down_s");
  CHECK(error(",1,2\n") == "line 2: no node");
  CHECK(error("a,1,\na,5,6\n") == "line 3: a is still down from the row before");
  CHECK_THROWS_AS(parse_down_times("node,from,to\na,1,2\n"), InputError);
}

TEST_CASE("only nodes that can take part again may lose their state") {
  const std::string lost = "kind = \"crash\"\nstate = \"lost\"\nat = \"1 s\"\nfor = \"1 s\"\n";
  CHECK_THAT(
      errors(lost + "nodes = [\"client-0\", \"server\"]\n"),
      has("fault.0.state: server of one can't lose its state\n    allowed: state = \"kept\"; or "
          "nodes that can (echo: a client that lost its state answers the next request)"));
  CHECK(errors(lost + "nodes = [\"client\"]\n").empty());
  CHECK_THAT(errors("kind = \"pause\"\nstate = \"lost\"\nat = \"1 s\"\nnodes = [\"client\"]\n"),
             has("fault.0.state: unknown key"));
}

TEST_CASE("liars are read, written again, and refused where nothing is averaged") {
  const std::string fed_pne =
      R"([[algorithm]]
kind = "fed-pne"
[population]
clients = 4
[objective]
kind = "sine"
[budget]
evaluations_per_client = 100
[server]
aggregate = "trimmed-mean"
trim = 0.25
)";
  const std::string corrupt = R"([[fault]]
kind = "corrupt"
at = "1 s"
)";
  const std::string clients = "nodes = [\"25% of client\"]\n";
  for (const std::string how : {"how = \"constant\"\nvalue = -2.5\n",
                                "how = \"noise\"\nsd = 0.5\n",
                                "how = \"sign\"\nfor = \"2 s\"\n",
                                "how = \"stale\"\nfor = \"2 s\"\nevery = \"5 s\"\n"}) {
    const auto scenario = read_valid(fed_pne + corrupt + clients + how);
    const auto again = read_valid(to_toml(scenario));
    CHECK((again.faults.at(0).what == scenario.faults.at(0).what));
    CHECK(again.policy->rule.aggregate == Aggregate::trimmed_mean);
    CHECK(again.policy->rule.trim == 0.25);
  }
  const auto wrong = [&](const std::string& rest) {
    return test::errors_in(fed_pne + corrupt + rest);
  };
  CHECK_THAT(wrong(clients), has("fault.0.how: is missing"));
  CHECK_THAT(wrong(clients + "how = \"noise\"\n"), has("fault.0.sd: is missing"));
  CHECK_THAT(wrong(clients + "how = \"sign\"\nsd = 1\n"), has("fault.0.sd: unknown key"));
  CHECK_THAT(wrong("nodes = [\"*\"]\nhow = \"sign\"\n"),
             has("fault.0.kind: server of fed-pne can't be corrupt, only clients can"));
  CHECK_THAT(test::errors_in(std::string(kEcho) + corrupt + clients + "how = \"sign\"\n"),
             has("fault.0.kind: one is not made for wrong numbers: its server averages nothing"));
  CHECK_THAT(test::errors_in(std::string(kEcho) + R"([server]
aggregate = "median"
)"),
             has("server.aggregate: does nothing: no server here averages"));
  CHECK_THAT(test::errors_in(fed_pne, {"server.aggregate=\"median\""}),
             has("server.trim: does nothing without it"));
}

}  // namespace test_faults
