// SPDX-License-Identifier: Apache-2.0
// The summary of a scenario's runs in results.json: written there, and read again.
#pragma once

#include "program/compare/summary.hpp"
#include "program/results/results_json.hpp"
#include "program/results/stored_run.hpp"

namespace posse {

/// Adds the keys `warnings`, `thresholds`, `summary` and `study` to results.json's head.
void put_summary(const Summary& summary, Json& head);

/// The summary of a run folder, without `comparisons`, and of its study only what is printed.
/// Throws FileError.
Summary read_summary(const StoredRun& stored);

}  // namespace posse
