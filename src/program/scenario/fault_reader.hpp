// SPDX-License-Identifier: Apache-2.0
// Reads [[fault]]: what goes wrong with links and nodes, and when.
#pragma once

#include <span>
#include <string_view>

#include "program/scenario/rule_scope.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {

struct FaultKind {
  std::string_view name, summary;
};
/// The values of [[fault]] kind.
std::span<const FaultKind> fault_kinds();

/// `root` is the scenario; its algorithms must have been read. `last`: repetition, from 0.
void read_faults(TableReader& root,
                 const KnownAlgorithms& known,
                 std::int64_t last,
                 Scenario& scenario,
                 Diagnostics& diagnostics);

}  // namespace posse
