// SPDX-License-Identifier: Apache-2.0
// The shipped scenarios, for tests that run them all.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "program/reproduce/figures.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/support/test_data.hpp"

namespace posse::test {

struct ShippedScenario {
  std::string file;
  std::vector<Override> overrides;  // where its data are; a smaller run of a paper's figure
  bool dear = false;                // even so, or since it starts programs
};

/// Sorted by name, with two repetitions. Figures of papers that have a quick run are made smaller
/// still: 3 clients, 200 evaluations each. Those whose data the repository doesn't hold are
/// left out unless POSSE_TEST_DATA has them. Of 256 players there are 32, unless `whole`.
inline std::vector<ShippedScenario> shipped_scenarios(bool whole = false) {
  std::vector<ShippedScenario> scenarios;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(POSSE_SOURCE_DIR) + "/scenarios"))
    if (entry.path().extension() == ".toml")
      scenarios.push_back({entry.path().string(), {{"test", "repeat=2"}}});
  for (auto& scenario : scenarios) {  // of a sweep the scenario without it
    const auto text = text_of(scenario.file);
    if (text.find("\n[sweep]") != std::string::npos)
      scenario.overrides.push_back({"test", "sweep="});
    scenario.dear = text.find("\nkind = \"external\"") != std::string::npos;
    if (whole || !scenario.file.ends_with("communication/topologies.toml")) continue;
    for (int algorithm = 24; algorithm < 32; ++algorithm)
      scenario.overrides.push_back(
          {"test", "algorithm." + std::to_string(algorithm) + ".clients=32"});
  }
  struct Missing {
    std::string file, key, folder;
  };
  for (const Missing& data : {Missing{"landmine.csv", "objective.file", "landmine/"},
                              Missing{"cifar100_ucb2.csv", "arm.0.file", "curves/"},
                              Missing{"digits.csv", "arm.0.file", "digits/"}})
    std::erase_if(scenarios, [&](ShippedScenario& scenario) {
      if (text_of(scenario.file).find("\nfile = \"" + data.file + "\"") == std::string::npos)
        return false;
      const auto path = test_data(data.folder + data.file);
      if (path) scenario.overrides.push_back({"POSSE_TEST_DATA", data.key + "=\"" + *path + "\""});
      return !path;
    });
  for (const auto& figure : paper_figures())
    for (auto& scenario : scenarios) {
      const bool is_its = scenario.file.ends_with("/" + std::string(figure.scenario));
      const bool is_quick = !figure.sweep && !figure.quick.empty() &&
                            figure.quick.front().starts_with("budget.evaluations_per_client");
      if (!is_its || !is_quick || scenario.dear) continue;  // several may share one
      scenario.dear = true;
      for (const auto* assignment : {"population.clients=3", "budget.evaluations_per_client=200"})
        scenario.overrides.push_back({"test", assignment});
    }
  std::sort(scenarios.begin(), scenarios.end(), [](const auto& a, const auto& b) {
    return a.file < b.file;
  });
  return scenarios;
}

}  // namespace posse::test
