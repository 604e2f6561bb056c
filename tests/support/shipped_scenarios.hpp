// SPDX-License-Identifier: Apache-2.0
// The shipped scenarios, for tests that run them all.
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/reproduce/claims_file.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/support/test_data.hpp"

namespace posse::test {

struct ShippedScenario {
  std::string file;
  std::vector<Override> overrides;  // where its data are; a smaller run of a paper's figure
  bool dear = false;                // even so, or since it starts programs
};

/// Sorted by name, with two repetitions. Figures of papers that have a quick run are made smaller
/// still: 3 clients, 200 evaluations each, and FN-UCB's nets, whose weights the dimensions
/// multiply, have 5 units in place of 20. Of 256 players there are 32, unless `whole`. Without
/// those whose data the repository doesn't hold.
inline std::vector<ShippedScenario> shipped_scenarios(bool whole = false);

/// The shipped scenarios on data that the repository doesn't hold.
struct OthersData {
  std::vector<ShippedScenario> scenarios;  // those whose data POSSE_TEST_DATA has
  std::string missing;                     // a file that it lacks

  /// To be called last.
  void skip_what_is_missing() const {
    if (!missing.empty()) skip_for_want_of_data(missing);
  }
};
inline OthersData scenarios_on_others_data();

namespace detail {

/// The file below POSSE_TEST_DATA that a scenario reads, and the key that names it.
struct DataOfOthers {
  std::string file, key, folder;
};

inline std::optional<DataOfOthers> data_of_others(const std::string& scenario) {
  for (const DataOfOthers& data : {DataOfOthers{"landmine.csv", "objective.file", "landmine/"},
                                   DataOfOthers{"cifar100_ucb2.csv", "arm.0.file", "curves/"},
                                   DataOfOthers{"digits.csv", "arm.0.file", "digits/"}})
    if (text_of(scenario).find("\nfile = \"" + data.file + "\"") != std::string::npos) return data;
  return std::nullopt;
}

inline std::vector<ShippedScenario> all_shipped_scenarios(bool whole) {
  std::vector<ShippedScenario> scenarios;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(POSSE_SOURCE_DIR) + "/scenarios"))
    if (entry.path().extension() == ".toml" && entry.path().parent_path().filename() != "claims")
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
  Diagnostics none;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(POSSE_SOURCE_DIR) +
                                                               "/scenarios/papers/claims"))
    for (const auto& figure : load_claims(entry.path().string(), none).figures)
      for (auto& scenario : scenarios) {
        const bool is_its = scenario.file == figure.file;
        const bool is_quick = !figure.quick.empty() &&
                              figure.quick.front().starts_with("budget.evaluations_per_client");
        if (!is_its || !is_quick || scenario.dear) continue;  // several may share one
        scenario.dear = true;
        for (const auto* assignment : {"population.clients=3", "budget.evaluations_per_client=200"})
          scenario.overrides.push_back({"test", assignment});
        if (scenario.file.ends_with("/pf_pne_rastrigin.toml"))
          scenario.overrides.push_back({"test", "algorithm.4.width=5"});
      }
  std::sort(scenarios.begin(), scenarios.end(), [](const auto& a, const auto& b) {
    return a.file < b.file;
  });
  return scenarios;
}

}  // namespace detail

inline std::vector<ShippedScenario> shipped_scenarios(bool whole) {
  auto scenarios = detail::all_shipped_scenarios(whole);
  std::erase_if(scenarios, [](const auto& scenario) {
    return detail::data_of_others(scenario.file).has_value();
  });
  return scenarios;
}

inline OthersData scenarios_on_others_data() {
  OthersData found;
  for (auto& scenario : detail::all_shipped_scenarios(false))
    if (const auto data = detail::data_of_others(scenario.file)) {
      const auto file = data->folder + data->file;
      if (const auto path = find_test_data(file)) {
        scenario.overrides.push_back({"POSSE_TEST_DATA", data->key + "=\"" + *path + "\""});
        found.scenarios.push_back(std::move(scenario));
      } else {
        found.missing = file;
      }
    }
  return found;
}

}  // namespace posse::test
