// Reads the [network] part of a scenario.
#pragma once

#include <optional>
#include <string>

#include "program/scenario/scenario.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {

/// Reads `kind` and that kind's parameters from the table at `key` of `parent`; the caller reads
/// the `extra` keys.
std::optional<Component> read_duration(TableReader& parent,
                                       std::string_view key,
                                       bool with_matrix,
                                       Scenario& scenario,
                                       Diagnostics& diagnostics);

/// [network] into `scenario.network`. The algorithms must have been read.
void read_network(const Value& value, Scenario& scenario, Diagnostics& diagnostics);
/// The default of [network].
void default_network(Scenario& scenario);

}  // namespace posse
