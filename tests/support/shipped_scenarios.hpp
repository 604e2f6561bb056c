// The scenarios that users get, for tests that run them all.
#pragma once

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "program/reproduce/figures.hpp"
#include "program/scenario.hpp"
#include "tests/support/test_data.hpp"

namespace posse::test {

struct ShippedScenario {
  std::string file;
  std::vector<Override> overrides;  // where its data are; a smaller run of a paper's figure
};

/// Sorted by name. Figures of papers take the size of their quick runs and two repetitions. Those
/// whose data the repository doesn't hold are left out unless POSSE_TEST_DATA has them.
inline std::vector<ShippedScenario> shipped_scenarios() {
  std::vector<ShippedScenario> scenarios;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(POSSE_SOURCE_DIR) + "/scenarios"))
    if (entry.path().extension() == ".toml") scenarios.push_back({entry.path().string(), {}});
  std::erase_if(scenarios, [](ShippedScenario& scenario) {
    if (text_of(scenario.file).find("kind = \"landmine\"") == std::string::npos) return false;
    const auto data = test_data("landmine/landmine.csv");
    if (data) scenario.overrides.push_back({"POSSE_TEST_DATA", "objective.file=\"" + *data + "\""});
    return !data;
  });
  std::set<std::string> shrunk;  // several figures may share a scenario: the first decides
  for (const auto& figure : paper_figures())
    for (auto& scenario : scenarios) {
      const bool is_its = scenario.file.ends_with("/" + std::string(figure.scenario));
      if (!is_its || figure.quick.empty() || !shrunk.insert(scenario.file).second) continue;
      scenario.overrides.push_back({"test", "repeat=2"});
      for (const auto assignment : figure.quick)
        scenario.overrides.push_back({"test", std::string(assignment)});
    }
  std::sort(scenarios.begin(), scenarios.end(), [](const auto& a, const auto& b) {
    return a.file < b.file;
  });
  return scenarios;
}

}  // namespace posse::test
