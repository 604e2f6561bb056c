// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/setting_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "program/base/files.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/sweep/amount.hpp"
#include "program/sweep/setting_names.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> keys_in(const Study& study) {
  std::set<std::string> keys;
  for (const auto& setting : study.keys)
    for (const auto& [key, value] : setting) keys.insert(key);
  return {keys.begin(), keys.end()};
}

/// Equal texts, or equal amounts: "0.2 s" and "200 ms".
bool same_value(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto x = amount_of_text(a), y = amount_of_text(b);
  if (!x || !y) return false;
  const auto comparable = [](BaseUnit unit) {
    return unit == BaseUnit::share ? BaseUnit::none : unit;
  };
  return x->value == y->value && comparable(x->unit) == comparable(y->unit);
}

/// Reads each folder once.
class RunFolders {
 public:
  const RunData& at(const fs::path& folder) {
    const auto it = runs_.find(folder);
    return it != runs_.end() ? it->second : runs_.emplace(folder, read_run(folder)).first->second;
  }

 private:
  std::map<fs::path, RunData> runs_;
};

/// What is not known of a run alone.
RunData without_algorithms(const RunData& run, const Study& study, std::size_t setting) {
  RunData data = run;
  data.algorithms.clear();
  data.name = study.name;
  data.setting = study.settings[setting];
  if (setting < study.keys.size()) data.keys = study.keys[setting];
  return data;
}

}  // namespace

SettingFilter parse_filter(const std::string& text) {
  const auto at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    throw std::invalid_argument(fmt::format("--where '{}' is not KEY=VALUE, e.g. loss=0.05", text));
  return {text.substr(0, at), text.substr(at + 1)};
}

std::string key_named(const Study& study, const std::string& part) {
  const auto keys = keys_in(study);
  std::vector<std::string> matching;
  for (const auto& key : keys) {
    if (key == part) return key;
    if (key.ends_with("." + part)) matching.push_back(key);
  }
  if (matching.size() == 1) return matching.front();
  if (keys.empty())
    throw std::invalid_argument(
        fmt::format("the runs do not differ in '{}': they differ in no key", part));
  throw std::invalid_argument(
      matching.empty() ? fmt::format("the runs do not differ in '{}'\n    they differ in: {}\n{}",
                                     part,
                                     fmt::join(keys, ", "),
                                     did_you_mean(part, keys))
                       : fmt::format("'{}' may be any of {}", part, fmt::join(matching, ", ")));
}

Study select(const Study& study, const std::vector<SettingFilter>& filters) {
  if (filters.empty()) return study;
  std::vector<std::size_t> kept;
  for (std::size_t s = 0; s < study.settings.size(); ++s) kept.push_back(s);
  for (const auto& filter : filters) {
    const auto key = key_named(study, filter.key);
    std::vector<std::string> values;
    std::erase_if(kept, [&](std::size_t s) {
      const auto value = study.keys[s].find(key);
      if (value == study.keys[s].end()) return true;
      if (std::find(values.begin(), values.end(), value->second) == values.end())
        values.push_back(value->second);
      return !same_value(value->second, filter.value);
    });
    if (kept.empty())
      throw std::invalid_argument(fmt::format(
          "no run has {} = {}\n    there are: {}", key, filter.value, fmt::join(values, ", ")));
  }
  Study part;
  part.algorithms = study.algorithms;
  std::string values;
  for (const auto& filter : filters)
    values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", filter.key, filter.value);
  part.name = fmt::format("{} ({})", study.name, values);
  for (const auto s : kept) {
    for (std::size_t a = 0; a < study.algorithms.size(); ++a)
      if (const auto* cell = study.find(s, a)) part.cells[{part.keys.size(), a}] = *cell;
    part.keys.push_back(study.keys[s]);
  }
  part.settings = setting_names(part.keys);
  return part;
}

std::vector<RunData> read_settings(const Study& study) {
  RunFolders folders;
  std::vector<RunData> settings;
  for (std::size_t s = 0; s < study.settings.size(); ++s) {
    std::optional<RunData> whole;
    for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
      const auto* cell = study.find(s, a);
      if (cell == nullptr || cell->finished.empty()) continue;
      if (cell->places.size() < cell->finished.size())
        throw FileError(study.name, "has tables only: curves need the runs, in the store");
      std::optional<AlgorithmData> algorithm;
      for (const auto& [number, place] : cell->places) {
        const RunData& run = folders.at(place.folder);
        const auto* found = run.find(study.algorithms[a]);
        if (found == nullptr)
          throw FileError(place.folder, "has no algorithm '" + study.algorithms[a] + "'");
        if (!whole) whole = without_algorithms(run, study, s);
        if (!algorithm) {
          algorithm = *found;
          algorithm->repetitions.clear();
        }
        for (const auto& repetition : found->repetitions)
          if (repetition.repetition == place.repetition)
            algorithm->repetitions.push_back(repetition);
      }
      // In their order, from whichever folders they come.
      std::sort(algorithm->repetitions.begin(),
                algorithm->repetitions.end(),
                [](const auto& x, const auto& y) { return x.repetition < y.repetition; });
      whole->algorithms.push_back(std::move(*algorithm));
    }
    if (whole) settings.push_back(std::move(*whole));
  }
  return settings;
}

Study study_of(const RunData& run) {
  Study study;
  study.name = run.name;
  study.settings = {""};
  study.keys.resize(1);
  std::set<std::uint32_t> numbers;
  for (const auto& algorithm : run.algorithms)
    for (const auto& repetition : algorithm.repetitions) numbers.insert(repetition.repetition);
  for (const auto number : numbers) study.repetition_of(fmt::format("{}", number));
  for (std::size_t a = 0; a < run.algorithms.size(); ++a) {
    study.algorithms.push_back(run.algorithms[a].label);
    for (const auto& repetition : run.algorithms[a].repetitions)
      study.add(0, a, {fmt::format("{}", repetition.repetition), true, repetition.finals, {}, {}});
    for (const auto& repetition : run.algorithms[a].unfinished)
      study.add(0, a, {fmt::format("{}", repetition.repetition), false, {}, {}, {}});
  }
  return study;
}

std::string name_in_setting(const std::string& algorithm,
                            bool one_algorithm,
                            const std::string& setting) {
  if (setting.empty()) return algorithm;
  return one_algorithm ? setting : algorithm + ", " + setting;
}

RunData together(const std::vector<RunData>& settings) {
  if (settings.empty()) return {};
  std::set<std::string> labels;
  for (const auto& run : settings)
    for (const auto& algorithm : run.algorithms) labels.insert(algorithm.label);
  RunData all = settings.front();
  all.algorithms.clear();
  for (const auto& run : settings) {
    for (AlgorithmData algorithm : run.algorithms) {
      algorithm.label = name_in_setting(algorithm.label, labels.size() == 1, run.setting);
      all.algorithms.push_back(std::move(algorithm));
    }
    if (run.objective != all.objective) all.objective.clear();
    if (run.noise != all.noise) all.noise.clear();
    if (run.heterogeneity != all.heterogeneity) all.heterogeneity.clear();
  }
  return all;
}

}  // namespace posse
