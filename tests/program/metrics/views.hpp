// SPDX-License-Identifier: Apache-2.0
// Scenarios and views of their runs, made by hand, for the tests of metrics.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>

#include "program/run/run_view.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test {

inline const std::string kFedPneText = R"(
name = "small"
[[algorithm]]
kind = "fed-pne"
)" + kThreeClients + R"(
[network]
latency = "50 ms"
transport = "reliable"
)";

inline const std::string kArmsText = R"(
name = "arms"
[[algorithm]]
kind = "f-lcb"
[[arm]]
kind = "smooth"
[budget]
pulls = 60
)";

/// The first algorithm's run of a repetition, before it begins unless `outcome` says otherwise.
inline RunView view_of(const Scenario& scenario,
                       RunOutcome outcome = {},
                       RunState state = RunState::waiting,
                       std::uint32_t repetition = 0) {
  auto snapshot = std::make_shared<RunSnapshot>();
  snapshot->now = outcome.last_event;
  snapshot->outcome = std::move(outcome);
  RunView view = waiting_view(scenario, {0, repetition});
  view.state = state;
  view.snapshot = std::move(snapshot);
  return view;
}

/// Of these runs.
template <class... Views>
ScenarioView views_of(const Scenario& scenario, Views... views) {
  return {&scenario, {std::make_shared<const RunView>(std::move(views))...}};
}

}  // namespace posse::test
