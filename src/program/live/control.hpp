// SPDX-License-Identifier: Apache-2.0
// Requests of observers to control runs: the body of POST /api/control (live_page.hpp), and whether
// a run can do what it asks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/sim/intervention.hpp"
#include "program/run/run_view.hpp"

namespace posse {

struct ControlRequest {
  Intervention intervention;
  std::string run;  // its id; empty: all runs
};

/// Throws std::invalid_argument that says what is wrong.
ControlRequest parse_control(const std::string& body);

/// The groups of what was cut or stopped from outside, and neither restored nor restarted.
using FaultsFromOutside = std::vector<std::vector<std::vector<FaultyNodes>>>;

struct ControlRefusal {
  int status;  // of HTTP
  std::string reason;
};
/// Nothing if the run can do it.
std::optional<ControlRefusal> refusal_of(const RunView& run,
                                         const Intervention& wanted,
                                         const FaultsFromOutside& faults);

/// Notes what a run was asked to do.
void note(const Intervention& asked, FaultsFromOutside& faults);

}  // namespace posse
