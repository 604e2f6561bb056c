// SPDX-License-Identifier: Apache-2.0
// The page's document (page/document.hpp) of runs in progress.
#pragma once

#include <cstddef>
#include <vector>

#include "program/live/history.hpp"
#include "program/page/document_parts.hpp"
#include "program/run/run_view.hpp"

namespace posse {

/// What stays as it is: the scenario, its algorithms, the version.
Json live_base(const Scenario& scenario);
/// The document made from such a base, without the runs and what is drawn of them.
Json live_head(Json base, const ScenarioView& view);
/// One of the document's runs.
Json live_run(const Scenario& scenario, const RunView& run, const LiveHistory& history);

/// What is drawn of the runs that the document has: drawn_json().
class LiveCharts {
 public:
  explicit LiveCharts(const Scenario& scenario);
  /// A run as it is now. One that has ended need not be told again.
  void update(std::size_t index, const RunView& run, const LiveHistory& history);
  Json json() const { return drawn_json(data_); }

 private:
  const Scenario& scenario_;
  RunData data_;
  std::vector<bool> ended_;  // by run
};

}  // namespace posse
