// SPDX-License-Identifier: Apache-2.0
// The scenario of a run folder, to be run again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/results/stored_run.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// The scenario of a stored run. Throws FileError if the run belongs to a version of Posse with
/// other results, or its scenario.toml has mistakes.
Scenario stored_scenario(const StoredRun& stored);

/// The stored run's scenario with keys overridden, whose mistakes are reported to `diagnostics`.
Scenario stored_scenario(const StoredRun& stored,
                         const std::vector<Override>& overrides,
                         Diagnostics& diagnostics);

/// The repetition that all runs of a folder belong to, if it holds only one (`run --repetition`).
std::optional<std::uint32_t> only_repetition(const StoredRun& stored);

}  // namespace posse
