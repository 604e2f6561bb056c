// SPDX-License-Identifier: Apache-2.0
#include "program/page/document_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/base/check.hpp"
#include "core/role/hierarchy.hpp"
#include "program/page/round_blocks.hpp"
#include "program/plot/bars.hpp"
#include "program/plot/kinds.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/faulty_nodes.hpp"

namespace posse {
namespace {

/// How a document has a table of runs.
struct TableInDocument {
  std::string_view table, key;
  bool in_blocks = false;
  std::array<std::string_view, 9> without = {};  // columns that no page shows
};
constexpr std::array<TableInDocument, 3> kTables{{
    {.table = "rounds",
     .key = "rounds_table",
     .in_blocks = true,
     .without = {"best_depth",
                 "best_index",
                 "pulls_per_cell",
                 "kept_cells",
                 "evaluations_per_client",
                 "bytes_so_far",
                 "values_so_far",
                 "stale",
                 "needless"}},
    {.table = "links", .key = "links"},
    {.table = "cells", .key = "cells", .without = {"children"}},
}};

/// Nodes by id, of small runs, and who stands above whom.
void put_nodes(const JsonObject& entry, Json& run) {
  run["nodes"] = Json::array();
  run["hub"] = nullptr;
  run["above"] = Json::array();
  const NodeNames nodes = stored_nodes(entry);
  if (nodes.size() == 0 || nodes.size() > kMostNodesWithLinks) return;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) run["nodes"].push_back(nodes.name({i}));
  const auto topology = topology_named(entry.text("topology"));
  if (!topology || !has_hub(*topology)) return;
  run["hub"] = 0;
  if (*topology == Topology::hierarchy && nodes.groups().size() < 2) return;
  const std::uint32_t edges = edges_of(*topology, nodes.groups());
  if (edges == 0 || edges + 1 >= nodes.size()) return;
  const Hierarchy hierarchy{nodes.size() - 1 - edges, edges};
  run["above"].push_back(nullptr);
  for (std::uint32_t i = 1; i < nodes.size(); ++i)
    run["above"].push_back(hierarchy.above({i}).value);
}

constexpr std::array<std::string_view, 4> kBoxColumns{"low_1", "high_1", "low_2", "high_2"};

/// The cells of a run whose arms are a plane, if it has them.
std::optional<Partition> plane_in(const JsonObject& entry) {
  if (!entry.has("plane")) return std::nullopt;
  const auto plane = entry.object("plane");
  Box box;
  for (const auto& [key, ends] : {std::pair("low", &box.low), std::pair("high", &box.high)}) {
    for (const auto& end : plane.list(key))
      if (end.is_number()) ends->push_back(end.get<double>());
    if (ends->size() != 2) plane.fail(key, "is not a pair of numbers");
  }
  for (std::size_t i = 0; i < 2; ++i)
    if (!(box.low[i] < box.high[i])) plane.fail("high", "is not above low");
  const auto children = entry.count("children_per_cell");
  for (const auto kind : {PartitionKind::cyclic, PartitionKind::dimwise})
    if (plane.text("partition") == to_string(kind))
      return Partition(box, kind, std::max(children, 2U));
  return std::nullopt;
}

/// Nothing of a cell that the partition doesn't have.
TableRow box_of(const std::optional<Partition>& plane, const TableRow& row) {
  TableRow box(kBoxColumns.size());
  const auto* depth = std::get_if<std::uint64_t>(&row[0]);
  const auto* index = std::get_if<std::uint64_t>(&row[1]);
  if (!plane || depth == nullptr || index == nullptr || *depth > plane->max_depth()) return box;
  std::uint64_t cells = 1;  // of that depth
  for (std::uint64_t h = 0; h < *depth; ++h) cells *= plane->children_per_cell();
  if (*index < 1 || *index > cells) return box;
  const Box bounds = plane->bounds({static_cast<std::uint32_t>(*depth), *index});
  return {bounds.low[0], bounds.high[0], bounds.low[1], bounds.high[1]};
}

Json message_types_of(const std::vector<AlgorithmFacts>& algorithms) {
  std::vector<const AlgorithmSpec*> specs;
  for (const auto& algorithm : algorithms) specs.push_back(find_algorithm(algorithm.kind));
  return message_types(specs);
}

}  // namespace

Json document_head(const ScenarioFacts& facts,
                   const std::string& scenario_toml,
                   const std::vector<AlgorithmFacts>& algorithms) {
  Json head{{"objective", facts.objective},
            {"heterogeneity", facts.heterogeneity},
            {"noise", facts.noise},
            {"budget", facts.budget ? Json(*facts.budget) : Json(nullptr)},
            {"scenario_toml", scenario_toml},
            {"algorithms", Json::array()},
            {"message_types", message_types_of(algorithms)},
            {"study", nullptr},
            {"interventions", Json::array()},
            {"validation", Json::array()},
            {"runs_left_out", 0}};
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

Json drawn_json(const RunData& run) {
  Json drawn{{"charts", Json::array()}, {"bars", Json::array()}};
  for (const auto& chart : page_charts(run)) drawn["charts"].push_back(chart_json(chart));
  for (const auto& kind : bar_kinds())
    if (const auto made = make_bars(run, kind.name); const auto* bars = std::get_if<Bars>(&made))
      drawn["bars"].push_back(bars_json(*bars));
  return drawn;
}

void put_sequence(SequenceParts run, Json& details) {
  run.messages = run.messages.first(std::min(run.messages.size(), kMostArrows));
  if (run.messages.empty()) return;
  SequenceSelection selection;
  const Time begin = run.messages.front().sent;
  run.end = begin;
  for (const auto& m : run.messages)
    run.end = std::max({run.end, m.sent, m.arrived() ? m.delivered : m.sent});
  if (begin < run.end) selection.from = begin;
  details["sequence"] = sequence_json(sequence_of(run, selection, "", ""));
}

Json intervention_json(std::string_view run, const Intervention& done) {
  return {{"action", to_string(done.action)},
          {"run", run},
          {"virtual_s", done.at.to_seconds()},
          {"amount", done.has_amount() ? Json(done.amount) : Json()},
          {"unit", done.has_goal() ? to_string(done.unit) : ""},
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

DocumentTables::DocumentTables(const JsonObject& entry) : plane_(plane_in(entry)) {
  for (std::size_t i = 0; i < kTables.size(); ++i) {
    const auto& columns = run_table(kTables[i].table).columns;
    std::vector<std::size_t> taken;
    std::vector<Column> in_document;
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (std::ranges::find(kTables[i].without, columns[c].name) == kTables[i].without.end()) {
        taken.push_back(c);
        in_document.push_back(columns[c]);
      }
    if (plane_ && kTables[i].table == "cells")
      for (const auto name : kBoxColumns)
        in_document.push_back({std::string(name), ColumnType::real});
    tables_.push_back({i, std::move(taken), std::move(in_document), {}});
  }
}

void DocumentTables::add(const RunTable& table, const TableRow& row) {
  const auto at = std::ranges::find(kTables, table.name, &TableInDocument::table);
  POSSE_CHECK(at != kTables.end());
  Rows& rows = tables_[static_cast<std::size_t>(at - kTables.begin())];
  TableRow kept;
  for (const auto c : rows.taken) kept.push_back(row[c]);
  if (plane_ && at->table == "cells")
    std::ranges::move(box_of(plane_, row), std::back_inserter(kept));
  rows.rows.push_back(std::move(kept));
}

void DocumentTables::add(const RunParts& parts) {
  for (const auto& in_document : kTables) {
    const RunTable& table = run_table(in_document.table);
    table.rows(parts, [&](const TableRow& row) { add(table, row); });
  }
}

void DocumentTables::put_into(Json& run) const {
  for (const auto& table : tables_) {
    if (table.rows.empty()) continue;
    const auto& how = kTables[table.number];
    run[std::string(how.key)] = how.in_blocks ? round_blocks(table.columns, table.rows)
                                              : columns_json(table.columns, table.rows);
  }
}

}  // namespace posse
