// SPDX-License-Identifier: Apache-2.0
// Answers of external programs: the line is parsed; no program runs.
#include <cmath>

#include "program/scenario/external_objective.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {

void fuzz_answer(std::string_view input) {
  if (input.size() > LineProcess::kLongestLine) return;
  try {
    require(std::isfinite(parse_answer(std::string(input), 1, 2, -1)), "values are finite");
  } catch (const ProcessFailure& failure) {
    const std::string text = failure.what();
    require(!text.empty() && text.size() < 2000, "a failure is told in short");
    for (const char c : text)
      require(static_cast<unsigned char>(c) >= 0x20, "a failure has no control characters");
  }
}

}  // namespace posse::fuzz
