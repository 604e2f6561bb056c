// SPDX-License-Identifier: Apache-2.0
// `posse plan`: upper limits of what a scenario costs, computed without running it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/role/protocol.hpp"
#include "program/scenario/scenario.hpp"
#include "program/sweep/sweep_plan.hpp"

namespace posse {

struct PlanRow {
  std::string label;
  Forecast each;           // one repetition; ceilings
  std::string allocation;  // Protocol::allocation
  double nodes = 0;
  double memory_bytes = 0;  // estimate for one run
};

std::vector<PlanRow> make_plan(const Scenario& scenario);
std::string plan_text(const Scenario& scenario, const std::vector<PlanRow>& rows);
std::string plan_json(const Scenario& scenario, const std::vector<PlanRow>& rows);

/// What a whole sweep costs at most, and, after a pilot, about.
struct SweepForecast {
  std::vector<PlanRow> largest;  // by algorithm: the largest numbers of any setting
  Forecast total;                // of all different runs
  double disk_bytes = 0;         // an estimate, or after a pilot an extrapolation
  /// Of a few runs that were really made.
  struct Pilot {
    std::size_t runs = 0, failed = 0;
    double wall_s = 0;                     // of all runs one after the other, extrapolated
    double shortest_s = 0, longest_s = 0;  // of a run that was made
  };
  std::optional<Pilot> pilot;
};
SweepForecast forecast_sweep(const SweepPlan& plan);
/// Makes `each` runs of every algorithm, in settings from the first to the last, in a directory
/// that is removed afterwards. Throws FileError.
void add_pilot(const SweepPlan& plan, std::size_t each, SweepForecast& forecast);

/// `present`: different runs that the store has already.
std::string sweep_plan_text(const SweepPlan& plan,
                            const SweepForecast& forecast,
                            std::size_t present,
                            std::size_t jobs);
std::string sweep_plan_json(const SweepPlan& plan,
                            const SweepForecast& forecast,
                            std::size_t present);

}  // namespace posse
