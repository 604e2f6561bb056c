// Parts of results.json, for whoever says the same things in JSON: the results, the live page and
// the page of a finished run.
//
// JSON knows neither infinity nor NaN: results.json has them as the texts "inf", "-inf" and "nan",
// pages have null (null_non_finite).
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"
#include "core/role/protocol.hpp"
#include "program/base/statistics.hpp"
#include "program/run/runner.hpp"
#include "program/summary/comparison.hpp"
#include "program/summary/summary.hpp"
#include "program/summary/verdict.hpp"

namespace posse {

using Json = nlohmann::ordered_json;

/// Of results.json.
inline constexpr int kSchemaVersion = 2;
/// Throws FileError if the file was written by a later version than this one.
void check_schema(const std::filesystem::path& path, const Json& results);

/// As results.json has it.
Json number_json(double x);
Json bound_json(const Bound& bound, bool vacuous);
Json statistics_json(const Statistics& s);
/// A list, an object per type and direction.
Json ledger_json(const std::vector<TypeAccount>& accounts);
Json regret_json(const RegretSummary& regret);
/// An object; its member `arms` is the list of arms, `answer` a name or null.
Json arms_json(const ArmsSummary& summary);
/// Of one run: with verdicts.
Json measurements_json(const std::vector<Measurement>& measurements, const WorstCase& worst);
/// Of several runs: `measurements` or `totals` of an algorithm.
Json measurements_json(const std::vector<MeasurementSummary>& measurements);
Json forecast_json(const Forecast& forecast);
Json phases_json(const PhaseTotals& phases);

/// "finished", "stalled", …, or "not_started".
std::string_view status_of(const RunRecord& run);

/// In a part as above, or in an object that holds such parts: null instead of the texts for what
/// isn't finite, wherever a number belongs. Labels, names and notes stay.
void null_non_finite(Json& part);
/// The same in `comparisons`, where `best` is a label.
void null_non_finite_comparisons(Json& comparisons);

}  // namespace posse
