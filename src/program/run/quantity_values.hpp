// SPDX-License-Identifier: Apache-2.0
// The compared quantities of one run.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/role/outcome.hpp"
#include "program/base/quantities.hpp"

namespace posse {

/// First transmissions of messages proper, without the transport's acknowledgements.
std::uint64_t messages_sent(const RunOutcome& outcome);
std::uint64_t payload_bytes(const RunOutcome& outcome);
std::uint64_t payload_bytes(const TypeAccount& account);

/// A quantity of kQuantities at the end of a run; nothing if the run doesn't have it.
std::optional<double> quantity_value(const RunOutcome& outcome, std::string_view quantity);

/// All of them.
Finals finals_of(const RunOutcome& outcome);  // without own measures
Finals finals_of(const RunRecord& run);

}  // namespace posse
