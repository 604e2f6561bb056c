// SPDX-License-Identifier: Apache-2.0
// The page's document (page/document.hpp) of runs in progress.
#pragma once

#include "program/live/history.hpp"
#include "program/page/document_parts.hpp"
#include "program/run/run_view.hpp"

namespace posse {

/// What stays as it is: the scenario, its algorithms, the version.
Json live_base(const Scenario& scenario);
/// Everything but the runs, from that.
Json live_head(Json base, const ScenarioView& view);
/// One of the document's runs.
Json live_run(const Scenario& scenario, const RunView& run, const LiveHistory& history);

}  // namespace posse
