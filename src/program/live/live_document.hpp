// SPDX-License-Identifier: Apache-2.0
// The page's document (page/document.hpp) of runs in progress.
#pragma once

#include "program/live/history.hpp"
#include "program/page/document_parts.hpp"
#include "program/run/run_view.hpp"

namespace posse {

/// Everything but the runs.
Json live_head(const ScenarioView& view);
/// One of the document's runs.
Json live_run(const Scenario& scenario, const RunView& run, const LiveHistory& history);

}  // namespace posse
