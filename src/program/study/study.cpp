// SPDX-License-Identifier: Apache-2.0
#include "program/study/study.hpp"

namespace posse {

bool StudyCell::add(const std::string& seed,
                    const std::optional<Finals>& finals,
                    const ComparisonFacts& of_run,
                    const std::vector<Warning>& warnings_of_run) {
  facts = of_run;
  if (!finals) {
    ++unfinished;
    return true;
  }
  if (!finished.emplace(seed, *finals).second) return false;
  warnings.add(warnings_of_run);
  return true;
}

const StudyCell* Study::find(std::size_t setting, std::size_t algorithm) const {
  const auto it = cells.find({setting, algorithm});
  return it == cells.end() ? nullptr : &it->second;
}

}  // namespace posse
