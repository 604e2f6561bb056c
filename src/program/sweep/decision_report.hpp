// SPDX-License-Identifier: Apache-2.0
// The verdicts of a sweep that stopped itself, in sentences and tables, and as JSON.
#pragma once

#include <string>
#include <vector>

#include "program/base/text.hpp"
#include "program/results/results_json.hpp"
#include "program/sweep/decision.hpp"

namespace posse {

struct DecisionReport {
  std::string title;
  std::vector<std::string> headline;  // who is best where, and what is open
  TextTable table;                    // a row per verdict; between settings, a row per setting
  std::vector<std::string> notes;     // the guarantee, the runs made
  std::vector<std::string> warnings;
};

/// `settings`: their names. After a look.
DecisionReport decision_report(const SweepDecision& decision,
                               const std::vector<std::string>& settings);

std::string to_text(const DecisionReport& report);
Json decision_json(const SweepDecision& decision, const std::vector<std::string>& settings);

}  // namespace posse
