// SPDX-License-Identifier: Apache-2.0
// The section [sweep] of a scenario: which keys vary, and over which values.
//
//   "population.clients" = [1, 4, 16]                                   a list
//   "network.latency" = { from = "1 ms", to = "1 s", steps = 4, scale = "log" }   a range
//   lock_step = [["population.clients", "server.quorum"]]               these advance together
//   constraint = "clients * evaluations_per_client <= 1e6"              settings to keep
//   [sweep.named.link]                                      a name for the values of several keys
//   satellite = { "network.latency" = "300 ms", "network.loss" = 0.01 }
//   [[sweep.exclude]]                                                   algorithms to leave out
//   algorithm = "hct-central"
//   where = "clients > 100"
//
// Keys are paths as in `--set`. Every combination of values is a setting; the first key of the
// section varies slowest. Keys come in the order of the file.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/scenario/diagnostics.hpp"
#include "program/scenario/value.hpp"

namespace posse {

/// A key that varies, or several that have a name together.
struct SweepAxis {
  std::string key;
  /// At least one, all different, if the section is right. With names: tables of paths and values.
  std::vector<Value> values;
  std::vector<std::string> names = {};  // of the values; empty for a single key

  /// What it sets at a position: paths with their values.
  std::vector<std::pair<std::string, Value>> assignments(std::size_t position) const;
  /// As it stands in the file, but without quotes, or the name.
  std::string text(std::size_t position) const;
};

/// Which algorithms some settings are without.
struct SweepExclusion {
  SourceLocation location;
  std::vector<Value> algorithms;  // labels or kinds; empty: all, and with them the settings
  std::string expression;         // as a constraint; empty: none
  SourceLocation expression_location;
  /// Axes, and which of their values, by positions; without an expression.
  std::vector<std::pair<std::size_t, std::set<std::size_t>>> values;
};

/// As it stands in the file, but without quotes: "200 ms"; of a component "gamma 50 ms (shape 2)",
/// of a server "quorum (quorum 85%)".
std::string value_text(const Value& value);
/// What a parameter of a component says about it without its name.
bool is_main_parameter(std::string_view parameter);

struct SweepSection {
  std::vector<SweepAxis> axes;
  /// Positions in `axes`. Those of a group have equally many values and advance together; each
  /// axis is in one group, most of them alone. Groups vary independently, the first one slowest.
  std::vector<std::vector<std::size_t>> groups;
  std::string constraint;  // empty: none
  std::vector<SweepExclusion> exclusions;
  SourceLocation location, constraint_location;

  /// Settings before the constraint. Saturates.
  std::uint64_t combinations() const;
};

inline constexpr std::size_t kMostAxisValues = 100'000;

/// Keys in quotes, such as "network.loss", become tables in tables like those without, so that both
/// can be set by `--set sweep.network.loss=…`.
void nest_quoted_keys(Value& section, Diagnostics& diagnostics);

/// A key that two paths set, or a path and another to a part of it, is a mistake. `root`: the
/// scenario without the section.
void reject_overlaps(const SweepSection& sweep, const Value& root, Diagnostics& diagnostics);

/// Reads the section, with nested keys. Ranges: `from` and `to` are numbers or texts with units of
/// one kind, `steps` at least 2, `scale` "linear" (default) or "log"; `whole = true` rounds to
/// whole numbers and drops repeated ones. Steps between the ends are rounded to 4 significant
/// digits (log) or 12 (linear). A key with a mistake has the values that are right, perhaps none.
SweepSection read_sweep(const Value& section, Diagnostics& diagnostics);

}  // namespace posse
