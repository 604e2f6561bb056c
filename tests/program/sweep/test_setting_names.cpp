// SPDX-License-Identifier: Apache-2.0
// Names of settings by what they differ in.
#include <catch2/catch.hpp>

#include "program/scenario/diagnostics.hpp"
#include "program/sweep/setting_names.hpp"

namespace posse::test_setting_names {
using Names = std::vector<std::string>;

TEST_CASE("settings are named by the values in which they differ, with words or units") {
  CHECK(setting_names({{{"network.latency", "20 ms"}, {"network.loss", "0"}},
                       {{"network.latency", "200 ms"}, {"network.loss", "0.05"}}}) ==
        Names{"20 ms, no loss", "200 ms, 5 % loss"});
  CHECK(setting_names({{{"population.clients", "1"}}, {{"population.clients", "50"}}}) ==
        Names{"1 client", "50 clients"});
  CHECK(setting_names({{{"budget.evaluations_per_client", "10"}},
                       {{"budget.evaluations_per_client", "20"}}}) ==
        Names{"10 evaluations", "20 evaluations"});
  CHECK(setting_names(
            {{{"server.policy", "all"}}, {{"server.policy", "quorum"}, {"server.quorum", "3"}}}) ==
        Names{"policy all", "policy quorum, quorum 3"});
  CHECK(setting_names({{{"network.duplication", "0.1"}}, {{"network.duplication", "0.0"}}}) ==
        Names{"10 % duplication", "no duplication"});
}

TEST_CASE("what all settings share is not in their names") {
  CHECK(setting_names({{{"a.c", "1"}, {"a.d", "2"}}, {{"a.c", "1"}, {"a.d", "3"}}}) ==
        Names{"d 2", "d 3"});
  CHECK(setting_names({{{"a.c", "1"}}}) == Names{""});
}

TEST_CASE("long numbers are short in names as long as that tells them apart") {
  CHECK(setting_names({{{"a.rho", "0.455555555556"}}, {{"a.rho", "0.5"}}}) ==
        Names{"rho 0.4556", "rho 0.5"});
  CHECK(setting_names({{{"a.rho", "0.455555555556"}}, {{"a.rho", "0.455555555557"}}}) ==
        Names{"rho 0.455555555556", "rho 0.455555555557"});
}

TEST_CASE("components are named by their kinds where these differ") {
  CHECK(setting_names({{{"network.latency.kind", "constant"}, {"network.latency.value", "20 ms"}},
                       {{"network.latency.kind", "exponential"},
                        {"network.latency.mean", "40 ms"},
                        {"network.latency.floor", "10 ms"}}}) ==
        Names{"20 ms", "exponential 40 ms"});
  CHECK(setting_names({{{"network.loss.kind", "none"}},
                       {{"network.loss.kind", "bernoulli"}, {"network.loss.p", "0.1"}}}) ==
        Names{"no loss", "10 % loss"});
  CHECK(setting_names({{{"objective.kind", "garland"}}, {{"objective.kind", "sine"}}}) ==
        Names{"objective garland", "objective sine"});
}

TEST_CASE("keys with the same last word are told apart, and so are settings without a word") {
  CHECK(setting_names({{{"a.c", "1"}, {"b.c", "5"}}, {{"a.c", "2"}, {"b.c", "6"}}}) ==
        Names{"a.c 1, b.c 5", "a.c 2, b.c 6"});
  CHECK(setting_names({{{"x.kind", "u"}, {"x.y", "1"}},
                       {{"x.kind", "v"}, {"x.y", "1"}},
                       {{"x.kind", "v"}, {"x.y", "2"}}}) == Names{"x u", "x v #1", "x v #2"});
}

TEST_CASE("runs are told apart by the keys in which they differ, else by their main ones") {
  const auto keys_of = [](const std::string& text) {
    Diagnostics diagnostics;
    const auto keys = scenario_keys(parse_toml(text, "test.toml", diagnostics));
    CHECK(diagnostics.empty());
    return keys;
  };
  const std::string rest =
      R"([budget]
evaluations_per_client = 50
[network]
loss = { kind = "bernoulli", p = 0.1 }
)";
  const std::string one = R"(name = "a"
seed = 1
[[algorithm]]
kind = "hoo"
nu1 = 1.0
)";
  const auto first = keys_of(one + rest);
  CHECK(run_parameters({}) == Names{});
  CHECK(run_parameters({first, keys_of("seed = 2\n" + one.substr(one.find("[[")) + rest)}) ==
        Names{"hoo, 50 evaluations, 10 % loss", "hoo, 50 evaluations, 10 % loss"});
  auto other = one + R"([[algorithm]]
kind = "hct"
label = "local"
)" + rest;
  other.replace(other.find("1.0"), 3, "2.0");
  CHECK(run_parameters({first, keys_of(other), first}) == Names{"nu1 1.0, algorithms hoo",
                                                                "nu1 2.0, algorithms hoo, local",
                                                                "nu1 1.0, algorithms hoo"});
}

}  // namespace posse::test_setting_names
