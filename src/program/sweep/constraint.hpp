// SPDX-License-Identifier: Apache-2.0
// The constraint of a sweep, or the condition of an exclusion: an expression over a scenario's keys
// that holds in some settings.
//
//   clients * 2 <= 128 && "network.latency" < 0.5
//
// Keys: in double or single quotes in full, or the last part of a key that only one key has; keys
// of the sweep come before others of the scenario. Durations count in seconds, sizes in bytes,
// rates in bits per second, shares of 1, true as 1. Operators: + - * / ( ) < <= > >= == != && ||
// ?:. Functions: abs, min, max, sqrt, rint.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "program/scenario/diagnostics.hpp"
#include "program/scenario/value.hpp"
#include "program/sweep/axes.hpp"

namespace posse {

class Constraint {
 public:
  /// Mistakes are added to `diagnostics`, as those of the key `name`. Without a text all settings
  /// hold. `root`: the scenario with the first value of every axis.
  Constraint(std::string name,
             std::string text,
             const SourceLocation& location,
             const std::vector<SweepAxis>& axes,
             const Value& root,
             Diagnostics& diagnostics);
  ~Constraint();
  Constraint(Constraint&&) noexcept;

  /// Whether it is true in this setting. A key without a number there is a mistake.
  bool holds(const Value& setting, Diagnostics& diagnostics);

 private:
  struct Compiled;
  void compile(const std::vector<SweepAxis>& axes, const Value& root, Diagnostics& diagnostics);
  std::string name_, text_;
  SourceLocation location_;
  std::vector<std::string> keys_;  // of the variables
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace posse
