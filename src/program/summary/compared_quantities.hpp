// SPDX-License-Identifier: Apache-2.0
// The measured quantities of a scenario's runs, arranged for comparisons: by quantity, algorithm
// and repetition.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/role/outcome.hpp"
#include "program/base/quantities.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"
#include "program/study/study.hpp"
#include "program/summary/comparison.hpp"

namespace posse {

/// First transmissions of messages proper, without the transport's acknowledgements.
std::uint64_t messages_sent(const RunOutcome& outcome);
std::uint64_t payload_bytes(const RunOutcome& outcome);
std::uint64_t payload_bytes(const TypeAccount& account);

/// A quantity of kQuantities at the end of a run; nothing if the run doesn't have it.
std::optional<double> quantity_value(const RunOutcome& outcome, std::string_view quantity);

/// The quantities at the end of the runs that finished, in the order of kQuantities, then the
/// regrets at the checkpoints (powers of two, below the end) that all regret curves reach. A simple
/// regret at a checkpoint is that of the last recommendation up to it.
std::vector<Measured> compared_quantities(const Scenario& scenario, const ScenarioResult& result);

/// All quantities that a finished run has.
Finals finals_of(const RunOutcome& outcome);

/// All runs, as one setting.
Study study_of(const Scenario& scenario, const ScenarioResult& result);

}  // namespace posse
