// SPDX-License-Identifier: Apache-2.0
// `posse plan`: upper limits of what a scenario costs, computed without running it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/role/protocol.hpp"
#include "program/cli/pilot.hpp"
#include "program/cli/rehearsal.hpp"
#include "program/scenario/scenario.hpp"
#include "program/sweep/sweep_plan.hpp"

namespace posse {

struct PlanRow {
  std::string label;
  Forecast each;           // one repetition; ceilings
  std::string allocation;  // Protocol::allocation
  double bytes_with_headers = 0;
  double nodes = 0;
  double memory_bytes = 0;  // estimate for one run
};

std::vector<PlanRow> make_plan(const Scenario& scenario);
/// What `run` keeps until it has written all, an estimate.
double bytes_of_results(const Scenario& scenario, const std::vector<PlanRow>& rows);
std::string plan_text(const Scenario& scenario, const std::vector<PlanRow>& rows);
std::string plan_json(const Scenario& scenario, const std::vector<PlanRow>& rows);

/// What a whole sweep costs at most.
struct SweepForecast {
  std::vector<PlanRow> largest;  // by algorithm: the largest numbers of any setting
  PlanRow total;                 // of all different runs
  double disk_bytes = 0;         // an estimate
  RunSizes sizes;
};
SweepForecast forecast_sweep(const SweepPlan& plan);

/// `present`: different runs that the store has already. `run`: what `run` takes, in place of
/// a sweep's forecast by the pilot.
std::string sweep_plan_text(const SweepPlan& plan,
                            const SweepForecast& forecast,
                            const std::optional<Pilot>& pilot,
                            const std::optional<RunForecast>& run,
                            std::size_t present,
                            std::size_t jobs);
std::string sweep_plan_json(const SweepPlan& plan,
                            const SweepForecast& forecast,
                            const std::optional<Pilot>& pilot,
                            const std::optional<RunForecast>& run,
                            std::size_t present);

}  // namespace posse
