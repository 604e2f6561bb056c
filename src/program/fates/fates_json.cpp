// SPDX-License-Identifier: Apache-2.0
#include "program/fates/fates_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace posse {
namespace {

std::string text_of_fates(const nlohmann::ordered_json& data) {
  return data.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string fates_json(const FateReport& report) {
  nlohmann::ordered_json violation;
  if (report.violation)
    violation = {{"property", report.violation->property}, {"what", report.violation->what}};
  return text_of_fates({{"schedules", report.schedules},
                        {"outcomes", report.outcomes},
                        {"complete", report.complete},
                        {"reached", report.reached},
                        {"deviations", report.deviations},
                        {"ends", report.ends},
                        {"violation", std::move(violation)},
                        {"counterexample", report.counterexample}});
}

std::string fates_json(const RandomFateReport& report) {
  auto violations = nlohmann::ordered_json::array();
  for (const Counterexample& each : report.counterexamples)
    violations.push_back({{"algorithm", each.algorithm},
                          {"property", each.property},
                          {"what", each.what},
                          {"networks", each.networks},
                          {"seed", each.seed},
                          {"counterexample", each.file.string()}});
  auto unchecked = nlohmann::ordered_json::array();
  for (const auto& [algorithm, property] : report.unchecked)
    unchecked.push_back(
        {{"algorithm", algorithm}, {"property", property.property}, {"why", property.why}});
  return text_of_fates({{"networks", report.runs},
                        {"seconds", report.seconds},
                        {"features", report.features},
                        {"violations", std::move(violations)},
                        {"not_checked", std::move(unchecked)}});
}

}  // namespace posse
