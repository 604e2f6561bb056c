// SPDX-License-Identifier: Apache-2.0
#include "program/study/study.hpp"

namespace posse {

bool StudyCell::add(const StudyRun& run) {
  facts = run.facts;
  if (!run.finished) {
    ++unfinished;
    return true;
  }
  if (!finished.emplace(run.seed, run.finals).second) return false;
  warnings.add(run.warnings);
  return true;
}

const StudyCell* Study::find(std::size_t setting, std::size_t algorithm) const {
  const auto it = cells.find({setting, algorithm});
  return it == cells.end() ? nullptr : &it->second;
}

}  // namespace posse
