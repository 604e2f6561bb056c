// SPDX-License-Identifier: Apache-2.0
// Parts of results.json, and of pages.
//
// JSON has neither infinity nor NaN: they are the strings "inf", "-inf" and "nan".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"
#include "core/role/protocol.hpp"
#include "program/base/json.hpp"
#include "program/base/statistics.hpp"
#include "program/base/table_json.hpp"
#include "program/run/runner.hpp"
#include "program/run/verdict.hpp"

namespace posse {

/// A results.json. Throws FileError unless its results_version is this program's.
Json read_results(const std::filesystem::path& path);

/// A number as in results.json; null if there is none.
Json number_json(double x);
Json number_json(const std::optional<double>& x);
Json bound_json(const Bound& bound, bool vacuous);
Json statistics_json(const Statistics& s);
/// A list of objects.
Json warnings_json(const std::vector<Warning>& warnings);
/// A list, an object per type and direction.
Json ledger_json(const std::vector<TypeAccount>& accounts);
Json regret_json(const RegretSummary& regret);
/// An object; its member `arms` is the list of arms, `answer` a name or null.
Json arms_json(const ArmsSummary& summary);
/// Measurements of one run, with verdicts.
Json measurements_json(const std::vector<Measurement>& measurements, const WorstCase& worst);
Json forecast_json(const Forecast& forecast);
/// The algorithm's parameters by name; durations in seconds, their names end in _s; null: auto.
/// Without files.
Json parameters_json(const Parameters& parameters);
/// The parameters that several algorithms have with different values, in the alphabet's order, as
/// columns; real if all values are numbers.
std::vector<Column> differing_parameters(const std::vector<Json>& of_algorithms);
/// Of parameters_json(), in such a column: nothing where the algorithm lacks it.
Datum parameter_datum(const Json& parameters, const Column& column);
/// null if there is none.
Json plane_json(const std::optional<ArmPlane>& plane);
/// sum_<part>_virtual_s: summed over nodes and messages.
Json phases_json(const PhaseTotals& phases);
/// An object: path_<part>_virtual_s, `waited_for`: in how many rounds, by node, of the 1000 nodes
/// with the most rounds. Null if none is known.
Json critical_paths_json(const CriticalPaths& paths,
                         const std::function<std::string(NodeId)>& name_of);

/// "finished", "stalled", …, or "not_started".
std::string_view status_of(const RunRecord& run);

}  // namespace posse
