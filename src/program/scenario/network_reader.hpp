// SPDX-License-Identifier: Apache-2.0
// Reads the [network] part of a scenario.
#pragma once

#include <optional>
#include <string>

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

/// A selector at `key` of a rule, if there is one; `network` keeps it for the check of its names.
std::optional<std::string> read_nodes_of_rule(TableReader& reader,
                                              std::string_view key,
                                              NetworkScenario& network);

/// [network] into `scenario.network`. The algorithms must have been read; `every_kind`: all of them
/// are of a known kind.
void read_network(const Value& value,
                  bool every_kind,
                  Scenario& scenario,
                  Diagnostics& diagnostics);
/// The default of [network].
void default_network(Scenario& scenario);

}  // namespace posse
