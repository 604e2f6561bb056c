// SPDX-License-Identifier: Apache-2.0
// A run as one process describes it to others: the scenario with all its files, and which of its
// runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/host/group_member.hpp"
#include "actors/host/node_claims.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

struct RunDescription {
  std::size_t algorithm = 0;  // position in the scenario
  std::uint32_t repetition = 0;
  bool trace_messages = false;
  bool measures_service = false;
};

/// A hash of the scenario: equal for equal resolved texts and files.
std::uint64_t scenario_hash(const Scenario& scenario);

/// By algorithm, for what members ask for.
std::vector<KnownNodes> known_nodes(const Scenario& scenario);

std::string describe_run(const Scenario& scenario, const RunDescription& run);

/// The described run. `own`: the scenario that this process was given, which has the same hash;
/// null: the described one is taken, which may start no program unless that is allowed
/// (external_objective.hpp). Throws OutsideFailure that says what is wrong.
std::unique_ptr<MemberRun> make_described_run(const std::string& description, const Scenario* own);

}  // namespace posse
