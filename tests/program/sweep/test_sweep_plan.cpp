// SPDX-License-Identifier: Apache-2.0
// The section [sweep]: which settings a file has, and what is wrong with others.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <set>

#include "program/scenario/scenario_tree.hpp"
#include "program/sweep/setting_names.hpp"
#include "program/sweep/sweep_plan.hpp"
#include "tests/support/folder.hpp"

namespace posse::test_sweep_plan {
namespace {

using Catch::Matchers::Contains;

constexpr const char* kBase = R"(
repeat = 2
[[algorithm]]
kind = "echo"
rounds = 3
[population]
clients = 4
[network]
latency = "50 ms"
loss = 0.1
transport = "reliable"
)";

struct Read {
  Diagnostics diagnostics;
  std::optional<SweepPlan> plan;
};

Read read(const std::string& section, const std::vector<Override>& overrides = {}) {
  const test::Folder folder;
  const auto file = folder.write("small.toml", kBase + section);
  Read read;
  read.plan.emplace(file.string(), overrides, read.diagnostics);
  return read;
}

SweepPlan valid(const std::string& section) {
  auto [diagnostics, plan] = read(section);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  return std::move(*plan);
}

std::string errors(const std::string& section) { return read(section).diagnostics.text(); }

std::vector<std::string> texts(const SweepPlan& plan) {
  std::vector<std::string> all;
  for (std::size_t s = 0; s < plan.settings(); ++s) {
    all.emplace_back();
    for (std::size_t axis = 0; axis < plan.axes().size(); ++axis)
      all.back() += (axis == 0 ? "" : " | ") + plan.text(s, axis);
  }
  return all;
}
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("every combination of a sweep's lists is a setting, the first key varies slowest") {
  const auto plan = valid(R"([sweep]
"network.latency" = ["20 ms", "200 ms"]
"population.clients" = [2, 3, 5]
)");
  CHECK(texts(plan) ==
        Texts{"20 ms | 2", "20 ms | 3", "20 ms | 5", "200 ms | 2", "200 ms | 3", "200 ms | 5"});
  CHECK(plan.runs().size() == 12);
  CHECK(plan.distinct_runs() == 12);
  CHECK(plan.scenario(5).clients == 5U);
  CHECK(plan.assignments(3) == Texts{"network.latency=\"200 ms\"", "population.clients=2"});
  // Repetitions grow evenly: all settings have repetition 0 before any has repetition 1.
  for (std::size_t i = 0; i < 12; ++i) CHECK(plan.runs()[i].repetition == i / 6);
}

TEST_CASE("keys of a sweep may be written without quotes, and select algorithms by label") {
  const auto plan = valid(R"([sweep]
network.loss = [0, 0.1]
algorithm.echo.rounds = [1, 2]
)");
  CHECK(texts(plan) == Texts{"0 | 1", "0 | 2", "0.1 | 1", "0.1 | 2"});
  CHECK(std::get<std::int64_t>(
            plan.scenario(1).algorithms.front().parameters.all().find("rounds")->second) == 2);
}

TEST_CASE("ranges have both ends, evenly or in equal ratios, with units") {
  const auto range = [](const std::string& text) {
    return texts(valid("[sweep]\n" + text + "\n"));
  };
  CHECK(range("network.loss = { from = 0, to = 0.2, steps = 3 }") == Texts{"0", "0.1", "0.2"});
  CHECK(range("network.latency = { from = \"1 ms\", to = \"1 s\", steps = 4, scale = \"log\" }") ==
        Texts{"1 ms", "10 ms", "100 ms", "1 s"});
  CHECK(range("population.clients = { from = 4, to = 256, steps = 4, scale = \"log\" }") ==
        Texts{"4", "16", "64", "256"});
  CHECK(
      range(
          "population.clients = { from = 1, to = 8, steps = 6, scale = \"log\", whole = true }") ==
      Texts{"1", "2", "3", "5", "8"});
  CHECK(range("network.latency = { from = \"2 s\", to = \"1 s\", steps = 3 }") ==
        Texts{"2 s", "1500 ms", "1 s"});
  CHECK(range("network.rate = { from = \"1 Mbit/s\", to = \"9 Mbit/s\", steps = 3 }") ==
        Texts{"1 Mbit/s", "5 Mbit/s", "9 Mbit/s"});
}

TEST_CASE("keys in lock-step advance together") {
  const auto plan = valid(R"([sweep]
"network.latency" = ["20 ms", "200 ms"]
"network.loss" = [0, 0.1, 0.2]
"population.clients" = [2, 3]
lock_step = [["population.clients", "network.latency"]]
)");
  CHECK(texts(plan) == Texts{"20 ms | 0 | 2",
                             "20 ms | 0.1 | 2",
                             "20 ms | 0.2 | 2",
                             "200 ms | 0 | 3",
                             "200 ms | 0.1 | 3",
                             "200 ms | 0.2 | 3"});
}

TEST_CASE("values may repeat in lock-step as long as they don't all") {
  CHECK(texts(valid(R"([sweep]
"network.transport" = ["reliable", "reliable", "datagram"]
"network.loss" = [0, 0.1, 0]
lock_step = [["network.transport", "network.loss"]]
)")) == Texts{"reliable | 0", "reliable | 0.1", "datagram | 0"});
  CHECK_THAT(errors(R"([sweep]
"network.transport" = ["reliable", "reliable"]
"network.loss" = [0.1, 0.1]
lock_step = [["network.transport", "network.loss"]]
)"),
             Contains("has the same values twice, in lock-step"));
}

TEST_CASE("components among the values are told by their kind and parameters") {
  CHECK(texts(valid(R"([sweep]
"network.latency" = ["5 ms", { kind = "exponential", mean = "5 ms" }, { kind = "gamma", shape = 2, mean = "5 ms" }]
)")) == Texts{"5 ms", "exponential 5 ms", "gamma 5 ms (shape 2)"});
}

TEST_CASE("a setting needs only the input files that it names") {
  const std::string files =
      R"([inputs]
"a.csv" = "latency_ms\n5\n"
"b.csv" = "latency_ms\n6\n"
)";
  const std::string sweep =
      R"([sweep]
"network.latency" = [{ kind = "empirical", file = "a.csv" }, { kind = "empirical", file = "b.csv" }]
)";
  CHECK(valid(files + sweep).settings() == 2);
  CHECK_THAT(errors(files + "\"c.csv\" = \"latency_ms\\n6\\n\"\n" + sweep),
             Contains("inputs.c.csv: has no effect"));
}

TEST_CASE("a constraint keeps the settings for which it is true") {
  const auto kept = [](const std::string& constraint) {
    const auto plan = valid(
        "[sweep]\n\"network.latency\" = [\"20 ms\", \"200 ms\"]\n"
        "\"population.clients\" = [2, 3, 5]\nconstraint = '" +
        constraint + "'\n");
    CHECK(plan.settings() + plan.excluded() == 6);
    return texts(plan);
  };
  CHECK(kept("clients * 2 <= 6") == Texts{"20 ms | 2", "20 ms | 3", "200 ms | 2", "200 ms | 3"});
  CHECK(kept("latency < 0.1 && clients != 3") == Texts{"20 ms | 2", "20 ms | 5"});
  CHECK(kept("\"population.clients\" == 5 || \"network.loss\" > 1") ==
        Texts{"20 ms | 5", "200 ms | 5"});
  CHECK(kept("max(clients, rounds) <= 3 && latency >= 2e-1") == Texts{"200 ms | 2", "200 ms | 3"});
}

TEST_CASE("algorithms that a key does not concern share their runs between settings") {
  const auto plan = valid(R"([[algorithm]]
kind = "echo"
label = "second"
[sweep]
"algorithm.0.rounds" = [1, 2, 3]
)");
  CHECK(plan.runs().size() == 3 * 2 * 2);
  CHECK(plan.distinct_runs() == 3 * 2 + 2);
}

TEST_CASE("without a section [sweep] there is one setting") {
  const auto plan = valid("");
  CHECK(plan.settings() == 1);
  CHECK(plan.runs().size() == 2);
  CHECK(plan.name() == "small");
}

TEST_CASE("mistakes in a sweep are named, with the line and what is allowed") {
  const auto check = [](const std::string& section, const std::string& message) {
    INFO(section);
    CHECK_THAT(errors("[sweep]\n" + section + "\n"), Contains(message));
  };
  check("", "varies nothing");
  check("population.clients = 3", "is neither a list nor a range");
  check("population.clients = []", "has no values");
  check("population.clients = [3, 3]", "has a value twice");
  check("clients = [3, 4]", "sweep.clients: unknown key");
  check("clients = [3, 4]", "did you mean 'population.clients'?");
  check("population.client = [3]", "did you mean 'clients'?");
  check("population.clients = [3, 0]", "out of range");
  check("network.latency.mean = [\"1 ms\"]", "is not a valid path");
  check("nobody.knows = [1]", "sweep");
  check("network.loss = { from = 0, to = 1 }", "steps");
  check("network.loss = { from = 0, steps = 2 }", "has no `to`");
  check("network.loss = { from = 0, to = 0, steps = 2 }", "equals `from`");
  check("network.loss = { from = 0, to = 0.5, steps = 1 }", "out of range");
  check("network.loss = { from = 0, to = 0.5, steps = 3, scale = \"log\" }", "above 0");
  check("network.loss = { from = 0, to = 0.5, steps = 3, scale = \"cubic\" }", "linear, log");
  check("network.loss = { from = 0, to = \"1 s\", steps = 3 }", "another kind of unit");
  check("network.loss = { from = true, to = 1, steps = 3 }", "is not a quantity");
  check("network.loss = { from = 0, to = 1, steps = 3, step = 3 }", "did you mean 'steps'?");
  check("population.clients = { from = 1, to = 2, steps = 3 }", "population.clients");
  check("network.loss = [0]\n\"network.loss\" = [0.1]", "is there twice");
  check("\"network.loss\" = [0]\n\"network.loss.p\" = [0.1]", "is there twice");
  check("seed = [1, 2]", "varies the name, the seed");
  check("label = [\"a\", \"b\"]", "sweep.label: can't be varied");
  check("algorithm = [[{ kind = \"echo\" }], [{ kind = \"echo\", rounds = 3 }]]",
        "sweep.algorithm: can't");
  check("network.loss = [0]\nlock_step = [[\"network.loss\"]]", "two or more keys");
  check("network.loss = [0]\nlock_step = [[\"network.loss\", \"network.los\"]]",
        "did you mean 'network.loss'?");
  check(
      "network.loss = [0]\npopulation.clients = [1, 2]\nlock_step = [[\"network.loss\", "
      "\"population.clients\"]]",
      "network.loss has 1, population.clients has 2");
  check("network.loss = [0]\nlock_step = 3", "is not a list");
  check("network.loss = [0]\nconstraint = 3", "is not a string");
  check("network.loss = [0]\nconstraint = \"clients = 3\"", "'==' to compare");
  check("network.loss = [0]\nconstraint = \"client > 3\"", "did you mean 'clients'?");
  check("network.loss = [0]\nconstraint = \"'network.los' > 3\"", "did you mean 'network.loss'?");
  check("network.loss = [0]\nconstraint = \"clients >\"", "can't be understood");
  check("network.loss = [0]\nconstraint = \"'clients\"", "a quote without its end");
  check("network.loss = [0]\nconstraint = \"1, 2\"", "has several results");
  check("network.loss = [0]\nconstraint = \"clients > 99\"", "excludes all 1 settings");
  check("network.loss = [0]\nconstraint = \"0 / (clients - 4)\"", "is undefined");
  check(
      "network.loss = { from = 0, to = 0.5, steps = 2000 }\npopulation.clients = { from = 1, "
      "to = 2000, steps = 2000 }\nbudget.evaluations_per_client = { from = 1, to = 2000, "
      "steps = 2000 }",
      "has 8000000000 settings");
  CHECK_THAT(errors("sweep = 3\n"), Contains("sweep"));
  // A mistake that all settings share is shown once.
  const auto text = errors(R"([sweep]
network.loss = [0, 0.1, 0.2]
network.nonsense = [1]
)");
  CHECK(text.find("nonsense") != std::string::npos);
  CHECK(text.find("unknown", text.find("unknown") + 1) == std::string::npos);
}

TEST_CASE("overrides come before the sweep, and can take it away") {
  const auto section = R"([sweep]
network.loss = [0, 0.1]
)";
  CHECK(read(section, {{"--set", "repeat=5"}}).plan->runs().size() == 10);
  CHECK(read(section, {{"--set", "sweep.network.loss=[0, 0.1, 0.2]"}}).plan->settings() == 3);
  CHECK(read(R"([sweep]
"network.loss" = [0]
)",
             {{"--set", "sweep.network.loss=[0, 0.1]"}})
            .plan->settings() == 2);
  CHECK(read(section, {{"--set", "sweep="}}).plan->settings() == 1);
}

TEST_CASE("garbage in the section of a sweep is refused, never accepted or fatal") {
  const std::vector<std::string> pieces{"from",
                                        "= ",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        "\"",
                                        "1",
                                        "e9",
                                        "-",
                                        ".",
                                        "network",
                                        "loss",
                                        ",",
                                        "\n",
                                        "constraint",
                                        "(",
                                        "&&",
                                        "x"};
  std::uint64_t state = 12345;
  for (int round = 0; round < 400; ++round) {
    std::string section = "[sweep]\n";
    for (int i = 0; i < 12; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      section += pieces[(state >> 33) % pieces.size()];
    }
    const auto [diagnostics, plan] = read(section);
    if (diagnostics.empty()) CHECK(plan->settings() > 0);
  }
}

TEST_CASE("named values of several keys are one dimension of a sweep") {
  const auto plan = valid(R"([sweep]
"population.clients" = [2, 3]
[sweep.named.link]
lan = { "network.latency" = "1 ms", network.loss = 0 }
far = { "network.latency" = { kind = "uniform", min = "1 ms", max = "3 ms" } }
)");
  CHECK(texts(plan) == Texts{"2 | lan", "2 | far", "3 | lan", "3 | far"});
  CHECK(plan.assignments(0) ==
        Texts{"population.clients=2", "network.latency=\"1 ms\"", "network.loss=0"});
  // What a name doesn't set is as in the file.
  CHECK_THAT(to_toml(plan.scenario(1)), Contains("p = 0.1"));
  CHECK_THAT(to_toml(plan.scenario(0)), !Contains("p = 0.1"));
  CHECK(names_of_settings(plan) ==
        Texts{"lan, 2 clients", "far, 2 clients", "lan, 3 clients", "far, 3 clients"});
}

TEST_CASE("names that two dimensions share are told with their dimension") {
  const auto plan = valid(R"([sweep.named.wait]
low = { "network.latency" = "1 ms" }
high = { "network.latency" = "9 ms" }
[sweep.named.dropped]
low = { "network.loss" = 0.01 }
high = { "network.loss" = 0.2 }
)");
  CHECK(names_of_settings(plan) == Texts{"dropped low, wait low",
                                         "dropped high, wait low",
                                         "dropped low, wait high",
                                         "dropped high, wait high"});
}

TEST_CASE("named values are refused with what they should be") {
  CHECK_THAT(errors("[sweep]\nnamed = 3"), Contains("sweep.named: is not a table"));
  CHECK_THAT(errors("[sweep.named]\nlink = [1]"),
             Contains("sweep.named.link: is not a table of names"));
  CHECK_THAT(errors("[sweep.named.link]\nlan = {}"), Contains("sweep.named.link.lan: sets no key"));
  CHECK_THAT(errors("[sweep.named.\"a b\"]\nlan = {\"network.loss\" = 0}"),
             Contains("is not a plain word"));
  CHECK_THAT(errors("[sweep.named.link]\nlan = {\"network.losss\" = 0}"),
             Contains("network.losss: unknown key"));
  const auto overlap = errors(R"([sweep]
"network.loss" = [0, 0.1]
[sweep.named.link]
lan = { "network.loss.p" = 0.2 }
)");
  CHECK_THAT(overlap, Contains("sweep.link: sets network.loss.p, which network.loss sets, too"));
  const auto whole = errors(R"([sweep.named.link]
lan = { "network.loss.p" = 0.2 }
[sweep.named.other]
a = { "network.loss" = 0.2 }
)");
  CHECK_THAT(whole, Contains("sets network.loss, of which a part link sets, too"));
  // One parameter by two paths.
  CHECK_THAT(errors("[sweep]\n\"algorithm.0.rounds\" = [1, 2]\n\"algorithm.echo.rounds\" = [3, 4]"),
             Contains("sets algorithm.echo.rounds, which algorithm.0.rounds sets, too"));
  CHECK_THAT(
      errors("[sweep.named.n]\na = {\"algorithm.0.rounds\" = 1, \"algorithm.*.rounds\" = 2}"),
      Contains("which it sets, too"));
  for (const auto* name : {"10 ms", "1.10", "none", "inf", "a=b", "a, b"})
    CHECK_FALSE(
        errors(fmt::format("[sweep.named.link]\n\"{}\" = {{\"network.loss\" = 0}}", name)).empty());
  CHECK_THAT(errors("[sweep.named.measure]\na = {\"network.loss\" = 0}"),
             Contains("is what plots call"));
  CHECK_THAT(errors("[sweep.named.link]\na = {\"network.loss\" = 0}\nb = {\"network.loss\" = 0}"),
             Contains("has a value twice"));
}

constexpr const char* kTwo = R"([[algorithm]]
kind = "hct-central"
[objective]
kind = "garland"
[budget]
evaluations_per_client = 10
[sweep]
"population.clients" = [2, 3, 5]
"network.latency" = ["1 ms", "20 ms"]
)";

TEST_CASE("a sweep leaves algorithms out of the settings that an exclusion names") {
  const auto plan = valid(std::string(kTwo) + R"([[sweep.exclude]]
algorithm = "hct-central"
where = "clients > 2 && latency < 0.01"
[[sweep.exclude]]
algorithm = ["echo"]
where = { clients = [5, 2], "network.latency" = "0.02 s" }
)");
  CHECK(plan.settings() == 6);
  CHECK(plan.left_out() == 4);
  CHECK(plan.runs().size() == 2 * (12 - 4));
  CHECK(plan.algorithms() == Texts{"echo", "hct-central"});
  std::vector<std::vector<std::size_t>> in;
  for (std::size_t s = 0; s < plan.settings(); ++s) in.push_back(plan.algorithms_in(s));
  CHECK(in == std::vector<std::vector<std::size_t>>{{0, 1}, {1}, {0}, {0, 1}, {0}, {1}});
  for (const auto& run : plan.runs()) {
    const auto scenario = plan.scenario(run.setting);
    CHECK(scenario.algorithms.at(plan.position_in(run.setting, run.algorithm)).label ==
          plan.algorithms()[run.algorithm]);
    CHECK(&plan.run(run.setting, run.algorithm, run.repetition) == &run);
  }
}

TEST_CASE("an exclusion without algorithms leaves out the settings") {
  const auto plan = valid(std::string(kTwo) + "[[sweep.exclude]]\nwhere = {clients = 5}");
  CHECK(plan.settings() == 4);
  CHECK(plan.excluded() == 2);
  CHECK(plan.left_out() == 0);
}

TEST_CASE("an algorithm need not be able to do what the settings that are without it ask for") {
  const std::string ring =
      std::string(kTwo) + "\"network.topology\" = [\"star\", { kind = \"ring\" }]\n";
  INFO(errors(ring));
  CHECK_FALSE(errors(ring).empty());
  CHECK(errors(ring + "[[sweep.exclude]]\nalgorithm = [\"echo\", \"hct-central\"]\n"
                      "where = { topology = \"ring\" }")
            .empty());
}

TEST_CASE("exclusions are refused with what they should be") {
  const auto error = [](const std::string& exclusion) {
    return errors(std::string(kTwo) + "[[sweep.exclude]]\n" + exclusion);
  };
  CHECK_THAT(
      error("algorithm = \"ekko\"\nwhere = {clients = 5}"),
      Contains("is not an algorithm of this scenario") && Contains("allowed: echo, hct-central"));
  CHECK_THAT(error("algorithm = 7\nwhere = {clients = 5}"),
             Contains("is not an algorithm of this scenario"));
  CHECK_THAT(error("algorithm = \"echo\""), Contains("has no `where`"));
  CHECK_THAT(error("algorithm = \"echo\"\nwhere = 3"), Contains("is neither an expression nor"));
  CHECK_THAT(error("where = {clients = 4}"), Contains("is not one of the sweep's values"));
  CHECK_THAT(error("where = {client = 5}"), Contains("is a key that doesn't vary"));
  CHECK_THAT(error("where = \"clients >\""), Contains("sweep.exclude.where: can't be understood"));
  CHECK_THAT(error("where = \"clients > 0\""), Contains("excludes all 6 settings"));
  CHECK_THAT(error("algorithm = \"echo\"\nwhere = \"clients > 0\""),
             Contains("leaves out an algorithm in every setting"));
  CHECK_THAT(error("where = {clients = 5}\nwhen = 3"), Contains("unknown key"));
  CHECK_THAT(errors("[sweep]\nexclude = 5\n\"population.clients\" = [1, 2]"),
             Contains("sweep.exclude: is not a list of tables"));
}

TEST_CASE("a sweep may not vary labels") {
  CHECK_THAT(errors("[sweep]\n\"algorithm.0.label\" = [\"a\", \"b\"]"),
             Contains("sweep.algorithm.0.label: varies a label"));
}

}  // namespace posse::test_sweep_plan
