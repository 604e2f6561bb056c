// SPDX-License-Identifier: Apache-2.0
#include "program/fates/properties.hpp"

#include <fmt/format.h>

#include "program/fates/checks.hpp"

namespace posse {

const std::vector<RunProperty>& run_properties() {
  using namespace fates;
  static const std::vector<RunProperty> all = {
      {"the reader accepts the scenario", rejected},
      {"no run fails", failed},
      {"no bound that always holds is violated", breaks_bound},
      {"only what lost something for good stalls", stalls_without_reason},
      {"the ledger balances and agrees with the trace", ledger_wrong},
      {"no copy arrives before it can or after the end", arrives_too_soon},
      {"no sample is counted twice", counts_samples_twice},
      {"nothing is decided before the evaluations that it rests on are done",
       decides_early,
       timers_decide_early},
      {"rounds count the answers that arrived", rounds_wrong},
      {"the critical path of a round takes as long as the round", path_wrong},
      {"the reliable transport delivers nothing twice", delivers_twice},
      {"no run costs more than its plan", exceeds_plan},
      {"every kernel and number of threads gives the same run", differs_on_another_kernel},
      {"the resolved scenario gives the same run", differs_when_resolved},
      {"faults change no decision", faults_change_decisions, delays_may_decide},
      {"every exact exchange has the decisions of the mesh", exchange_changes_decisions},
      {"every hierarchy has the decisions of the star", edges_change_decisions},
      {"a record happens on another network as the run does",
       record_happens_otherwise,
       order_decides},
      {"answers that come too late change no decision", late_answers_change_decisions},
      {"equal times decide nothing unless the protocol says so",
       ties_change_decisions,
       equal_times_decide},
      {"a cancelled run ends with a balanced ledger", does_not_cancel},
  };
  return all;
}

std::vector<std::string> property_names() {
  std::vector<std::string> names;
  for (const RunProperty& each : run_properties()) names.emplace_back(each.name);
  return names;
}

std::vector<PropertyViolation> violations_of(const Trial& trial, std::string_view property) {
  std::vector<PropertyViolation> found;
  for (const RunProperty& each : run_properties()) {
    if (property.empty() || each.name == property)
      if (auto what = each.violation(trial))
        found.push_back({std::string(each.name), std::move(*what)});
    if (!trial.mistakes.empty()) break;  // the others need a run
  }
  return found;
}

std::vector<UncheckedProperty> unchecked_properties(const Trial& trial) {
  std::vector<UncheckedProperty> unchecked;
  if (!trial.mistakes.empty()) return unchecked;
  for (const RunProperty& each : run_properties())
    if (each.exemption)
      if (auto why = each.exemption(trial))
        unchecked.push_back({std::string(each.name), std::move(*why)});
  return unchecked;
}

std::string with_violation(const PropertyViolation& violation, const std::string& text) {
  std::string comment = fmt::format("# Violated: {}.\n# ", violation.property);
  for (const char c : violation.what) comment += c == '\n' ? "\n# " : std::string(1, c);
  return comment + "\n\n" + text;
}

}  // namespace posse
