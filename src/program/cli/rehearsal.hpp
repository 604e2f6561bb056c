// SPDX-License-Identifier: Apache-2.0
// What `posse run` takes, by a rehearsal with fewer repetitions.
//
// Seconds grow with the repetitions. So does memory, whose steps are seen in two rehearsals: what
// the results of a run keep, up to the repetitions whose details are kept; and what their reading
// takes, more for the runs that the page shows.
#pragma once

#include <cstdint>
#include <optional>

#include "program/results/execution.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

struct RunForecast {
  std::uint32_t repetitions = 0;  // of the larger rehearsal; 0: there was none, the pilot tells
  double seconds = 0;             // until all is written
  double memory_bytes = 0;        // at most, of the process; 0 if the system doesn't tell
  double disk_bytes = 0;
};

/// `expected_s`: what all repetitions about take; the rehearsals take a tenth of it, but one second
/// at least and 20 s at most. Nothing if that is less than a repetition, or after a signal. Signals
/// must be caught already. Throws FileError.
std::optional<RunForecast> rehearse_run(const Scenario& scenario,
                                        const ExecutionOptions& options,
                                        double expected_s);

}  // namespace posse
