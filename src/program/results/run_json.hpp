// SPDX-License-Identifier: Apache-2.0
// A run's entry in results.json.
#pragma once

#include "core/network/nodes.hpp"
#include "program/results/results_json.hpp"
#include "program/run/run_view.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// Of a run that has ended or is on its way; its measurements are there once it has ended.
Json run_json(const Scenario& scenario, const RunView& run);

}  // namespace posse
