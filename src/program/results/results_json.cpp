#include "program/results/results_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "program/base/files.hpp"

namespace posse {
namespace {

using Keys = std::span<const std::string_view>;

/// Keys of numbers in measurements, bounds, regrets, arms and forecasts.
constexpr std::array<std::string_view, 22> kNumberKeys{"value",
                                                       "measured",
                                                       "mean",
                                                       "sd",
                                                       "min",
                                                       "max",
                                                       "cumulative_regret",
                                                       "local_cumulative_regret",
                                                       "simple_regret",
                                                       "local_simple_regret",
                                                       "minimum",
                                                       "best",
                                                       "last",
                                                       "bound",
                                                       "bounds_at_selection",
                                                       "regret_at_selection_last",
                                                       "regret_at_selection_best",
                                                       "evaluations",
                                                       "rounds",
                                                       "messages",
                                                       "bytes",
                                                       "recommendation"};

bool is_non_finite(const Json& json) {
  if (!json.is_string()) return false;
  const auto& text = json.get_ref<const std::string&>();
  return text == "inf" || text == "-inf" || text == "nan" || text == "-nan";
}

void null_below(Json& json, bool number, Keys keys) {
  if (json.is_object()) {
    for (auto& [key, value] : json.items())
      null_below(value, std::find(keys.begin(), keys.end(), key) != keys.end(), keys);
  } else if (json.is_array()) {
    for (auto& value : json) null_below(value, number, keys);
  } else if (number && is_non_finite(json)) {
    json = nullptr;
  }
}

Json account_json(const TypeAccount& a) {
  return {{"type", a.type},
          {"direction", to_string(a.direction)},
          {"sent", a.sent},
          {"repeated", a.repeated},
          {"duplicated", a.duplicated},
          {"delivered", a.delivered},
          {"discarded", a.discarded},
          {"dropped",
           {{"loss", a.dropped_loss},
            {"queue", a.dropped_queue},
            {"partition", a.dropped_partition},
            {"crash", a.dropped_crash}}},
          {"in_flight", a.in_flight},
          {"values", a.values},
          {"bytes", a.bytes},
          {"header_bytes", a.header_bytes},
          {"wire_bytes", a.wire_bytes},
          {"after_finish", {{"copies", a.after_finish}, {"wire_bytes", a.after_finish_bytes}}}};
}

}  // namespace

void check_schema(const std::filesystem::path& path, const Json& results) {
  const auto schema = results.find("schema");
  if (schema == results.end()) return;
  if (!schema->is_number()) throw FileError(path, "schema is not a number");
  if (schema->get<double>() > kSchemaVersion)
    throw FileError(path,
                    fmt::format("has schema {}, of a later version; this version reads {}",
                                schema->dump(),
                                kSchemaVersion));
  if (schema->get<double>() < kSchemaVersion)
    throw FileError(
        path,
        fmt::format("has schema {}, of an earlier version; this version reads {}: run the "
                    "folder's scenario.toml again",
                    schema->dump(),
                    kSchemaVersion));
}

std::string hexadecimal(std::uint64_t x) { return fmt::format("{:016x}", x); }

Json number_json(double x) { return std::isfinite(x) ? Json(x) : Json(fmt::format("{}", x)); }

std::string_view status_of(const RunRecord& run) {
  return run.started ? to_string(run.result.outcome.status) : std::string_view("not_started");
}

Json bound_json(const Bound& bound, bool vacuous) {
  return {{"value", number_json(bound.value)},
          {"side",
           bound.is_identity ? "equal"
           : bound.is_lower  ? "lower"
                             : "upper"},
          {"kind", to_string(bound.kind)},
          {"strength", to_string(bound.strength)},
          {"vacuous", vacuous},
          {"note", bound.note}};
}

Json statistics_json(const Statistics& s) {
  return {{"n", s.n},
          {"mean", number_json(s.mean)},
          {"sd", number_json(s.sd)},
          {"min", number_json(s.min)},
          {"max", number_json(s.max)}};
}

Json ledger_json(const std::vector<TypeAccount>& accounts) {
  Json list = Json::array();
  for (const auto& account : accounts) list.push_back(account_json(account));
  return list;
}

Json regret_json(const RegretSummary& r) {
  Json json{{"cumulative_regret", number_json(r.cumulative)},
            {"local_cumulative_regret", number_json(r.local_cumulative)},
            {"simple_regret", r.simple ? number_json(*r.simple) : Json(nullptr)},
            {"local_simple_regret", r.local_simple ? number_json(*r.local_simple) : Json(nullptr)},
            {"recommendation", r.recommendation},
            {"evaluations", r.evaluations},
            {"min_evaluations", r.min_evaluations},
            {"max_evaluations", r.max_evaluations}};
  if (!r.local_recommendations.empty() && r.local_recommendations.size() <= kMostClientsListed)
    json["local_recommendations"] = r.local_recommendations;
  return json;
}

Json arms_json(const ArmsSummary& summary) {
  Json arms = Json::array();
  for (const auto& arm : summary.arms)
    arms.push_back({{"name", arm.name},
                    {"minimum", arm.minimum ? number_json(*arm.minimum) : Json(nullptr)},
                    {"pulls", arm.pulls},
                    {"best", number_json(arm.best)},
                    {"last", number_json(arm.last)},
                    {"bound", number_json(arm.bound)},
                    {"last_pull", arm.last_pull},
                    {"last_pulled_virtual_s", arm.last_pulled.to_seconds()}});
  return {{"pulls", summary.pulls},
          {"answer", summary.answer ? Json(summary.arms[*summary.answer].name) : Json(nullptr)},
          {"bounds_at_selection", number_json(summary.bounds_at_selection)},
          {"regret_at_selection_last", number_json(summary.last_regret_at_selection)},
          {"regret_at_selection_best", number_json(summary.best_regret_at_selection)},
          {"arms", std::move(arms)}};
}

Json measurements_json(const std::vector<Measurement>& measurements, const WorstCase& worst) {
  Json list = Json::array();
  for (const auto& measurement : measurements) {
    Json json{{"name", measurement.name},
              {"unit", measurement.unit},
              {"measured", number_json(measurement.measured)}};
    json["bound"] = measurement.bound
                        ? bound_json(*measurement.bound, is_vacuous(measurement, worst))
                        : Json(nullptr);
    json["verdict"] = verdict(measurement, worst);
    list.push_back(std::move(json));
  }
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

Json forecast_json(const Forecast& forecast) {
  return {{"evaluations", number_json(forecast.evaluations)},
          {"rounds", number_json(forecast.rounds)},
          {"messages", number_json(forecast.messages)},
          {"bytes", number_json(forecast.bytes)}};
}

Json plane_json(const std::optional<ArmPlane>& plane) {
  if (!plane) return nullptr;
  return {{"low", plane->domain.low},
          {"high", plane->domain.high},
          {"partition", to_string(plane->partition)},
          {"optima", plane->optima}};
}

Json phases_json(const PhaseTotals& phases) {
  return {{"compute_s", phases.compute.to_seconds()},
          {"queueing_s", phases.queueing.to_seconds()},
          {"transfer_s", phases.transfer.to_seconds()},
          {"propagation_s", phases.propagation.to_seconds()},
          {"waiting_s", phases.waiting.to_seconds()}};
}

Json critical_paths_json(const CriticalPaths& paths,
                         const std::function<std::string(NodeId)>& name_of) {
  if (paths.rounds == 0) return nullptr;
  Json json{{"rounds", paths.rounds}};
  for (const auto& part : kCriticalPathParts)
    json[fmt::format("{}_s", part.name)] = (paths.sum.*part.time).to_seconds();
  json["waited_for"] = Json::object();
  for (const auto& [node, rounds] : paths.waited_for) json["waited_for"][name_of(node)] = rounds;
  return json;
}

void null_non_finite(Json& part) { null_below(part, false, kNumberKeys); }

}  // namespace posse
