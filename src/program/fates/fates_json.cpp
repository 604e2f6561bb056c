// SPDX-License-Identifier: Apache-2.0
#include "program/fates/fates_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "program/base/json.hpp"

namespace posse {

std::string fates_json(const FateReport& report) {
  Json violation;
  if (report.violation)
    violation = {{"property", report.violation->property}, {"what", report.violation->what}};
  return pretty_json({{"schedules", report.schedules},
                      {"outcomes", report.outcomes},
                      {"complete", report.complete},
                      {"reached", report.reached},
                      {"deviations", report.deviations},
                      {"ends", report.ends},
                      {"violation", std::move(violation)},
                      {"counterexample", report.counterexample}});
}

std::string fates_json(const RandomFateReport& report) {
  auto violations = Json::array();
  for (const Counterexample& each : report.counterexamples)
    violations.push_back({{"algorithm", each.algorithm},
                          {"property", each.property},
                          {"what", each.what},
                          {"networks", each.networks},
                          {"seed", each.seed},
                          {"counterexample", each.file.string()}});
  auto unchecked = Json::array();
  for (const auto& [algorithm, property] : report.unchecked)
    unchecked.push_back(
        {{"algorithm", algorithm}, {"property", property.property}, {"why", property.why}});
  return pretty_json({{"networks", report.runs},
                      {"seconds", report.seconds},
                      {"features", report.features},
                      {"violations", std::move(violations)},
                      {"not_checked", std::move(unchecked)}});
}

}  // namespace posse
