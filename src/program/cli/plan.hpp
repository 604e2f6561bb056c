// `posse plan`: upper limits of what a scenario costs, computed without running it.
#pragma once

#include <string>
#include <vector>

#include "core/role/protocol.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

struct PlanRow {
  std::string label;
  Forecast each;  // one repetition; ceilings
  double nodes = 0;
  double memory_bytes = 0;  // estimate for one run
};

std::vector<PlanRow> make_plan(const Scenario& scenario);
std::string plan_text(const Scenario& scenario, const std::vector<PlanRow>& rows);
std::string plan_json(const Scenario& scenario, const std::vector<PlanRow>& rows);

}  // namespace posse
