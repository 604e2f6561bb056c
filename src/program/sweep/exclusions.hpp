// SPDX-License-Identifier: Apache-2.0
// [[sweep.exclude]]: which algorithms the settings of a sweep are without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "program/scenario/diagnostics.hpp"
#include "program/scenario/value.hpp"
#include "program/sweep/axes.hpp"
#include "program/sweep/constraint.hpp"

namespace posse {

/// Reads the list, with what it says of the axes.
std::vector<SweepExclusion> read_exclusions(const Value& list,
                                            const std::vector<SweepAxis>& axes,
                                            Diagnostics& diagnostics);

class Exclusions {
 public:
  /// `root`: the scenario with the first value of every axis. Names of algorithms that it doesn't
  /// have, and expressions that can't be understood, are mistakes.
  Exclusions(const SweepSection& sweep, const Value& root, Diagnostics& diagnostics);

  /// The algorithms that the setting is without, as ascending positions in the scenario's list.
  /// `values`: its positions by axis; `tree`: its scenario.
  std::vector<std::uint32_t> left_out(const std::vector<std::uint32_t>& values,
                                      const std::function<Value()>& tree,
                                      Diagnostics& diagnostics);
  /// All algorithms of the scenario.
  std::size_t algorithms() const { return algorithms_; }

 private:
  struct Rule {
    std::vector<std::uint32_t> algorithms;
    const SweepExclusion& exclusion;
    Constraint expression;
  };
  std::vector<Rule> rules_;
  std::size_t algorithms_ = 0;
};

}  // namespace posse
