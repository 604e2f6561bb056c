// SPDX-License-Identifier: Apache-2.0
// The section [sweep]: which settings a file has, and what is wrong with others.
#include <catch2/catch.hpp>
#include <set>

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

}  // namespace posse::test_sweep_plan
