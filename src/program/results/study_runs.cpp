// SPDX-License-Identifier: Apache-2.0
#include "program/results/study_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/named.hpp"
#include "core/base/shown_text.hpp"
#include "core/role/outcome.hpp"
#include "program/base/json.hpp"
#include "program/base/table_json.hpp"

namespace posse {
namespace {

/// A fact of a run, which is a column and a key of the same name.
struct Fact {
  const char* name;
  ColumnType type;
  Datum (*value)(const ComparisonFacts&);
  void (*take)(const Datum&, ComparisonFacts&);
};
/// A real number that may be missing.
template <std::optional<double> ComparisonFacts::*place>
constexpr Fact real_fact(const char* name) {
  return {name,
          ColumnType::real,
          [](const ComparisonFacts& facts) { return datum(facts.*place); },
          [](const Datum& value, ComparisonFacts& facts) {
            if (const auto* real = std::get_if<double>(&value)) facts.*place = *real;
          }};
}
const std::array<Fact, 5> kFacts{{
    {"widths",
     ColumnType::text,
     [](const ComparisonFacts& facts) {
       return facts.widths ? datum(to_string(*facts.widths)) : Datum();
     },
     [](const Datum& value, ComparisonFacts& facts) {
       if (const auto* text = std::get_if<std::string>(&value)) facts.widths = widths_of(*text);
     }},
    {"random_recommendation",
     ColumnType::flag,
     [](const ComparisonFacts& facts) { return datum(facts.random_recommendation); },
     [](const Datum& value, ComparisonFacts& facts) {
       const auto* flag = std::get_if<bool>(&value);
       facts.random_recommendation = flag != nullptr && *flag;
     }},
    {"pulls_at_once",
     ColumnType::count,
     [](const ComparisonFacts& facts) { return datum(facts.pulls_at_once); },
     [](const Datum& value, ComparisonFacts& facts) {
       if (const auto* count = std::get_if<std::uint64_t>(&value))
         facts.pulls_at_once = static_cast<std::uint32_t>(
             std::min<std::uint64_t>(*count, std::numeric_limits<std::uint32_t>::max()));
     }},
    real_fact<&ComparisonFacts::nu1>("nu1"),
    real_fact<&ComparisonFacts::rho>("rho"),
}};

constexpr std::string_view kFinished = to_string(RunStatus::finished);
constexpr std::string_view kViolated = "violated";
constexpr auto kOwnMeasures = "own_measures";

/// Quantities that every finished run has.
constexpr std::array<std::string_view, 5> kOfEveryRun{
    "rounds", "messages", "payload_bytes", "wire_bytes", "virtual_s"};

Json whole_or_real(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::floor(value) == value && std::abs(value) <= kExact)
    return static_cast<std::int64_t>(value);
  return value;
}

std::vector<Warning> warnings_of(const JsonObject& entry) {
  std::vector<Warning> warnings;
  if (!entry.has("warnings")) return warnings;
  for (const auto& one : entry.objects("warnings"))
    warnings.push_back({one.text("code"), one.text("text"), one.number("size")});
  return warnings;
}

/// The own measures of a finished run, by their names.
Json own_measures_json(const Finals& finals) {
  std::vector<std::size_t> own;
  for (const auto& [quantity, value] : finals.own())
    if (value && std::isfinite(*value)) own.push_back(quantity);
  sort_quantities(own);
  auto json = Json::array();
  for (const auto q : own) {
    const Quantity& quantity = quantity_at(q);
    json.push_back({{"name", quantity.name},
                    {"unit", quantity.unit},
                    {"meaning", quantity.meaning},
                    {"better", to_string(quantity.better)},
                    {"value", whole_or_real(*finals[q])}});
  }
  return json;
}

void take_own_measures(const JsonObject& entry, Finals& finals) {
  if (!entry.has(kOwnMeasures)) return;
  constexpr std::array kAll{Better::less, Better::more, Better::neither};
  for (const auto& one : entry.objects(kOwnMeasures)) {
    const auto name = one.text("name"), unit = one.text("unit"), meaning = one.text("meaning");
    const auto better = named(kAll, one.text("better"));
    if (!better) one.fail("better", "is not less, more or neither");
    try {
      finals[own_quantity({name, unit, meaning, *better})] = one.number("value");
    } catch (const FileError&) {
      throw;
    } catch (const InputError& problem) {
      one.fail("name", problem.what());
    }
  }
}

/// Lists are JSON in a cell, which is empty for an empty one.
std::string list_cell(const Json& list) { return list.empty() ? "" : compact_json(list); }

template <class Use>
void use_list(const std::string& cell, const char* name, const Use& use) {
  if (cell.empty()) return;
  try {
    const Json json{{name, Json::parse(cell)}};
    use(JsonObject("", "", json));
  } catch (const std::exception&) {
    throw InputError(fmt::format("'{}' is no list of {}", shortened(cell), name));
  }
}

}  // namespace

void put_study_run(const StudyRun& run, Json& entry) {
  for (const auto& fact : kFacts) entry[fact.name] = json_of(fact.value(run.facts));
  entry["warnings"] = warnings_json(run.warnings);
  entry["finals"] = Json::object();
  for (std::size_t q = 0; q < kQuantities.size(); ++q)
    if (const auto& value = run.finals[q]; run.finished && value && std::isfinite(*value))
      entry["finals"][std::string(quantity_at(q).name)] = whole_or_real(*value);
  if (auto own = own_measures_json(run.finals); run.finished && !own.empty())
    entry[kOwnMeasures] = std::move(own);
}

StudyRun study_run(const JsonObject& entry) {
  StudyRun run;
  run.seed = entry.text("seed");
  for (const auto& fact : kFacts) fact.take(entry.optional_datum(fact.name, fact.type), run.facts);
  run.warnings = warnings_of(entry);
  run.finished = entry.text("status") == kFinished;
  if (!run.finished) return run;
  const auto stored = entry.object("finals");
  for (std::size_t q = 0; q < kQuantities.size(); ++q) {
    const std::string name(quantity_at(q).name);
    if (std::ranges::find(kOfEveryRun, name) != kOfEveryRun.end() || stored.has(name.c_str()))
      run.finals[q] = stored.number(name.c_str());
  }
  take_own_measures(entry, run.finals);
  return run;
}

std::string status_in_summary(const JsonObject& entry) {
  const auto status = entry.text("status");
  const auto broken = [](const JsonObject& measurement) {
    return measurement.text("verdict") == kViolated;
  };
  const bool violated =
      status == kFinished && std::ranges::any_of(entry.objects("measurements"), broken);
  return violated ? std::string(kViolated) : status;
}

double values_sent(const JsonObject& entry) {
  double values = 0;
  for (const auto& account : entry.objects("ledger"))
    if (account.text("type") != kAcknowledgement) values += account.number("values");
  return values;
}

const ColumnsOf<StudyRun>& fact_columns() {
  static const auto columns = [] {
    ColumnsOf<StudyRun> all;
    for (const auto& fact : kFacts)
      all.add(fact.name, fact.type, [&fact](const StudyRun& run) { return fact.value(run.facts); });
    all.add("warnings", [](const StudyRun& run) { return list_cell(warnings_json(run.warnings)); });
    all.add(kOwnMeasures, [](const StudyRun& run) {
      return run.finished ? list_cell(own_measures_json(run.finals)) : "";
    });
    return all;
  }();
  return columns;
}

const ColumnsOf<StudyRun>& quantity_columns() {
  static const auto columns = [] {
    ColumnsOf<StudyRun> all;
    for (std::size_t q = 0; q < kQuantities.size(); ++q)
      all.add(std::string(quantity_at(q).name), [q](const StudyRun& run) { return run.finals[q]; });
    return all;
  }();
  return columns;
}

StudyRunReader::StudyRunReader(const CsvReader& rows)
    : seed_(rows.column("seed")),
      status_(rows.column("status")),
      warnings_(rows.column("warnings")),
      own_measures_(rows.column(kOwnMeasures)) {
  for (const auto& fact : kFacts) facts_.push_back(rows.column(fact.name));
  for (const auto& quantity : kQuantities) quantities_.push_back(rows.column(quantity.name));
}

StudyRun StudyRunReader::read(const CsvReader& rows) const {
  StudyRun run;
  run.seed = rows.cell(seed_);
  use_list(rows.cell(warnings_), "warnings", [&](const JsonObject& list) {
    run.warnings = warnings_of(list);
  });
  for (std::size_t i = 0; i < kFacts.size(); ++i) {
    const auto value = datum_in(rows.cell(facts_[i]), kFacts[i].type);
    if (!value)
      throw InputError(fmt::format("line {}: {} is '{}', not {}",
                                   rows.line(),
                                   kFacts[i].name,
                                   rows.shown(facts_[i]),
                                   wanted(kFacts[i].type)));
    kFacts[i].take(*value, run.facts);
  }
  const auto status = rows.cell(status_);
  run.finished = status == kFinished || status == kViolated;
  if (!run.finished) return run;
  for (std::size_t q = 0; q < kQuantities.size(); ++q)
    if (!rows.cell(quantities_[q]).empty()) run.finals[q] = finite_number(rows, quantities_[q]);
  use_list(rows.cell(own_measures_), kOwnMeasures, [&](const JsonObject& list) {
    take_own_measures(list, run.finals);
  });
  return run;
}

}  // namespace posse
