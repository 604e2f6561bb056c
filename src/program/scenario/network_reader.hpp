// SPDX-License-Identifier: Apache-2.0
// Reads the [network] part of a scenario.
#pragma once

#include "program/scenario/rule_scope.hpp"

namespace posse {

/// [network] into the scenario's. The algorithms must have been read.
void read_network(const Value& value, const ReadContext& context);

}  // namespace posse
