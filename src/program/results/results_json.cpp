// SPDX-License-Identifier: Apache-2.0
#include "program/results/results_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "program/base/files.hpp"
#include "program/base/version.hpp"
#include "program/results/json_object.hpp"

namespace posse {
namespace {

Json account_json(const TypeAccount& a) {
  return {{"type", a.type},
          {"direction", to_string(a.direction)},
          {"sent", a.sent},
          {"retransmitted", a.repeated},
          {"needless", a.needless},
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

Json read_results(const std::filesystem::path& path) {
  Json json = read_json(path);
  const JsonObject results(path, "", json);
  const bool stated = results.has("results_version");
  if (!stated || results.count("results_version") != kResultsVersion)
    throw FileError(
        path,
        fmt::format("has {}, and this version of Posse reads and repeats results version {}: run "
                    "the folder's scenario.toml again",
                    stated ? fmt::format("results version {}", results.count("results_version"))
                           : "no results version",
                    kResultsVersion));
  return json;
}

Json number_json(double x) { return std::isfinite(x) ? Json(x) : Json(fmt::format("{}", x)); }
Json number_json(const std::optional<double>& x) { return x ? number_json(*x) : Json(nullptr); }

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

Json warnings_json(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const auto& [code, text, size] : warnings)
    list.push_back({{"code", code}, {"text", text}, {"size", number_json(size)}});
  return list;
}

Json ledger_json(const std::vector<TypeAccount>& accounts) {
  Json list = Json::array();
  for (const auto& account : accounts) list.push_back(account_json(account));
  return list;
}

Json regret_json(const RegretSummary& r) {
  Json json{{"cumulative_regret", number_json(r.cumulative)},
            {"local_cumulative_regret", number_json(r.local_cumulative)},
            {"simple_regret", number_json(r.simple)},
            {"local_simple_regret", number_json(r.local_simple)},
            {"recommendation", r.recommendation},
            {"clients", r.clients},
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
                    {"optimum", number_json(arm.optimum)},
                    {"pulls", arm.pulls},
                    {"best", number_json(arm.best)},
                    {"last", number_json(arm.last)},
                    {"bound", number_json(arm.bound)},
                    {"last_pull", arm.last_pull},
                    {"last_pulled_virtual_s", arm.last_pulled.to_seconds()}});
  return {{"direction", summary.maximized ? "maximize" : "minimize"},
          {"pulls", summary.pulls},
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

Json forecast_json(const Forecast& forecast) {
  return {{"evaluations", number_json(forecast.evaluations)},
          {"rounds", number_json(forecast.rounds)},
          {"messages", number_json(forecast.messages)},
          {"payload_bytes", number_json(forecast.bytes)}};
}

Json parameters_json(const Parameters& parameters) {
  Json json = Json::object();
  for (const auto& [name, value] : parameters.all()) {
    if (std::holds_alternative<InputText>(value)) continue;
    if (const auto* duration = std::get_if<Duration>(&value))
      json[name + "_s"] = duration->to_seconds();
    else if (const auto* real = std::get_if<double>(&value))
      json[name] = number_json(*real);
    else if (const auto* whole = std::get_if<std::int64_t>(&value))
      json[name] = *whole;
    else if (const auto* flag = std::get_if<bool>(&value))
      json[name] = *flag;
    else if (const auto* text = std::get_if<std::string>(&value))
      json[name] = *text;
    else if (const auto* numbers = std::get_if<std::vector<double>>(&value))
      json[name] = *numbers;
    else
      json[name] = nullptr;
  }
  return json;
}

std::vector<Column> differing_parameters(const std::vector<Json>& of_algorithms) {
  struct Seen {
    std::vector<std::string> values;
    bool numbers = true;
  };
  std::map<std::string, Seen> parameters;
  for (const auto& own : of_algorithms)
    for (const auto& [name, value] : own.items()) {
      auto& seen = parameters[name];
      seen.values.push_back(value.dump());
      seen.numbers = seen.numbers && value.is_number();
    }
  std::vector<Column> columns;
  for (const auto& [name, seen] : parameters)
    if (std::ranges::adjacent_find(seen.values, std::not_equal_to<>()) != seen.values.end())
      columns.push_back({name, seen.numbers ? ColumnType::real : ColumnType::text});
  return columns;
}

Datum parameter_datum(const Json& parameters, const Column& column) {
  const auto it = parameters.find(column.name);
  if (it == parameters.end()) return {};
  if (it->is_null()) return std::string("auto");
  if (column.type == ColumnType::real && it->is_number()) return it->get<double>();
  if (it->is_number_float()) return fmt::format("{}", it->get<double>());
  return it->is_string() ? it->get<std::string>() : it->dump();
}

Json plane_json(const std::optional<ArmPlane>& plane) {
  if (!plane) return nullptr;
  return {{"low", plane->domain.low},
          {"high", plane->domain.high},
          {"partition", to_string(plane->partition)},
          {"optima", plane->optima}};
}

Json phases_json(const PhaseTotals& phases) {
  return {{"sum_compute_virtual_s", phases.compute.to_seconds()},
          {"sum_queueing_virtual_s", phases.queueing.to_seconds()},
          {"sum_transfer_virtual_s", phases.transfer.to_seconds()},
          {"sum_propagation_virtual_s", phases.propagation.to_seconds()},
          {"sum_waiting_virtual_s", phases.waiting.to_seconds()}};
}

namespace {

/// In JSON, an object with many keys takes time that grows with their square to write and read.
constexpr std::size_t kMostWaitedFor = 1000;

using RoundsByNode = std::vector<std::pair<NodeId, std::uint64_t>>;

/// The nodes with the most rounds, by node.
RoundsByNode most_waited_for(const CriticalPaths& paths) {
  RoundsByNode nodes(paths.waited_for.begin(), paths.waited_for.end());
  if (nodes.size() <= kMostWaitedFor) return nodes;
  const auto more_rounds = [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  };
  std::nth_element(nodes.begin(), nodes.begin() + kMostWaitedFor, nodes.end(), more_rounds);
  nodes.resize(kMostWaitedFor);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

/// A whole number unless the round is shared, then with three decimals.
Json rounds_json(std::uint64_t shares) {
  const double rounds =
      static_cast<double>(shares) / static_cast<double>(CriticalPaths::kWholeRound);
  const double rounded = std::round(rounds * 1000) / 1000;
  if (rounded == std::floor(rounded)) return static_cast<std::uint64_t>(rounded);
  return rounded;
}

}  // namespace

Json critical_paths_json(const CriticalPaths& paths,
                         const std::function<std::string(NodeId)>& name_of) {
  if (paths.rounds == 0) return nullptr;
  Json json{{"rounds", paths.rounds}};
  for (const auto& part : kCriticalPathParts)
    json[fmt::format("path_{}_virtual_s", part.name)] = (paths.sum.*part.time).to_seconds();
  json["waited_for"] = Json::object();
  for (const auto& [node, rounds] : most_waited_for(paths))
    json["waited_for"][name_of(node)] = rounds_json(rounds);
  return json;
}

}  // namespace posse
