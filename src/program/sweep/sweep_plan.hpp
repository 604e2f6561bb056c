// SPDX-License-Identifier: Apache-2.0
// All runs of a sweep: every setting of its keys, every algorithm, every repetition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program/base/warning.hpp"
#include "program/scenario/conditions.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/scenario.hpp"
#include "program/sweep/axes.hpp"

namespace posse {

/// A sweep with more settings, or more runs, is refused.
inline constexpr std::uint64_t kMostSettings = 1'000'000;
inline constexpr std::uint64_t kMostRuns = 10'000'000;

struct PlannedRun {
  std::uint32_t setting = 0, algorithm = 0;  // positions in the plan
  std::uint32_t repetition = 0;
  std::string key;  // runs that don't differ share it (run_key.hpp)
};

class SweepPlan {
 public:
  /// Reads the scenario with its section [sweep], or without one: then there is one setting. Every
  /// setting is read and checked; if [sweep] itself has mistakes, each value with the first ones of
  /// the other keys. The plan may be used only without mistakes.
  SweepPlan(const std::string& file,
            const std::vector<Override>& overrides,
            Diagnostics& diagnostics);
  /// Plans with a scenario that was read, or made, already; `file` is what it would be called.
  SweepPlan(Value root, const std::string& file, Diagnostics& diagnostics);

  const std::string& name() const { return name_; }
  std::uint64_t seed() const { return seed_; }
  std::uint32_t repeat() const { return repeat_; }
  const std::vector<SweepAxis>& axes() const { return sweep_.axes; }
  const std::vector<Threshold>& thresholds() const { return thresholds_; }
  /// Labels of the algorithms, as in the first setting.
  const std::vector<std::string>& algorithms() const { return algorithms_; }

  std::size_t settings() const { return choices_.size(); }
  /// Settings that the constraint, or an exclusion, left out.
  std::uint64_t excluded() const { return excluded_; }
  /// Algorithms that exclusions left out of the settings, summed over these.
  std::uint64_t left_out() const { return left_out_; }
  std::size_t settings_with_fewer() const;
  /// The algorithms of a setting's scenario, as positions in `algorithms()`.
  std::vector<std::size_t> algorithms_in(std::size_t setting) const;
  /// The position of an algorithm in the setting's scenario. It must be there.
  std::size_t position_in(std::size_t setting, std::size_t algorithm) const;
  /// The value of an axis in a setting.
  const Value& value(std::size_t setting, std::size_t axis) const {
    return sweep_.axes[axis].values[choices_[setting].values[axis]];
  }
  std::string text(std::size_t setting, std::size_t axis) const;
  /// "network.latency = 200 ms, network.loss = 0.05"
  std::string setting_text(std::size_t setting) const;
  /// The setting as assignments for `--set`.
  std::vector<std::string> assignments(std::size_t setting) const;
  /// Under which conditions the first thousand settings are.
  std::string conditions() const { return conditions_.text(); }
  /// What would mislead in some of the first thousand settings, each once, after the algorithm's
  /// label.
  const std::vector<Warning>& warnings() const { return warnings_; }
  /// The scenario of a setting.
  Scenario scenario(std::size_t setting) const;

  /// By repetition, then setting, then algorithm: what is known grows evenly.
  const std::vector<PlannedRun>& runs() const { return runs_; }
  /// The algorithm must be in the setting.
  const PlannedRun& run(std::size_t setting, std::size_t algorithm, std::size_t repetition) const;
  /// Different keys.
  std::size_t distinct_runs() const { return distinct_; }

 private:
  /// One setting.
  struct Choice {
    std::vector<std::uint32_t> values;    // by axis: position of the value
    std::vector<std::uint32_t> left_out;  // algorithms, by position, ascending
    std::size_t first_run = 0;            // of a repetition's runs
  };
  Value tree(const Choice& choice, Diagnostics& diagnostics) const;
  /// Without its algorithms that are left out, and without what only these need.
  Scenario read(const Choice& choice, Diagnostics& diagnostics) const;
  void remove_inputs_of_others(Value& root) const;
  void add_settings(Diagnostics& diagnostics);
  void add_runs(Diagnostics& diagnostics);
  void add_warnings(const Scenario& scenario, std::size_t algorithm);
  void check_columns(Diagnostics& diagnostics) const;
  void check_constraint(Diagnostics& diagnostics) const;
  void check_values(Diagnostics& diagnostics) const;

  std::string file_, name_;
  std::uint64_t seed_ = 1;
  std::uint32_t repeat_ = 1;
  Value root_;  // without [sweep]
  SweepSection sweep_;
  std::vector<Choice> choices_;  // by setting
  std::uint64_t excluded_ = 0, left_out_ = 0;
  std::vector<std::string> algorithms_;
  std::vector<Threshold> thresholds_;
  Conditions conditions_;
  std::vector<Warning> warnings_;
  std::vector<PlannedRun> runs_;
  std::size_t distinct_ = 0;
};

}  // namespace posse
