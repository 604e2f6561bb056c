// SPDX-License-Identifier: Apache-2.0
#include "program/results/summary_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/named.hpp"
#include "program/results/study_json.hpp"

namespace posse {
namespace {

Json thresholds_json(const std::vector<ThresholdVerdict>& verdicts) {
  Json list = Json::array();
  for (const auto& verdict : verdicts)
    list.push_back({{"algorithm", verdict.algorithm},
                    {"measure", verdict.measure},
                    {"condition", verdict.condition},
                    {"measured", number_json(verdict.measured)},
                    {"limit", number_json(verdict.limit)},
                    {"verdict", to_string(verdict.state)},
                    {"because", verdict.because}});
  return list;
}

Json measurements_json(const std::vector<MeasurementSummary>& measurements) {
  Json list = Json::array();
  for (const auto& f : measurements) {
    Json json{{"name", f.name}, {"unit", f.unit}, {"measured", statistics_json(f.measured)}};
    json["bound"] = f.bound ? bound_json(*f.bound, f.vacuous) : Json(nullptr);
    json["exceeded_in"] = f.exceeded;
    list.push_back(std::move(json));
  }
  return list;
}

/// The statistics of an arm, by their keys.
struct ArmStatistics {
  const char* key;
  Statistics ArmLine::*values;
};
constexpr ArmStatistics kArmStatistics[] = {{"optimum", &ArmLine::optimum},
                                            {"pulls", &ArmLine::pulls},
                                            {"best", &ArmLine::best},
                                            {"confidence_bound", &ArmLine::bound},
                                            {"last_pull", &ArmLine::last_pull}};

Json arms_json(const ArmLines& lines) {
  Json rows = Json::array();
  for (const auto& arm : lines.rows) {
    Json row{{"name", arm.name}, {"answers", arm.answers}};
    for (const auto& [key, values] : kArmStatistics) row[key] = statistics_json(arm.*values);
    rows.push_back(std::move(row));
  }
  return {{"number", lines.arms}, {"maximized", lines.maximized}, {"most_pulled", std::move(rows)}};
}

Json times_json(const RoundTimes& times) {
  Json json{{"rounds", times.rounds}};
  for (std::size_t i = 0; i < times.parts_s.size(); ++i)
    json[fmt::format("path_{}_virtual_s", kCriticalPathParts[i].name)] = times.parts_s[i];
  if (!times.waited_for.empty())
    json["waited_for"] = {{"node", times.waited_for}, {"rounds", times.waited_rounds}};
  return json;
}

Json algorithm_json(const AlgorithmSummary& s) {
  Json json{{"algorithm", s.label},
            {s.of_arms ? "arms" : "clients", s.size},
            {"finished", s.finished},
            {"not_finished", s.others},
            {"measurements", measurements_json(s.measurements)},
            {"totals", measurements_json(s.totals)},
            {"rounds", s.rounds},
            {"tied_rounds", s.tied_rounds},
            {"critical_paths", times_json(s.times)}};
  if (!s.arms.rows.empty()) json["arm_summary"] = arms_json(s.arms);
  return json;
}

/// The enumerator of a name. Throws FileError.
template <class Enum>
Enum named(const JsonObject& json, const char* key, std::initializer_list<Enum> all) {
  const auto text = json.text(key);
  if (const auto found = posse::named(all, text)) return *found;
  json.fail(key, fmt::format("has the unknown value '{}'", text));
}

std::vector<std::string> texts_in(const JsonObject& json, const char* key) {
  std::vector<std::string> texts;
  for (const auto& text : json.list(key)) {
    if (!text.is_string()) json.fail(key, "is not a list of strings");
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

Statistics statistics_in(const JsonObject& json) {
  Statistics s;
  s.n = json.count("n");
  s.mean = json.extended_number("mean");
  s.sd = json.extended_number("sd");
  s.min = json.extended_number("min");
  s.max = json.extended_number("max");
  return s;
}

Bound bound_in(const JsonObject& json) {
  Bound bound;
  bound.value = json.extended_number("value");
  const auto side = json.text("side");
  bound.is_identity = side == "equal";
  bound.is_lower = side == "lower";
  bound.kind =
      named(json,
            "kind",
            {BoundKind::exact, BoundKind::derived, BoundKind::rate, BoundKind::does_not_apply});
  bound.strength =
      named(json,
            "strength",
            {BoundStrength::always, BoundStrength::with_probability, BoundStrength::order_only});
  bound.note = json.text("note");
  return bound;
}

std::vector<MeasurementSummary> measurements_in(const JsonObject& json, const char* key) {
  std::vector<MeasurementSummary> measurements;
  for (const auto& each : json.objects(key)) {
    MeasurementSummary f;
    f.name = each.text("name");
    f.unit = each.text("unit");
    f.measured = statistics_in(each.object("measured"));
    f.exceeded = each.count("exceeded_in");
    if (each.has("bound")) {
      const auto bound = each.object("bound");
      f.bound = bound_in(bound);
      f.vacuous = bound.optional_flag("vacuous");
    }
    measurements.push_back(std::move(f));
  }
  return measurements;
}

ArmLines arms_in(const JsonObject& json) {
  ArmLines lines;
  lines.arms = json.count("number");
  lines.maximized = json.optional_flag("maximized");
  for (const auto& row : json.objects("most_pulled")) {
    ArmLine arm;
    arm.name = row.text("name");
    arm.answers = row.count("answers");
    for (const auto& [key, values] : kArmStatistics) arm.*values = statistics_in(row.object(key));
    lines.rows.push_back(std::move(arm));
  }
  return lines;
}

AlgorithmSummary algorithm_in(const JsonObject& json) {
  AlgorithmSummary s;
  s.label = json.text("algorithm");
  s.of_arms = json.has("arms");
  s.size = json.count(s.of_arms ? "arms" : "clients");
  s.finished = json.count("finished");
  s.others = json.count("not_finished");
  s.measurements = measurements_in(json, "measurements");
  s.totals = measurements_in(json, "totals");
  s.rounds = static_cast<std::uint64_t>(json.number("rounds"));
  s.tied_rounds = static_cast<std::uint64_t>(json.number("tied_rounds"));
  const auto times = json.object("critical_paths");
  s.times.rounds = static_cast<std::uint64_t>(times.number("rounds"));
  for (std::size_t i = 0; i < s.times.parts_s.size(); ++i)
    s.times.parts_s[i] =
        times.number(fmt::format("path_{}_virtual_s", kCriticalPathParts[i].name).c_str());
  if (times.has("waited_for")) {
    const auto node = times.object("waited_for");
    s.times.waited_for = node.text("node");
    s.times.waited_rounds = node.number("rounds");
  }
  if (json.has("arm_summary")) s.arms = arms_in(json.object("arm_summary"));
  return s;
}

ThresholdVerdict threshold_in(const JsonObject& json) {
  ThresholdVerdict verdict{json.text("algorithm"), json.text("measure"), json.text("condition")};
  if (!quantity_named(verdict.measure)) json.fail("measure", "is not a measure");
  verdict.state = named(
      json, "verdict", {ThresholdState::held, ThresholdState::failed, ThresholdState::undecided});
  if (json.has("measured")) verdict.measured = json.extended_number("measured");
  if (json.has("limit")) verdict.limit = json.extended_number("limit");
  verdict.because = json.text("because");
  return verdict;
}

StudyReport study_in(const JsonObject& json) {
  StudyReport report;
  report.title = json.text("title");
  report.study.conditions = json.text("conditions");
  report.headline = texts_in(json, "headline");
  report.warnings = texts_in(json, "warnings");
  report.legend = json.text("legend");
  for (const auto& lines : json.list("tables")) {
    std::vector<std::vector<std::string>> rows;
    try {
      lines.get_to(rows);
    } catch (const Json::exception&) {
      json.fail("tables", "has a table that is not a list of lists of strings");
    }
    if (rows.empty()) json.fail("tables", "has an empty table");
    TextTable table(rows.front());
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (rows[i].size() != rows.front().size())
        json.fail("tables", "has a table with rows of different lengths");
      table.add(std::move(rows[i]));
    }
    report.tables.push_back(std::move(table));
  }
  return report;
}

}  // namespace

void put_summary(const Summary& summary, Json& head) {
  head["conditions"] = summary.conditions;
  head["warnings"] = summary.warnings;
  head["thresholds"] = thresholds_json(summary.thresholds);
  if (!summary.ties.empty()) head["ties"] = summary.ties;
  head["summary"] = Json::array();
  for (const auto& s : summary.algorithms) head["summary"].push_back(algorithm_json(s));
  head["study"] = summary.study ? study_json(*summary.study) : Json(nullptr);
  if (summary.detailed_repetitions < summary.repetitions)
    head["detailed_repetitions"] = summary.detailed_repetitions;
}

Summary read_summary(const StoredRun& stored) {
  const JsonObject& head = stored.results();
  Summary summary;
  summary.conditions = head.text("conditions");
  summary.fingerprint = head.text("fingerprint");
  summary.ties = head.optional_text("ties");
  summary.repetitions = head.count("repeat");
  summary.detailed_repetitions =
      head.has("detailed_repetitions") ? head.count("detailed_repetitions") : summary.repetitions;
  summary.warnings = texts_in(head, "warnings");
  for (const auto& each : head.objects("thresholds"))
    summary.thresholds.push_back(threshold_in(each));
  for (const auto& each : head.objects("summary")) summary.algorithms.push_back(algorithm_in(each));
  if (head.has("study")) summary.study = study_in(head.object("study"));
  return summary;
}

}  // namespace posse
