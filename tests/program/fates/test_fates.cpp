// SPDX-License-Identifier: Apache-2.0
// Every fate of a small scenario, for every algorithm.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "program/fates/fates.hpp"
#include "program/scenario/catalog.hpp"

namespace posse::test_fates {
namespace {

/// Three clients or arms, a few rounds.
std::string small_scenario(const AlgorithmSpec& spec, const std::string& transport) {
  std::string text = fmt::format(R"(seed = 3
[[algorithm]]
kind = "{}"
)",
                                 spec.kind);
  if (spec.kind == "echo") text += "rounds = 2\n";
  const bool one_client =
      spec.kind == "poo" || spec.kind == "gpo" || spec.kind == "pct" || spec.kind == "vpct";
  if (!spec.needs_arms)
    text += fmt::format(R"([population]
clients = {}
)",
                        one_client ? 1 : 3);
  if (spec.needs_problem)
    text += R"([objective]
kind = "sine"
[budget]
evaluations_per_client = 12
)";
  const bool rewards = spec.kind.starts_with("sgd-ucb") || spec.kind == "rucb-median";
  if (spec.needs_arms)
    text += fmt::format(R"([budget]
pulls = {}
[[arm]]
kind = "{}"
)",
                        rewards ? 30 : 8,
                        rewards ? "rewards" : "smooth");
  return text + fmt::format(R"([network]
latency = "10 ms"
transport = "{}"
)",
                            transport);
}

}  // namespace

TEST_CASE("no single loss, delay or crash breaks what every run must keep to", "[long]") {
  std::uint64_t schedules = 0;
  for (const auto* spec : algorithms())
    for (const char* transport : {"reliable", "datagram"}) {
      const auto report = every_fate(small_scenario(*spec, transport), {60, 1});
      INFO(spec->kind << ", " << transport << "\n"
                      << small_scenario(*spec, transport) << report.mistakes << "\n"
                      << report.counterexample);
      CHECK(report.mistakes.empty());
      CHECK_FALSE(report.violation.has_value());
      schedules += report.schedules;
    }
  CHECK(schedules > 2000);
}

TEST_CASE("no single loss, delay or crash breaks an exchange of the parallel bandit") {
  const auto* parallel = find_algorithm("parallel");
  for (const char* exchange : {"relay", "ring", "tree", "doubling"})
    for (const char* sums : {"gathered", "exact"}) {
      auto text = small_scenario(*parallel, "reliable");
      const std::string kind = "kind = \"parallel\"\n";
      text.replace(text.find(kind),
                   kind.size(),
                   fmt::format("{}exchange = \"{}\"\nsums = \"{}\"\n", kind, exchange, sums));
      const auto report = every_fate(text, {60, 1});
      INFO(text << report.mistakes << "\n" << report.counterexample);
      CHECK(report.mistakes.empty());
      CHECK_FALSE(report.violation.has_value());
      CHECK(report.schedules > 20);
    }
}

TEST_CASE("no single loss, delay or crash breaks gossip") {
  auto text = small_scenario(*find_algorithm("parallel"), "reliable");
  const std::string kind = "kind = \"parallel\"\n";
  text.replace(text.find(kind), kind.size(), kind + "exchange = \"gossip\"\n");
  const auto report = every_fate(text, {60, 1});
  INFO(text << report.mistakes << "\n" << report.counterexample);
  CHECK(report.mistakes.empty());
  CHECK_FALSE(report.violation.has_value());
  CHECK(report.schedules > 20);
}

TEST_CASE("no single loss, delay or crash changes what rounded means decide") {
  for (const char* kind : {"parallel", "fed-pne"}) {
    auto text = small_scenario(*find_algorithm(kind), "reliable");
    const auto line = fmt::format("kind = \"{}\"\n", kind);
    text.replace(text.find(line), line.size(), line + "means = \"u8\"\n");
    const auto report = every_fate(text, {60, 1});
    INFO(text << report.mistakes << "\n" << report.counterexample);
    CHECK(report.mistakes.empty());
    CHECK_FALSE(report.violation.has_value());
    CHECK(report.schedules > 20);
  }
}

TEST_CASE("no single loss, delay or crash breaks a hierarchy") {
  const auto* fed_pne = find_algorithm("fed-pne");
  for (const char* transport : {"reliable", "datagram"})
    for (const char* sums : {"gathered", "exact"}) {
      auto text = small_scenario(*fed_pne, transport);
      const std::string kind = "kind = \"fed-pne\"\n";
      text.replace(
          text.find(kind), kind.size(), fmt::format("{}edges = 2\nsums = \"{}\"\n", kind, sums));
      const auto report = every_fate(text, {60, 1});
      INFO(text << report.mistakes << "\n" << report.counterexample);
      CHECK(report.mistakes.empty());
      CHECK_FALSE(report.violation.has_value());
      CHECK(report.schedules > 20);
    }
}

TEST_CASE("the fates of a scenario are explored up to a depth, the shortest first") {
  const std::string text =
      R"(seed = 1
[[algorithm]]
kind = "echo"
rounds = 1
[population]
clients = 1
[network]
latency = "10 ms"
transport = "reliable"
)";
  const auto one = every_fate(text, {1000, 1});
  CHECK(one.complete);
  CHECK(one.reached == 1);
  // A request and a reply may be lost; each node may crash when it sends or hears something.
  CHECK(one.deviations.at("loss") == 2);
  CHECK(one.deviations.at("crash") >= 3);
  CHECK(one.deviations.at("crash, state lost") >= 1);
  const auto two = every_fate(text, {1000, 2});
  CHECK(two.reached == 2);
  CHECK(two.schedules > 3 * one.schedules);
  CHECK_FALSE(every_fate(text, {20, 2}).complete);
  CHECK_FALSE(every_fate("seed = ", {}).mistakes.empty());
}

}  // namespace posse::test_fates
