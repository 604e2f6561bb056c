// SPDX-License-Identifier: Apache-2.0
#include "program/page/document_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/check.hpp"
#include "core/role/hierarchy.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/faulty_nodes.hpp"

namespace posse {
namespace {

/// How a document has a table of runs.
struct TableInDocument {
  std::string_view table, key;
  std::string_view by = {};  // a column: an object of tables, one for each of its values
  std::size_t most_parts = std::numeric_limits<std::size_t>::max();
  std::size_t most_rows = std::numeric_limits<std::size_t>::max();
  bool first_rows = false;                       // else spread evenly
  std::array<std::string_view, 8> without = {};  // columns that no page shows
};
constexpr std::array<TableInDocument, 6> kTables{{
    {.table = "rounds",
     .key = "rounds_table",
     .most_rows = 300,
     .without = {"best_depth",
                 "best_index",
                 "pulls_per_cell",
                 "kept_cells",
                 "evaluations_per_client",
                 "values_so_far",
                 "stale",
                 "needless"}},
    {.table = "regret", .key = "curves", .by = "metric", .most_parts = 32, .without = {"client"}},
    {.table = "arms",
     .key = "arm_curves",
     .by = "arm",
     .most_parts = 12,  // as many as arms.js draws
     .without = {"confidence_bound"}},
    {.table = "links", .key = "links"},
    {.table = "cells", .key = "cells", .without = {"children"}},
    {.table = "messages",
     .key = "messages",
     .most_rows = 400,
     .first_rows = true,
     .without = {"id", "transmission", "number", "needless", "order", "content"}},
}};

/// Nodes by id, of small runs, and who stands above whom.
void put_nodes(const JsonObject& entry, Json& run) {
  run["nodes"] = Json::array();
  run["hub"] = nullptr;
  run["above"] = Json::array();
  if (!entry.has("groups")) return;
  std::vector<std::string> names;
  std::vector<NodeGroup> groups;
  std::uint64_t size = 0;
  for (const auto& group : entry.objects("groups")) {
    names.push_back(group.text("name"));
    groups.push_back(
        {{}, group.count("size"), group.optional_flag("numbered"), group.count("first_number")});
    size += groups.back().size;
    if (!groups.back().numbered && groups.back().size != 1) group.fail("size", "is not 1");
  }
  if (size == 0 || size > kMostNodesWithLinks) return;
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].name = names[i];
  const NodeNames nodes(groups);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) run["nodes"].push_back(nodes.name({i}));
  const auto topology = topology_named(entry.text("topology"));
  if (!topology || !has_hub(*topology)) return;
  run["hub"] = 0;
  if (*topology == Topology::hierarchy && groups.size() < 2) return;
  const std::uint32_t edges = edges_of(*topology, groups);
  if (edges == 0 || edges + 1 >= nodes.size()) return;
  const Hierarchy hierarchy{nodes.size() - 1 - edges, edges};
  run["above"].push_back(nullptr);
  for (std::uint32_t i = 1; i < nodes.size(); ++i)
    run["above"].push_back(hierarchy.above({i}).value);
}

Json message_types_of(const std::vector<DocumentAlgorithm>& algorithms) {
  std::vector<const AlgorithmSpec*> specs;
  for (const auto& algorithm : algorithms) specs.push_back(find_algorithm(algorithm.kind));
  return message_types(specs);
}

}  // namespace

std::string document_text(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<DocumentAlgorithm> document_algorithms(const Scenario& scenario) {
  std::vector<DocumentAlgorithm> algorithms;
  for (const auto& entry : scenario.algorithms)
    algorithms.push_back({entry.label, std::string(entry.spec->kind), entry.clients});
  return algorithms;
}

Json document_head(const ScenarioFacts& facts,
                   const std::string& scenario_toml,
                   const std::vector<DocumentAlgorithm>& algorithms) {
  Json head{{"schema", kDocumentSchema},
            {"objective", facts.objective},
            {"heterogeneity", facts.heterogeneity},
            {"noise", facts.noise},
            {"budget", facts.budget ? Json(*facts.budget) : Json(nullptr)},
            {"scenario_toml", scenario_toml},
            {"algorithms", Json::array()},
            {"message_types", message_types_of(algorithms)},
            {"study", nullptr},
            {"interventions", Json::array()},
            {"validation", Json::array()},
            {"runs_left_out", 0},
            {"runs_without_details", 0}};
  for (const auto& algorithm : algorithms)
    head["algorithms"].push_back({{"label", algorithm.label},
                                  {"kind", algorithm.kind},
                                  {"clients", algorithm.clients},
                                  {"finished", 0},
                                  {"not_finished", 0},
                                  {"measurements", Json::array()},
                                  {"totals", Json::array()}});
  return head;
}

void put_results(const JsonObject& results, Json& document) {
  document["name"] = results.text("name");
  document["seed"] = results.optional_number("seed", nullptr);
  document["repeat"] = results.optional_number("repeat", nullptr);
  document["status"] = results.optional_text("status");
  document["fingerprint"] = results.optional_text("fingerprint");
  document["thresholds"] = results.optional_list("thresholds");
  document["warnings"] = results.optional_list("warnings");
  document["study"] = results.optional_object("study", nullptr);
  if (!document["study"].is_null()) document["study"].erase("measures");
  if (!results.has("summary")) return;
  for (const auto& summary : results.objects("summary")) {
    const auto label = summary.text("algorithm");
    auto& algorithms = document["algorithms"];
    const auto algorithm = std::ranges::find_if(
        algorithms, [&](const Json& other) { return other["label"] == label; });
    if (algorithm == algorithms.end())
      summary.fail("algorithm", fmt::format("'{}' is in no run", label));
    for (const auto* key : {"finished", "not_finished"}) (*algorithm)[key] = summary.count(key);
    for (const auto* key : {"measurements", "totals"})
      (*algorithm)[key] = summary.optional_list(key);
  }
}

void put_metadata(const JsonObject& metadata, Json& document) {
  Json& out = document["metadata"] = Json::object();
  for (const auto* key : {"version", "commit", "start", "end", "kernel", "clock"})
    out[key] = metadata.optional_text(key);
  for (const auto* key : {"wall_s", "threads", "exit_code"})
    out[key] = metadata.optional_number(key, nullptr);
  out["command_line"] = metadata.optional_list("command_line");
}

Json intervention_json(std::string_view run, const Intervention& done) {
  return {{"action", to_string(done.action)},
          {"run", run},
          {"virtual_s", done.at.to_seconds()},
          {"groups", texts_of(done.groups)}};
}

Json document_run(std::string_view id,
                  std::size_t algorithm,
                  std::string_view state,
                  const JsonObject& entry) {
  Json run{{"id", id},
           {"algorithm", algorithm},
           {"repetition", entry.count("repetition")},
           {"state", state},
           {"status", entry.text("status")},
           {"report", entry.optional_text("report")}};
  run["now_virtual_s"] =
      entry.optional_number(run["status"] == "finished" ? "virtual_s" : "last_event_virtual_s", 0);
  for (const auto* key : {"rounds", "events", "tied_rounds", "children_per_cell"})
    run[key] = entry.optional_number(key, 0);
  for (const auto* key : {"measurements", "ledger"}) run[key] = entry.optional_list(key);
  for (const auto* key : {"forecast", "regret", "phases", "critical_paths", "plane", "arms"})
    run[key] = entry.optional_object(key, nullptr);
  if (entry.has("forecast") && entry.object("forecast").is_number("evaluations") &&
      entry.object("forecast").number("evaluations") > 0)
    run["evaluations_expected"] = entry.object("forecast").number("evaluations");
  run["evaluations"] =
      entry.has("regret") ? entry.object("regret").optional_number("evaluations", 0) : Json(0);
  put_nodes(entry, run);
  return run;
}

DocumentTables::DocumentTables() {
  for (std::size_t i = 0; i < kTables.size(); ++i) {
    const auto& columns = run_table(kTables[i].table).columns;
    Rows& rows = tables_.emplace_back();
    rows.number = i;
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].name != kTables[i].by &&
          std::ranges::find(kTables[i].without, columns[c].name) == kTables[i].without.end())
        rows.columns.push_back(c);
  }
}

bool DocumentTables::add(const RunTable& table, const TableRow& row) {
  const auto at = std::ranges::find(kTables, table.name, &TableInDocument::table);
  POSSE_CHECK(at != kTables.end());
  Rows& rows = tables_[static_cast<std::size_t>(at - kTables.begin())];
  std::string value;
  if (!at->by.empty()) {
    const auto by = std::ranges::find(table.columns, at->by, &Column::name);
    value = std::get<std::string>(row[static_cast<std::size_t>(by - table.columns.begin())]);
  }
  auto part = std::ranges::find(rows.parts, value, &Part::value);
  if (part == rows.parts.end()) {
    if (rows.parts.size() == at->most_parts) return true;
    std::vector<Column> columns;
    for (const auto c : rows.columns) columns.push_back(table.columns[c]);
    part = rows.parts.insert(part, {value, JsonColumns(columns)});
  }
  if (at->first_rows && part->columns.rows() == at->most_rows) return false;
  TableRow kept;
  for (const auto c : rows.columns) kept.push_back(row[c]);
  part->columns.add(std::move(kept));
  return true;
}

void DocumentTables::add(const RunParts& parts) {
  for (const auto& in_document : kTables) {
    const RunTable& table = run_table(in_document.table);
    RunParts some = parts;
    if (in_document.first_rows)
      some.messages = parts.messages.first(std::min(parts.messages.size(), in_document.most_rows));
    table.rows(some, [&](const TableRow& row) { add(table, row); });
  }
}

void DocumentTables::put_into(Json& run, Json& details) const {
  for (const auto& rows : tables_) {
    if (rows.parts.empty()) continue;
    const TableInDocument& table = kTables[rows.number];
    Json& json = (table.table == "regret" ? run : details)[std::string(table.key)] = Json::object();
    for (const auto& part : rows.parts)
      (table.by.empty() ? json : json[part.value]) = part.columns.json(table.most_rows);
  }
}

}  // namespace posse
