// SPDX-License-Identifier: Apache-2.0
#include "program/study/study.hpp"

namespace posse {

const StudyCell* Study::find(std::size_t setting, std::size_t algorithm) const {
  const auto it = cells.find({setting, algorithm});
  return it == cells.end() ? nullptr : &it->second;
}

}  // namespace posse
