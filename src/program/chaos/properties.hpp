// SPDX-License-Identifier: Apache-2.0
// THE list of what every run must keep to, whatever the scenario and its faults.
//
// A property looks at a scenario and its reference run, may run the scenario again in other ways,
// and says what is wrong. What it draws (kernel, threads, the moment of a cancellation) depends on
// the scenario's own seed only, so that a scenario file reproduces a violation.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/chaos/trial.hpp"

namespace posse {

struct ChaosProperty {
  std::string_view name;  // plain words
  /// What is wrong, or nothing.
  std::optional<std::string> (*violation)(const Trial& trial) = nullptr;
};

/// In the order in which they are checked. All but the first need a valid scenario.
const std::vector<ChaosProperty>& chaos_properties();

struct ChaosViolation {
  std::string property;
  std::string what;
};

/// The violations of all properties, or of the one with this name.
std::vector<ChaosViolation> violations_of(const Trial& trial, std::string_view property = {});

/// A scenario with the violation in a comment at the top.
std::string with_violation(const ChaosViolation& violation, const std::string& text);

}  // namespace posse
