// SPDX-License-Identifier: Apache-2.0
// Reads the [network] part of a scenario.
#pragma once

#include <optional>
#include <string>

#include "program/scenario/rule_scope.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {

/// Which distributions are allowed: latencies of all links may be a matrix, those of links a trace.
enum class Durations { of_all_links, of_links, of_work };

/// Reads `kind` and that kind's parameters from the table at `key` of `parent`; the caller reads
/// the `extra` keys.
std::optional<Component> read_duration(TableReader& parent,
                                       std::string_view key,
                                       Durations which,
                                       Scenario& scenario,
                                       Diagnostics& diagnostics);

/// [network] into `scenario.network`. The algorithms must have been read.
void read_network(const Value& value,
                  const KnownAlgorithms& known,
                  Scenario& scenario,
                  Diagnostics& diagnostics);
/// The default of [network].
void default_network(Scenario& scenario);

}  // namespace posse
