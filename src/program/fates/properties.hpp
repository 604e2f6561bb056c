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

#include "program/fates/trial.hpp"

namespace posse {

struct RunProperty {
  std::string_view name;  // plain words
  /// What is wrong, or nothing.
  std::optional<std::string> (*violation)(const Trial& trial) = nullptr;
  /// Why it is not checked for the first algorithm of a trial, whatever happens to it; nothing if
  /// it is. Null: it always is.
  std::optional<std::string> (*exemption)(const Trial& trial) = nullptr;
};

/// In the order in which they are checked. All but the first need a valid scenario.
const std::vector<RunProperty>& run_properties();
std::vector<std::string> property_names();

struct PropertyViolation {
  std::string property;
  std::string what;
};

/// The violations of all properties, or of the one with this name.
std::vector<PropertyViolation> violations_of(const Trial& trial, std::string_view property = {});

struct UncheckedProperty {
  std::string property;
  std::string why;
};
/// The properties that are not checked for the first algorithm of a trial.
std::vector<UncheckedProperty> unchecked_properties(const Trial& trial);

/// A scenario with the violation in a comment at the top.
std::string with_violation(const PropertyViolation& violation, const std::string& text);

}  // namespace posse
