// SPDX-License-Identifier: Apache-2.0
// [[sweep.exclude]]: which algorithms the settings of a sweep are without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
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
  /// After all settings: the numbers of exclusions that left nothing out. Names that no setting
  /// has are mistakes.
  std::vector<std::size_t> without_effect(Diagnostics& diagnostics) const;
  /// All algorithms of the scenario.
  std::size_t algorithms() const { return algorithms_; }

 private:
  using Names = std::vector<std::vector<std::string>>;  // label and kind, of each algorithm
  struct Rule {
    std::vector<std::uint32_t> algorithms;  // in the first setting
    const SweepExclusion& exclusion;
    Constraint expression;
    std::vector<bool> named = {};  // which of its names some setting has
    bool excludes = false;
  };
  static std::vector<std::uint32_t> positions_of(const SweepExclusion& exclusion,
                                                 const Names& names);
  static void note_names(Rule& rule, const Names& names);
  static void report_unknown(const Rule& rule, const Names& names, Diagnostics& diagnostics);

  bool kinds_vary_;
  std::vector<Rule> rules_;
  Names last_names_;
  std::size_t algorithms_ = 0;
};

}  // namespace posse
