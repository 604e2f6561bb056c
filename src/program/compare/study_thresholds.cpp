// SPDX-License-Identifier: Apache-2.0
#include "program/compare/study_thresholds.hpp"

#include <fmt/format.h>

namespace posse {

std::vector<ThresholdVerdict> judge_study(const std::vector<Threshold>& thresholds,
                                          const Study& study) {
  std::vector<ThresholdVerdict> verdicts;
  for (const auto& threshold : thresholds)
    for (std::size_t s = 0; s < study.settings.size(); ++s)
      for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
        const auto& label = study.algorithms[a];
        const StudyCell* cell = study.find(s, a);
        if (cell == nullptr || threshold.algorithm.value_or(label) != label) continue;
        ThresholdValues values;
        for (std::size_t q = 0; q < kQuantities.size(); ++q)
          if (kQuantities[q].name == threshold.measure)
            for (const auto& [seed, finals] : cell->finished)
              if (finals[q]) values.values.push_back(*finals[q]);
        const auto& setting = study.settings[s];
        verdicts.push_back(judge(
            threshold, setting.empty() ? label : fmt::format("{}, {}", label, setting), values));
      }
  return verdicts;
}

}  // namespace posse
