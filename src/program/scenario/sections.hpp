// SPDX-License-Identifier: Apache-2.0
// The rows of the schema: for each key its type, range, texts, and where its value goes.
#pragma once

#include <vector>

#include "program/scenario/schema.hpp"

namespace posse {

/// What [server] quorum may be, for errors.
inline constexpr auto kAllowedQuorum = "a number of answers, or a share such as \"80%\"";

/// [network] and what is below it.
std::vector<SectionSpec> network_sections();
/// [compute] and what is below it, and [server].
std::vector<SectionSpec> compute_sections();
/// [[fault]]
SectionSpec fault_section();

}  // namespace posse
