// SPDX-License-Identifier: Apache-2.0
// The kinds of checks that a claim may have, each with its parameters: what `kind` in a
// [[figure.claim]] of a claims file selects. A new one is a judge (judging.hpp) and a row in
// checks.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/parameters.hpp"
#include "program/reproduce/claims.hpp"

namespace posse {

struct CheckSpec {
  std::string_view kind;
  std::string_view summary;
  std::vector<ParameterSpec> parameters;
  Judgement (*judge)(const Parameters&, const std::vector<RunData>&) = nullptr;
  bool of_settings = false;  // judges all settings of a sweep, other checks a single run
  bool of_arms = false;      // only for functional bandits
};

const std::vector<CheckSpec>& check_specs();
const CheckSpec* find_check_spec(std::string_view kind);

/// The parameters that are labels of algorithms.
inline constexpr std::string_view kLabelsOfCheck[] = {"algorithm", "first", "second"};

}  // namespace posse
