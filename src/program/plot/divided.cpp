// SPDX-License-Identifier: Apache-2.0
#include "program/plot/divided.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "program/base/text.hpp"
#include "program/plot/setting_axis.hpp"
#include "program/sweep/setting_names.hpp"
#include "program/sweep/setting_runs.hpp"

namespace posse {

Cells all_cells(const Study& study) {
  Cells cells;
  for (const auto& [at, cell] : study.cells) cells.insert(at);
  return cells;
}

Division divide(const Study& study, const std::string& by) {
  Division division;
  if (by == kAlgorithms) {
    for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
      Cells cells;
      for (const auto& at : all_cells(study))
        if (at.second == a) cells.insert(at);
      if (cells.empty()) continue;
      division.names.push_back(study.algorithms[a]);
      division.cells.push_back(std::move(cells));
    }
    return division;
  }
  const auto key = key_named(study, by);
  const auto axis = setting_axis(study, key);
  std::map<double, Cells> by_value;
  std::map<double, SettingKeys> key_of;
  for (const auto& at : all_cells(study))
    if (const auto& value = axis.at[at.first]) {
      by_value[*value].insert(at);
      key_of[*value] = {{key, study.keys[at.first].at(key)}};
    }
  std::vector<SettingKeys> keys;
  for (auto& [value, cells] : by_value) {
    keys.push_back(key_of.at(value));
    division.cells.push_back(std::move(cells));
  }
  division.names = keys.size() == 1 ? std::vector{key_label(key) + " " + keys.front().at(key)}
                                    : setting_names(keys);
  division.common_keys = keys_in_step(study.keys, key);
  division.common_keys.push_back(key);
  return division;
}

std::vector<std::string> divisors(const Study& study, const std::string& x) {
  const auto differing = differing_keys(study.keys);
  std::vector<std::string> keys(differing.begin(), differing.end());
  // Names that somebody made up stand for the keys they set.
  std::ranges::stable_partition(keys, [](const auto& key) { return key.find('.') == key.npos; });
  std::set<std::string> covered{x};
  if (!x.empty())
    for (auto& key : keys_in_step(study.keys, x)) covered.insert(std::move(key));
  std::vector<std::string> chosen;
  for (const auto& key : keys) {
    if (!covered.insert(key).second) continue;
    for (auto& other : keys_in_step(study.keys, key)) covered.insert(std::move(other));
    chosen.push_back(key);
  }
  if (study.algorithms.size() > 1) chosen.emplace_back(kAlgorithms);
  return chosen;
}

std::set<std::size_t> chosen_algorithms(const Study& study, const std::string& choice) {
  std::set<std::size_t> chosen;
  if (choice.empty()) {
    for (std::size_t a = 0; a < study.algorithms.size(); ++a) chosen.insert(a);
    return chosen;
  }
  for (const auto& pattern : comma_separated(choice)) {
    bool found = false;
    for (std::size_t a = 0; a < study.algorithms.size(); ++a)
      if (fnmatch(pattern.c_str(), study.algorithms[a].c_str(), 0) == 0) {
        chosen.insert(a);
        found = true;
      }
    if (!found)
      throw std::invalid_argument(fmt::format(
          "the runs have no algorithm '{}'{}", pattern, allowed_names(pattern, study.algorithms)));
  }
  return chosen;
}

}  // namespace posse
