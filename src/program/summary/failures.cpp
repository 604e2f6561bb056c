// SPDX-License-Identifier: Apache-2.0
#include "program/summary/failures.hpp"

#include <fmt/format.h>

#include <iterator>

namespace posse {

std::string failures_text(const Scenario& scenario,
                          const ScenarioResult& result,
                          const std::function<std::string(const RunRecord&)>& reproduce) {
  constexpr std::size_t kShown = 3;
  std::size_t failures = 0;
  std::string text;
  const auto out = std::back_inserter(text);
  for (const auto& run : result.runs) {
    const auto exit_code = exit_code_of(run);
    if (exit_code == ExitCode::ok || ++failures > kShown) continue;
    const auto& outcome = run.result.outcome;
    fmt::format_to(out,
                   "{}, repetition {}: {} (exit code {})\n",
                   scenario.algorithms[run.algorithm].label,
                   run.repetition,
                   to_string(outcome.status),
                   to_int(exit_code));
    if (!outcome.report.empty()) fmt::format_to(out, "  {}\n", outcome.report);
    for (const auto& measurement : run.measurements)
      if (violated(measurement))
        fmt::format_to(out,
                       "  violated: {} = {}, but {} {} ({})\n",
                       measurement.name,
                       measurement.measured,
                       measurement.bound->is_identity ? "must equal" : "its bound is",
                       measurement.bound->value,
                       measurement.bound->note);
    if (reproduce) fmt::format_to(out, "  to reproduce: {}\n", reproduce(run));
  }
  if (failures > kShown) fmt::format_to(out, "… and {} more failed runs\n", failures - kShown);
  return text;
}

}  // namespace posse
