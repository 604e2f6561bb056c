// SPDX-License-Identifier: Apache-2.0
// Averages over a key, against hand-made numbers.
#include <catch2/catch.hpp>

#include "program/compare/main_effects.hpp"

namespace posse::test_main_effects {
namespace {

constexpr std::size_t kRegret = 0;

/// A setting with an algorithm's regrets by repetition.
void add(Study& study, SettingKeys keys, const std::vector<double>& regrets) {
  for (std::size_t r = 0; r < regrets.size(); ++r) {
    Finals finals;
    finals[kRegret] = regrets[r];
    study.add(study.keys.size(), 0, {std::to_string(r), true, finals, {}, {}});
  }
  study.settings.push_back(std::to_string(study.keys.size()));
  study.keys.push_back(std::move(keys));
}

}  // namespace

TEST_CASE("a key's average is that of each repetition over the settings of the other keys") {
  Study study;
  study.algorithms = {"a"};
  add(study, {{"c", "1"}, {"l", "x"}}, {1, 3});
  add(study, {{"c", "2"}, {"l", "x"}}, {5, 7});
  add(study, {{"c", "1"}, {"l", "y"}}, {3, 5});
  add(study, {{"c", "2"}, {"l", "y"}}, {7, 13});
  const auto effect = main_effects(study, {"c"}, kRegret).of[0];
  CHECK(effect.contexts == 2);
  CHECK(effect.left_out == 0);
  REQUIRE(effect.levels.size() == 2);
  CHECK(effect.levels[0].value == "1");
  // Repetition 0: (1 + 3) / 2, repetition 1: (3 + 5) / 2.
  CHECK(effect.levels[0].mean.n == 2);
  CHECK(effect.levels[0].mean.mean == 3);
  CHECK(effect.levels[1].mean.mean == 8);
  CHECK(effect.levels[1].mean.min == 6);
}

TEST_CASE("settings that one value of a key lacks are in no average") {
  Study study;
  study.algorithms = {"a"};
  add(study, {{"c", "1"}, {"l", "x"}}, {1, 1});
  add(study, {{"c", "2"}, {"l", "x"}}, {2, 2});
  add(study, {{"c", "1"}, {"l", "y"}}, {100, 100});  // would make "1" look bad
  const auto effect = main_effects(study, {"c"}, kRegret).of[0];
  CHECK(effect.contexts == 1);
  CHECK(effect.left_out == 1);
  CHECK(effect.levels[0].mean.mean == 1);
  CHECK(effect.levels[1].mean.mean == 2);
  const auto none = main_effects(study, {"l"}, kRegret).of[0];
  CHECK(none.levels.size() == 2);  // with c = 1
  study.keys[1]["l"] = "z";
  CHECK(main_effects(study, {"c"}, kRegret).of[0].levels.empty());
}

TEST_CASE("keys that change together are one dimension of an average") {
  Study study;
  study.algorithms = {"a"};
  add(study, {{"c", "1"}, {"quorum", "1"}}, {1});
  add(study, {{"c", "2"}, {"quorum", "2"}}, {2});
  CHECK(main_effects(study, {"c"}, kRegret).of[0].levels.empty());
  CHECK(main_effects(study, {"c", "quorum"}, kRegret).of[0].levels.size() == 2);
}

TEST_CASE("algorithms are averaged over the settings that all of them have") {
  Study study;
  study.algorithms = {"a", "b"};
  add(study, {{"c", "1"}, {"l", "x"}}, {1});
  add(study, {{"c", "2"}, {"l", "x"}}, {2});
  add(study, {{"c", "1"}, {"l", "y"}}, {100});
  add(study, {{"c", "2"}, {"l", "y"}}, {200});
  for (const std::size_t s : {0, 1}) {  // b lacks l = y, where everything costs more
    Finals finals;
    finals[kRegret] = 10;
    study.add(s, 1, {"0", true, finals, {}, {}});
  }
  const auto effects = main_effects(study, {"c"}, kRegret);
  CHECK(effects.in_common);
  CHECK(effects.of[0].contexts == 1);
  CHECK(effects.of[0].left_out == 1);
  CHECK(effects.of[0].levels[1].mean.mean == 2);
  CHECK(effects.of[1].levels[1].mean.mean == 10);
  // Without any in common each has its own, and says so.
  for (const std::size_t s : {0, 1}) study.cells.erase({s, 0});
  const auto apart = main_effects(study, {"c"}, kRegret);
  CHECK_FALSE(apart.in_common);
  CHECK(apart.of[0].levels[1].mean.mean == 200);
}

TEST_CASE("repetitions that a setting lacks are in no average") {
  Study study;
  study.algorithms = {"a"};
  add(study, {{"c", "1"}, {"l", "x"}}, {1, 3});
  add(study, {{"c", "1"}, {"l", "y"}}, {3});
  add(study, {{"c", "2"}, {"l", "x"}}, {5, 5});
  add(study, {{"c", "2"}, {"l", "y"}}, {7, 7});
  const auto effect = main_effects(study, {"c"}, kRegret).of[0];
  CHECK(effect.levels[0].mean.n == 1);
  CHECK(effect.levels[0].mean.mean == 2);
  CHECK(effect.levels[1].mean.n == 2);
}

}  // namespace posse::test_main_effects
