// SPDX-License-Identifier: Apache-2.0
#include "program/compare/failures.hpp"

#include <fmt/format.h>

#include <iterator>

namespace posse {

std::string failures_text(const Scenario& scenario,
                          const ScenarioResult& result,
                          const std::function<std::string(const RunFigures&)>& reproduce) {
  constexpr std::size_t kShown = 3;
  std::size_t failures = 0;
  std::string text;
  const auto out = std::back_inserter(text);
  MeasuredReader reader;
  for (const auto& run : result.figures) {
    if (run.exit_code == ExitCode::ok || ++failures > kShown) continue;
    fmt::format_to(out,
                   "{}, repetition {}: {} (exit code {})\n",
                   scenario.algorithms[run.algorithm].label,
                   run.repetition,
                   to_string(run.status),
                   to_int(run.exit_code));
    if (!run.report.empty()) fmt::format_to(out, "  {}\n", run.report);
    for (const auto& measurement : reader.read(run.measurements))
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
