// SPDX-License-Identifier: Apache-2.0
// Finished runs to compare, arranged by setting and algorithm.
//
// A setting is what runs of one algorithm differ in: keys of the scenario and parameters of the
// algorithm. It is named by the values of these keys: "200 ms, 5 % loss".
// Repetitions are paired by their seeds: equal seeds have common random numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/role/protocol.hpp"
#include "program/base/quantities.hpp"
#include "program/base/statistics.hpp"
#include "program/base/warning.hpp"

namespace posse {

/// Keys of a scenario with their values as text: "network.latency.value": "200 ms".
using SettingKeys = std::map<std::string, std::string>;

/// Where a finished run is: the number of its repetition in its folder. Without a folder, in memory
/// or in a table only.
struct RunPlace {
  std::filesystem::path folder;
  std::uint32_t repetition = 0;
};

/// What comparisons take of a run.
struct StudyRun {
  std::string seed;  // of the repetition
  bool finished = false;
  Finals finals;  // compared only if it finished
  ComparisonFacts facts;
  std::vector<Warning> warnings;
};

/// Finite values by number of the repetition; nothing of those without one.
using RunValues = std::map<std::uint32_t, double>;
Statistics statistics_of(const RunValues& values);

/// The runs of one algorithm in one setting, by the study's numbers of their seeds.
struct StudyCell {
  std::map<std::uint32_t, Finals> finished;
  std::map<std::uint32_t, RunPlace> places;  // of the finished runs, if they have any
  std::map<std::uint32_t, RunPlace> unfinished_places;
  std::size_t unfinished = 0;
  ComparisonFacts facts;
  CountedWarnings warnings;  // of the finished runs

  /// Those of a quantity.
  RunValues values(std::size_t quantity) const;
};

struct Study {
  std::string name;
  std::string conditions;               // of all runs, where they are known
  std::vector<std::string> settings;    // names, in the order of the arguments or the plan
  std::vector<std::string> algorithms;  // labels
  std::map<std::pair<std::size_t, std::size_t>, StudyCell> cells;  // by setting, algorithm
  std::vector<SettingKeys> keys;  // of each setting: those in which settings differ
  std::map<std::string, std::uint32_t> repetitions;  // by seed, from 0 in the order of their coming
  bool self_stopped = false;  // the numbers of repetitions were chosen by their results

  /// The number of the repetition with this seed, which is the next one if it is new.
  std::uint32_t repetition_of(const std::string& seed);
  /// False if there is a finished run of this seed.
  bool add(std::size_t setting,
           std::size_t algorithm,
           const StudyRun& run,
           const RunPlace& place = {});
  /// Of a run, finished or not; null if it has none.
  const RunPlace* place(std::size_t setting, std::size_t algorithm, std::uint32_t repetition) const;
  const StudyCell* find(std::size_t setting, std::size_t algorithm) const;
  /// kQuantities, then the own quantities of its runs (sort_quantities).
  std::vector<std::size_t> quantities() const;
};

}  // namespace posse
