// SPDX-License-Identifier: Apache-2.0
#include "program/compare/study.hpp"

#include <cmath>
#include <numeric>

namespace posse {

Statistics statistics_of(const RunValues& values) {
  std::vector<double> numbers;
  numbers.reserve(values.size());
  for (const auto& [repetition, value] : values) numbers.push_back(value);
  return statistics(numbers);
}

RunValues StudyCell::values(std::size_t quantity) const {
  RunValues values;
  for (const auto& [repetition, finals] : finished)
    if (const auto& value = finals[quantity]; value && std::isfinite(*value))
      values.emplace_hint(values.end(), repetition, *value);
  return values;
}

std::uint32_t Study::repetition_of(const std::string& seed) {
  const auto next = static_cast<std::uint32_t>(repetitions.size());
  return repetitions.try_emplace(seed, next).first->second;
}

bool Study::add(std::size_t setting,
                std::size_t algorithm,
                const StudyRun& run,
                const RunPlace& place) {
  StudyCell& cell = cells[{setting, algorithm}];
  const auto repetition = repetition_of(run.seed);
  cell.facts = run.facts;
  if (!run.finished) {
    ++cell.unfinished;
    if (!place.folder.empty()) cell.unfinished_places.emplace(repetition, place);
    return true;
  }
  if (!cell.finished.emplace(repetition, run.finals).second) return false;
  if (!place.folder.empty()) cell.places.emplace(repetition, place);
  cell.warnings.add(run.warnings);
  return true;
}

const RunPlace* Study::place(std::size_t setting,
                             std::size_t algorithm,
                             std::uint32_t repetition) const {
  const auto* cell = find(setting, algorithm);
  if (cell == nullptr) return nullptr;
  for (const auto* places : {&cell->places, &cell->unfinished_places})
    for (const auto& [number, place] : *places)
      if (place.repetition == repetition) return &place;
  return nullptr;
}

const StudyCell* Study::find(std::size_t setting, std::size_t algorithm) const {
  const auto it = cells.find({setting, algorithm});
  return it == cells.end() ? nullptr : &it->second;
}

std::vector<std::size_t> Study::quantities() const {
  std::vector<std::size_t> all(kQuantities.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (const auto& [at, cell] : cells)
    for (const auto& [repetition, finals] : cell.finished)
      for (const auto& [quantity, value] : finals.own()) all.push_back(quantity);
  sort_quantities(all);
  return all;
}

}  // namespace posse
