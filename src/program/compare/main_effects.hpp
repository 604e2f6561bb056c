// SPDX-License-Identifier: Apache-2.0
// What one key of a study does, averaged over the others.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "program/base/statistics.hpp"
#include "program/compare/study.hpp"

namespace posse {

/// One value of the key.
struct EffectLevel {
  std::string value;
  /// Over repetitions: each has the mean over all settings that are compared.
  Statistics mean;
};

/// Of an algorithm. Levels are compared in settings that differ in the key only: where one of them
/// has no runs, none is taken.
struct MainEffect {
  std::vector<EffectLevel> levels;         // empty if nothing is left to compare
  std::size_t contexts = 0, left_out = 0;  // settings of the other keys: compared, and not
};
struct MainEffects {
  std::vector<MainEffect> of;  // by algorithm
  /// All algorithms have the same settings of the other keys; else each has its own, since they
  /// have none in common, and only the shapes of their lines can be compared.
  bool in_common = true;
};

/// Of a quantity, a position in kQuantities. `dimension`: the key, first, and those that change
/// with it.
MainEffects main_effects(const Study& study,
                         const std::vector<std::string>& dimension,
                         std::size_t quantity);

}  // namespace posse
