// SPDX-License-Identifier: Apache-2.0
// Scenarios: TOML with overrides, read and checked as `posse check` does.
//
// Lines `#! KEY=VALUE` are the overrides, as given to --set; TOML takes them for comments.
#include "program/scenario/scenario.hpp"

#include <string>
#include <vector>

#include "program/scenario/scenario_tree.hpp"
#include "program/sweep/run_key.hpp"
#include "tests/fuzz/sandbox.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {
namespace {

std::vector<std::string> overrides_in(std::string_view text) {
  std::vector<std::string> overrides;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = text.substr(at, end - at);
    if (line.starts_with("#! ")) overrides.emplace_back(line.substr(3));
    at = end + 1;
  }
  return overrides;
}

/// Every mistake says where and what.
void check(const Diagnostics& diagnostics) {
  for (const auto& mistake : diagnostics.all()) {
    require(!mistake.location.file.empty(), "a mistake has a location");
    require(!mistake.problem.empty(), "a mistake says what is wrong");
  }
  require(diagnostics.sorted().size() == diagnostics.all().size(), "no mistake is lost");
  require(!diagnostics.text().empty(), "mistakes have a text");
}

}  // namespace

void fuzz_scenario(std::string_view input) {
  static const Sandbox sandbox;
  if (input.size() > kLargestScenarioBytes || input.find('\0') != std::string_view::npos) return;
  const std::string file = (sandbox.path() / "scenario.toml").string();
  Diagnostics diagnostics;
  Value root = parse_toml(input, file, diagnostics);
  if (!diagnostics.empty()) return check(diagnostics);
  for (const auto& assignment : overrides_in(input))
    apply_override(root, assignment, "--set", diagnostics);
  if (names_outside_files(root)) return;
  Diagnostics mistakes_in_tree;
  const Value again = parse_toml(toml_text(root), file, mistakes_in_tree);
  require(mistakes_in_tree.empty(), "a tree as text is TOML");
  require(toml_text(again) == toml_text(root), "a tree as text is the same tree");

  const Scenario scenario = read_scenario(root, file, diagnostics);
  if (!diagnostics.empty()) return check(diagnostics);
  Scenario resolved = scenario;
  const std::string text = to_toml(scenario);
  Value tree = parse_toml(text, file, diagnostics);
  require(diagnostics.empty(), "a resolved scenario is TOML");
  // In a run folder the files are beside the scenario.
  for (const auto& stored : scenario.inputs.files()) sandbox.write(stored.stored, *stored.content);
  const Scenario second = read_scenario(tree, file, diagnostics);
  if (!diagnostics.empty()) throw Broken("a resolved scenario is refused:\n" + diagnostics.text());
  require(to_toml(second) == text, "a resolved scenario, read again, is the same");
  for (std::size_t i = 0; i < scenario.algorithms.size(); ++i)
    require(RunKeys(scenario, scenario.algorithms[i]).of(0) ==
                RunKeys(second, second.algorithms[i]).of(0),
            "a resolved scenario has the same runs");
  for (const auto& entry : scenario.algorithms) {
    const Scenario one = single_run(scenario, entry, 0);
    for (const auto& stored : one.inputs.files()) sandbox.write(stored.stored, *stored.content);
    const Value tree_of_one = parse_toml(to_toml(one), file, diagnostics);
    require(diagnostics.empty(), "a single run is TOML");
    const Scenario alone = read_scenario(tree_of_one, file, diagnostics);
    if (!diagnostics.empty())
      throw Broken("a single run is refused:\n" + diagnostics.text() + to_toml(one));
    require(RunKeys(alone, alone.algorithms.front()).of(0) == RunKeys(scenario, entry).of(0),
            "a single run is the run that it was");
  }
}

}  // namespace posse::fuzz
