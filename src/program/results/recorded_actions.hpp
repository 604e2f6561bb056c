// SPDX-License-Identifier: Apache-2.0
// actions.csv.gz: what the nodes of every run did, without times, so that the runs can happen on
// another network (core/sim/recording.hpp).
//
// Columns `algorithm`, `repetition`, `action`, and what the action needs; other cells are empty.
// First of each run come its topology and its groups of nodes, or an obstacle instead of everything
// else; then each node's actions in order:
//
//   obstacle   type: why the run can't happen on another network
//   topology   type: its name
//   group      type: its name; count: nodes; number: the number of the first, empty if it has none
//   await      node, peer, number: goes on when it has the peer's message of this number, from 1
//   hear       as await, but the run may end without the message
//   send       node, peer, count: to this and the following nodes; round, type, bytes, values,
//              content (a hash)
//   evaluate   node, count: evaluations
//   work       node, count: nanoseconds
//   begin      node, round: a round begins here
//   end        node, round, number: evaluations per client so far, count: answers, peer: the first
//              of the nodes that were asked, if they were
//   finish     node
//   wait       node: for further messages, at the end
#pragma once

#include <filesystem>
#include <vector>

#include "program/results/stored_run.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// Errors are std::runtime_errors that name the file.
void write_actions(const std::filesystem::path& path,
                   const Scenario& scenario,
                   const ScenarioResult& result);

/// A recording for each of stored.runs(). Runs that the file lacks have an obstacle. `scenario` is
/// the folder's. Throws FileError if the file is missing or damaged.
std::vector<RecordedRun> read_actions(const StoredRun& stored, const Scenario& scenario);

}  // namespace posse
