// SPDX-License-Identifier: Apache-2.0
// Mistakes of a scenario as an exception, for programs that use Posse as a library.
#pragma once

#include <stdexcept>

#include "program/scenario/diagnostics.hpp"

namespace posse {

/// All mistakes, as `posse check` prints them: a paragraph each.
class ScenarioMistakes : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

inline void throw_mistakes(const Diagnostics& diagnostics) {
  if (!diagnostics.empty()) throw ScenarioMistakes(diagnostics.text());
}

}  // namespace posse
