// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/objective/problem.hpp"
#include "program/cli/help_pages.hpp"
#include "program/scenario/latency_files.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/support/scenario_text.hpp"
#include "tests/support/shipped_scenarios.hpp"

namespace test_scenario {

using namespace posse;
using test::errors_in, test::read_text, test::read_valid;

namespace {

constexpr auto kEcho = R"(
[[algorithm]]
kind = "echo"
[population]
clients = 3
)";

constexpr auto kFedPne = R"(
[[algorithm]]
kind = "fed-pne"
[population]
clients = 5
[objective]
kind = "garland"
[budget]
evaluations_per_client = 100
)";

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace

TEST_CASE("an unknown key is refused with its line and the nearest name") {
  const auto text = errors_in(std::string(kEcho) + R"([network]
latncy = "50 ms"
)");
  CHECK_THAT(text, has("test.toml:7: error: network.latncy: unknown key"));
  CHECK_THAT(text, has("did you mean 'latency'?"));
  // A key at the top that belongs into a section.
  CHECK_THAT(errors_in("clients = 5\n" + std::string(kEcho)),
             has("clients: unknown key") && has("did you mean 'population.clients'?"));
}

TEST_CASE("all errors of a file are reported at once") {
  Diagnostics diagnostics;
  read_text(std::string(kEcho) +
                R"([network]
latency = 50
loss = { kind = "bernoulli", p = -0.1 }
duplication = nan
rate = "0 bit/s"
order = "filo"
)",
            diagnostics);
  CHECK(diagnostics.all().size() == 5);
  const auto text = diagnostics.text();
  CHECK_THAT(text, has("network.latency: has no unit"));
  CHECK_THAT(text, has("network.loss.p: is out of range"));
  CHECK_THAT(text, has("network.duplication: is not a finite number"));
  CHECK_THAT(text, has("network.rate: is not above 0"));
  CHECK_THAT(text, has("did you mean 'fifo'?"));
}

TEST_CASE("zero clients are refused, for the population and for one algorithm") {
  CHECK_THAT(errors_in(kEcho, {"population.clients=0"}),
             has("population.clients: is out of range"));
  CHECK_THAT(errors_in(kFedPne, {"algorithm.0.clients=0"}),
             has("algorithm.0.clients: is out of range"));
}

TEST_CASE("a network that loses everything can't be reliable") {
  const std::vector<std::string> lossy = {"network.loss={kind=\"bernoulli\",p=1.0}"};
  CHECK(errors_in(kEcho, lossy).empty());
  auto reliable = lossy;
  reliable.push_back("network.transport=reliable");
  CHECK_THAT(errors_in(kEcho, reliable), has("loses everything"));
  CHECK_THAT(errors_in(kEcho,
                       {"network.transport=reliable",
                        "network.loss={kind=\"gilbert-elliott\",p=0.1,r=0.0}"}),
             has("loses everything"));
}

TEST_CASE("bursts are stated by their mean length and the rate of loss, or by both mean lengths") {
  const std::string text = std::string(kEcho) +
                           "[network]\nlatency = \"1 ms\"\nloss = { kind = "
                           "\"bursts\", mean_bad = \"75 ms\"";
  const auto loss = [&](const std::string& more) {
    return std::get<BurstLoss>(
        *test::first_network(test::read_valid(text + more + " }\n")).links[0].loss);
  };
  CHECK(loss(", average = 0.01").mean_good == Duration::seconds(7.425));
  CHECK(loss(", mean_good = \"3 s\"").mean_good == Duration::seconds(3));
  CHECK(loss(", average = 0.01").per_pair);
  CHECK_FALSE(loss(", average = 0.01, of = \"link\"").per_pair);
  // A quarter of the time is bad: 0.75 times 0.1 and 0.25 times 0.5 are lost.
  CHECK(loss(", average = 0.2, loss_good = 0.1, loss_bad = 0.5").mean_good ==
        Duration::seconds(0.225));
  CHECK_THAT(errors_in(text + " }\n"), has("either average or mean_good"));
  CHECK_THAT(errors_in(text + ", average = 0.01, mean_good = \"3 s\" }\n"),
             has("either average or mean_good"));
  CHECK_THAT(errors_in(text + ", average = 0.6, loss_bad = 0.5 }\n"),
             has("between loss_good and loss_bad"));
  CHECK_THAT(errors_in(text + ", average = 0.01, of = \"node\" }\n"), has("network.loss.of"));
  CHECK_THAT(errors_in(text + ", mean_good = \"0 s\" }\n"), has("network.loss.mean_good"));
  CHECK_THAT(errors_in(text + ", mean_good = \"1 s\", loss_good = 1 }\ntransport = \"reliable\"\n"),
             has("loses everything"));
}

TEST_CASE("a plain number as loss is the probability of losing a transmission") {
  const std::string text = std::string(kEcho) + "[network]\nlatency = \"1 ms\"\nloss = ";
  const auto scenario = test::read_valid(text + "0.05\n");
  const auto network = test::first_network(scenario);
  REQUIRE(std::holds_alternative<BernoulliLoss>(*network.links[0].loss));
  CHECK(std::get<BernoulliLoss>(*network.links[0].loss).p == 0.05);
  CHECK(to_toml(scenario) ==
        to_toml(test::read_valid(text + "{ kind = \"bernoulli\", p = 0.05 }\n")));
  CHECK_THAT(errors_in(text + "1.5\n"), has("network.loss: is out of range"));
  CHECK_THAT(errors_in(text + "-1\n"), has("network.loss: is out of range"));
  CHECK_THAT(errors_in(text + "1\ntransport = \"reliable\"\n"), has("loses everything for ever"));
  CHECK_THAT(errors_in(text + "\"5 %\"\n"), has("network.loss"));
}

TEST_CASE("keys that do nothing are refused") {
  CHECK_THAT(errors_in(std::string(kEcho) + R"([objective]
kind = "sine"
)"),
             has("objective: does nothing"));
  CHECK_THAT(errors_in(std::string(kEcho) + R"([compute]
evaluation = "1 ms"
)"),
             has("compute.evaluation: does nothing"));
  CHECK_THAT(errors_in(kEcho, {"network.queue=1 kB"}), has("does nothing without a rate"));
  CHECK_THAT(errors_in(kEcho, {"network.retransmission={timeout=\"1 s\"}"}),
             has("does nothing with transport"));
  CHECK_THAT(errors_in(kEcho, {"server.deadline=1 s"}), has("does nothing with policy"));
  CHECK_THAT(
      errors_in(
          "[[algorithm]]\nkind=\"random-exchange\"\n[population]\nclients=2\n[objective]\nkind="
          "\"sine\"\n[budget]\nevaluations_per_client=5\n[server]\npolicy=\"all\"\n"),
      has("server: does nothing"));
  CHECK_THAT(errors_in("[[algorithm]]\nkind=\"echo\"\nclients=2\n[population]\nclients=2\n"),
             has("population.clients: does nothing"));
}

TEST_CASE("sections that a single run does not have are named in the error") {
  CHECK_THAT(errors_in(std::string(kEcho) + R"([sweep]
seed = [1, 2]
)"),
             has("`posse sweep` instead"));
}

TEST_CASE("missing keys are named") {
  CHECK_THAT(errors_in("name = \"x\"\n"), has("there is no algorithm"));
  CHECK_THAT(errors_in(R"([[algorithm]]
kind = "echo"
)"),
             has("population.clients: is missing"));
  const auto text = errors_in(R"([[algorithm]]
kind = "fed-pne"
clients = 2
)");
  CHECK_THAT(text, has("objective: is missing"));
  CHECK_THAT(text, has("budget: is missing"));
}

TEST_CASE("names in network rules must mean a node of some algorithm") {
  CHECK(errors_in(std::string(kEcho) +
                  R"([[network.link]]
from = "client-2"
to = "server"
latency = "9 ms"
)")
            .empty());
  CHECK_THAT(errors_in(std::string(kEcho) + R"([[network.link]]
from = "client-3"
latency = "9 ms"
)"),
             has("no algorithm here has 'client-3'"));
  CHECK_THAT(errors_in(std::string(kEcho) + R"([[network.drop]]
type = "EchoReplay"
)"),
             has("did you mean 'EchoReply'?"));
}

TEST_CASE("an override without a value removes the key, or the element of a list") {
  Diagnostics diagnostics;
  Value root = parse_toml(R"(a.b = 1
a.c = 2
[[x]]
kind = "u"
[[x]]
kind = "v"
)",
                          "",
                          diagnostics);
  apply_override(root, "a.b=", "", diagnostics);
  apply_override(root, "x.u=", "", diagnostics);
  CHECK(diagnostics.empty());
  CHECK(root.table()->at("a").table()->size() == 1);
  CHECK(root.table()->at("a").table()->contains("c"));
  REQUIRE(root.table()->at("x").array()->size() == 1);
  CHECK(describe(root.table()->at("x").array()->front().table()->at("kind")) == "\"v\"");
  apply_override(root, "a.b=", "--set", diagnostics);
  CHECK(diagnostics.text().find("there is nothing at 'a.b' to remove") != std::string::npos);
  apply_override(root, "x.*=", "--set", diagnostics);
  CHECK(root.table()->at("x").array()->empty());
}

TEST_CASE("an assignment that replaces a model is told, with the keys that it has") {
  const auto notes = [](const std::string& assignment) {
    Diagnostics diagnostics;
    Value root = parse_toml(R"([network]
loss = { kind = "bursts", average = 0.02, mean_bad = "100 ms" }
latency = "5 ms"
[[algorithm]]
kind = "hct"
)",
                            "",
                            diagnostics);
    apply_override(root, assignment, "--set", diagnostics);
    return diagnostics.notes();
  };
  CHECK(
      notes("network.loss=0.1") ==
      std::vector<std::string>{"--set network.loss=0.1 replaces a model of kind \"bursts\", whose "
                               "keys are network.loss.average, network.loss.mean_bad"});
  CHECK(notes("network.loss={ kind = \"bernoulli\", p = 0.1 }").size() == 1);
  for (const auto* kept : {"network.loss={ kind = \"bursts\", average = 0.1, mean_bad = \"1 s\" }",
                           "network.loss.average=0.1",
                           "network.loss=",
                           "network.latency=1 s",
                           "network.jitter=0.1",
                           "network.loss",
                           "algorithm.hct.nu1=2",
                           "=",
                           "a.b.c.d=[",
                           ""})
    CHECK(notes(kept).empty());
}

TEST_CASE("a heterogeneity or noise with a mistake is refused, not made") {
  const std::string text =
      R"([[algorithm]]
kind = "fed-pne"
[population]
clients = 2
[budget]
evaluations_per_client = 20
[objective]
kind = "garland"
)";
  CHECK_THAT(errors_in(text + "heterogeneity = { kind = \"table\", file = \"nowhere.csv\" }\n"),
             Catch::Matchers::Contains("objective.heterogeneity.file: there is no file"));
  CHECK_THAT(errors_in(text + "heterogeneity = { kind = \"mixture\" }\n"),
             Catch::Matchers::Contains("objective.heterogeneity.functions: is missing"));
}

TEST_CASE("keys and values nested too deeply are refused, not recursed into") {
  const auto repeated = [](std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  const std::string deep = repeated("a.", 200'000) + "a";
  std::string inline_tables = "1";
  for (int i = 0; i < 200; ++i)
    inline_tables = "{ " + repeated("a.", 60) + "a = " + inline_tables + " }";
  for (const auto& text : {deep + " = 1",
                           "[" + deep + "]",
                           "[[" + deep + "]]",
                           "\n\n\"a\" = { " + deep + " = 1 }",
                           "a = " + inline_tables,
                           "a = " + repeated("[", 100'000) + repeated("]", 100'000),
                           "a = " + repeated("[", 100'000),
                           "a = " + repeated("{ a = ", 100'000),
                           repeated("[", 100'000) + "a" + repeated("]", 100'000)}) {
    Diagnostics diagnostics;
    parse_toml(text, "deep.toml", diagnostics);
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all().front().problem == "is nested deeper than 64 levels");
    CHECK(diagnostics.all().front().location.line == (text.front() == '\n' ? 3 : 1));
  }
  Diagnostics diagnostics;
  Value root{{}, Table{}};
  apply_override(root, deep + "=1", "--set", diagnostics);
  CHECK(diagnostics.all().size() == 1);
  CHECK_FALSE(set_value(root, deep, Value{{}, true}));
  CHECK(root.table()->empty());
  // Points and brackets in texts and comments are no levels.
  diagnostics = {};
  const auto points = repeated(".[", 100);
  parse_toml("a = \"" + points + "\\\"" + points + "\" # " + points + "\nb = \'\'\'" + points +
                 "\n" + points + "\'\'\'\n",
             "points.toml",
             diagnostics);
  CHECK(diagnostics.empty());
}

TEST_CASE("an override wins over the file and its errors name the flag") {
  CHECK(read_valid(kEcho, {"population.clients=7", "seed=9"}).clients == 7);
  CHECK(read_valid(kFedPne, {"algorithm.fed-pne.nu1=1.4"}).algorithms[0].parameters.real("nu1") ==
        1.4);
  CHECK(read_valid(kFedPne, {"algorithm.*.nu1=1.4"}).algorithms[0].parameters.real("nu1") == 1.4);
  CHECK_THAT(
      errors_in(kEcho, {"population.clients=many"}),
      has("--set population.clients=many: error: population.clients: is not a whole number"));
  CHECK_THAT(errors_in(kEcho, {"algorithm.7.rounds=3"}),
             has("there is nothing at 'algorithm.7.rounds'"));
  CHECK_THAT(errors_in(kEcho, {"seed"}), has("is not key.path=value"));
}

TEST_CASE("the resolved scenario reads back as itself") {
  const auto text = std::string(kFedPne) +
                    R"([network]
latency = { kind = "lognormal", mean = "50 ms", sigma = 0.5 }
loss = { kind = "by-type", p = { LocalMeans = 0.25 } }
rate = "10 Mbit/s"
queue = "1 MB"
transport = "reliable"
order = "fifo"
[[network.node]]
nodes = "server"
rate_up = "5 MB/s"
[[network.drop]]
round = 2
to = "client-1"
[[compute.stragglers]]
nodes = "client"
factor = 10
share = 0.2
[[compute.service]]
nodes = "server"
type = "LocalMeans"
dispatch = "1 us"
decode = { kind = "exponential", mean = "5 us" }
sends = false
compute = "20 us"
per_evaluation = "53 ns"
[[compute.service]]
encode = "2 us"
[server]
policy = "deadline"
deadline = "1 s"
quorum = "80%"
[limits]
events = 1000
)";
  const auto resolved = to_toml(read_valid(text));
  INFO(resolved);
  CHECK(to_toml(read_valid(resolved)) == resolved);
}

TEST_CASE(
    "service times are refused where they have no effect, and of messages that nobody sends") {
  const auto rule = [](const std::string& keys) {
    return errors_in(std::string(kEcho) + "[[compute.service]]\n" + keys);
  };
  CHECK(errors_in(std::string(kEcho) + R"([[compute.service]]
decode = "1 us"
)",
                  {})
            .empty());
  CHECK_THAT(rule("nodes = \"server\"\n"), has("compute.service.0: sets no time"));
  CHECK_THAT(rule("type = \"EchoReplay\"\ndecode = \"1 us\"\n"), has("did you mean 'EchoReply'"));
  CHECK_THAT(rule("nodes = \"clint\"\ndecode = \"1 us\"\n"), has("compute.service.0.nodes"));
  CHECK_THAT(rule("type = \"start\"\ndecode = \"1 us\"\n"), has("start is no message"));
  CHECK_THAT(rule("type = \"timer\"\nencode = \"1 us\"\n"), has("timer is no message"));
  CHECK_THAT(rule("sends = true\nencode = \"1 us\"\n"), has("sends: does nothing without compute"));
  CHECK_THAT(rule("sends = 1\ncompute = \"1 us\"\n"), has("compute.service.0.sends"));
  CHECK_THAT(rule("compute = \"-1 us\"\n"), has("compute.service.0.compute"));
  CHECK_THAT(rule("compute = { kind = \"trace\", file = \"x\" }\n"), has("compute"));
  CHECK_THAT(rule("per_evaluation = \"1\"\n"), has("per_evaluation"));
}

TEST_CASE("time-outs are derived unless they are stated or measured") {
  const std::string reliable = std::string(kEcho) + R"([network]
transport = "reliable"
)";
  const auto timing = [&](std::vector<std::string> keys) {
    for (auto& key : keys) key = "network.retransmission." + key;
    return read_valid(reliable, keys).network.retransmission;
  };
  CHECK(timing({}).timeout == TimeOut::Rule::derived);
  CHECK(timing({"timeout=derived"}).timeout == TimeOut::Rule::derived);
  CHECK(timing({"timeout=measured"}).timeout == TimeOut::Rule::measured);
  CHECK(timing({"timeout=3 ms"}).timeout == Duration{3'000'000});
  CHECK(timing({}).max_timeout == Duration::seconds(60));
  CHECK(timing({"timeout=2 min"}).max_timeout == Duration::seconds(120));
  CHECK(timing({"min_timeout=3 ms"}).min_timeout == Duration{3'000'000});
  const auto measured = timing({"timeout=measured", "granularity=2 ms"});
  CHECK(measured.granularity == Duration{2'000'000});

  const auto errors = [&](std::vector<std::string> keys) {
    for (auto& key : keys) key = "network.retransmission." + key;
    return errors_in(reliable, keys);
  };
  CHECK_THAT(errors({"timeout=measurd"}), has("did you mean 'measured'?"));
  CHECK_THAT(errors({"timeout=0 s"}), has("must be above 0"));
  CHECK_THAT(errors({"timeout=5"}), has("has no unit"));
  CHECK_THAT(errors({"timeout=3 ms", "min_timeout=1 ms"}), has("does nothing with a stated"));
  CHECK_THAT(errors({"granularity=1 ms"}), has("does nothing without measured"));
  CHECK_THAT(errors({"timeout=3 ms", "max_timeout=2 ms"}), has("is below timeout"));
  CHECK_THAT(errors({"min_timeout=3 ms", "max_timeout=2 ms"}), has("is below min_timeout"));
}

TEST_CASE("a link may have a time-out of its own, under the reliable transport") {
  const std::string link = R"([[network.link]]
to = "client"
timeout = "measured"
)";
  const std::string reliable = std::string(kEcho) + R"([network]
transport = "reliable"
)";
  const Scenario scenario = read_valid(reliable + link);
  CHECK(scenario.network.links.front().rule.timeout == TimeOut::Rule::measured);
  CHECK(test::first_network(scenario).links.back().timeout == TimeOut::Rule::measured);
  CHECK_THAT(to_toml(scenario), has("timeout = \"measured\""));
  CHECK(to_toml(read_valid(to_toml(scenario))) == to_toml(scenario));
  CHECK_THAT(errors_in(std::string(kEcho) + link), has("does nothing with transport"));
}

TEST_CASE("a quorum's share is rounded up over each algorithm's clients") {
  const auto scenario = read_valid(kFedPne, {"server.policy=quorum", "server.quorum=80%"});
  CHECK(make_policy(scenario, 10).quorum == 8);
  CHECK(make_policy(scenario, 11).quorum == 9);
  CHECK(make_policy(scenario, 1).quorum == 1);
  CHECK_THAT(errors_in(kFedPne, {"server.policy=quorum", "server.quorum=6"}),
             has("more than the 5 clients"));
}

TEST_CASE("repetitions have distinct seeds, the same for every algorithm") {
  CHECK(repetition_seed(1, 0) == repetition_seed(1, 0));
  CHECK(repetition_seed(1, 0) != repetition_seed(1, 1));
  CHECK(repetition_seed(1, 1) != repetition_seed(2, 0));
}

TEST_CASE("latency files state their unit and refuse text and negative numbers") {
  CHECK(parse_latency_samples("latency_ms\n1\n2.5\n")[1].ns == 2'500'000);
  CHECK(parse_latency_samples("duration_us\n3\n")[0].ns == 3'000);
  CHECK(parse_latency_matrix("from,to,latency_s\na,b,0.5\n").at({"a", "b"})[0].ns == 500'000'000);
  const auto moments =
      parse_latency_matrix("moment,from,to,latency_ms\n0,a,b,1\n1,a,b,2\n0,b,a,3\n1,b,a,4\n");
  CHECK(moments.at({"b", "a"})[1].ns == 4'000'000);
  CHECK_THROWS_WITH(parse_latency_matrix("moment,from,to,latency_ms\n0,a,b,1\n0,a,b,2\n"),
                    has("line 3: the moment '0' is not 1, the next one of a to b"));
  CHECK_THROWS_WITH(parse_latency_matrix("moment,from,to,latency_ms\n0,a,b,1\n1,a,b,2\n0,b,a,3\n"),
                    has("a to b has 2 moments, b to a has 1"));
  CHECK_THROWS_WITH(parse_latency_samples("latency\n1\n"), has("none of latency_s"));
  CHECK_THROWS_WITH(parse_latency_samples("latency_ms\n1\nx\n"), has("line 3: 'x'"));
  CHECK_THROWS_WITH(parse_latency_samples("latency_ms\n-1\n"), has("line 2"));
  CHECK_THROWS_WITH(parse_latency_samples("latency_ms\n"), has("no data rows"));
  CHECK_THROWS_WITH(parse_latency_matrix("from,to,latency_s\na,b,1\na,b,2\n"), has("listed twice"));
}

TEST_CASE("a latency matrix has lines for single nodes that some algorithm could have") {
  const auto problem = [](const std::string& line) {
    return errors_in(
        kFedPne,
        {"inputs={ \"m.csv\" = \"from,to,latency_ms\\nserver,client-0,5\\n" + line + "\\n\" }",
         "network.latency={ kind = \"matrix\", file = \"m.csv\", otherwise = \"9 ms\" }"});
  };
  CHECK(problem("client-77,server,5") == "");  // the file may be of a larger network
  CHECK_THAT(problem("cleint-1,server,5"),
             has("no algorithm has") && has("did you mean 'client-0'?"));
  CHECK_THAT(problem("client,server,5"), has("given:   \"client\""));
  CHECK_THAT(problem("server,client-3..4,5"), has("allowed: client-0, server"));
}

TEST_CASE("a loss of acknowledgements needs a transport that has them") {
  const std::string loss = "network.loss={ kind = \"by-type\", p = { Ack = 0.1 } }";
  CHECK(errors_in(kFedPne, {loss, "network.transport=\"reliable\""}) == "");
  CHECK_THAT(errors_in(kFedPne, {loss, "network.transport=\"datagram\""}), has("loses Ack"));
}

namespace {

void check_validity(const std::vector<test::ShippedScenario>& scenarios) {
  for (const auto& shipped : scenarios) {
    Diagnostics diagnostics;
    load_scenario(shipped.file, shipped.overrides, diagnostics);
    CHECK(diagnostics.text() == "");
  }
}

}  // namespace

TEST_CASE("every shipped scenario and the one of `new` is valid") {
  CHECK(read_valid(new_scenario("my-first")).name == "my-first");
  const auto scenarios = test::shipped_scenarios();
  CHECK(scenarios.size() >= 6);
  check_validity(scenarios);
}

TEST_CASE("every shipped scenario on data of others is valid") {
  const auto data = test::scenarios_on_others_data();
  check_validity(data.scenarios);
  data.skip_what_is_missing();
}

}  // namespace test_scenario
