// SPDX-License-Identifier: Apache-2.0
// The generator of random scenarios.
#include <catch2/catch.hpp>
#include <map>

#include "program/fates/features.hpp"
#include "program/scenario/scenario_tree.hpp"
#include "tests/chaos/random_scenario.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_random_scenario {

TEST_CASE("a seed of chaos always gives the same scenario, another seed another one") {
  CHECK(random_scenario(17) == random_scenario(17));
  CHECK(random_scenario(17) != random_scenario(18));
  CHECK(test::read_valid(random_scenario(17)).seed == 17);
}

TEST_CASE("random scenarios are valid and reach every algorithm and every feature", "[long]") {
  constexpr std::uint64_t kMost = 6000;
  std::map<std::string, std::uint64_t> reached;
  const auto names = all_features();
  for (std::uint64_t seed = 100'000; seed < 100'000 + kMost && reached.size() < names.size();
       ++seed) {
    INFO("seed " << seed);
    const Trial trial = make_trial(random_scenario(seed));
    REQUIRE(trial.mistakes.empty());
    for (const auto& name : features_of(trial)) ++reached[name];
  }
  for (const auto& name : names) {
    INFO(name);
    CHECK(reached[name] > 0);
  }
}

TEST_CASE("a scenario's tree written as TOML reads as the same tree") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string text = random_scenario(seed);
    Diagnostics diagnostics;
    CHECK(toml_text(parse_toml(text, "chaos.toml", diagnostics)) == text);
    CHECK(diagnostics.empty());
  }
}

}  // namespace posse::test_random_scenario
