// SPDX-License-Identifier: Apache-2.0
#include "program/page/document_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"

namespace posse {
namespace {

Columns no_rounds() {
  return {"round",
          "began_s",
          "ended_s",
          "messages",
          "bytes",
          "values",
          "bytes_so_far",
          "active_cells",
          "sum_compute_s",
          "sum_queueing_s",
          "sum_transfer_s",
          "sum_propagation_s",
          "sum_waiting_s",
          "arrived",
          "expected",
          "late",
          "waited_for",
          "path_compute_s",
          "path_queueing_s",
          "path_transfer_s",
          "path_propagation_s",
          "path_retransmission_s",
          "path_timer_s",
          "path_stopped_s",
          "path_unknown_s"};
}

}  // namespace

std::string node_name(NodeId node, const NodeNames* names) {
  return names != nullptr && node.value < names->size() ? names->name(node)
                                                        : fmt::format("node-{}", node.value);
}

Json finite_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json empty_document() {
  return {{"schema", kDocumentSchema},
          {"source", ""},
          {"name", ""},
          {"title", ""},
          {"seed", nullptr},
          {"repeat", nullptr},
          {"status", ""},
          {"fingerprint", ""},
          {"objective", ""},
          {"heterogeneity", ""},
          {"noise", ""},
          {"budget", nullptr},
          {"metadata", Json::object()},
          {"scenario_toml", ""},
          {"thresholds", Json::array()},
          {"algorithms", Json::array()},
          {"message_types", Json::array()},
          {"warnings", Json::array()},
          {"study", nullptr},
          {"interventions", Json::array()},
          {"validation", Json::array()},
          {"runs", Json::array()},
          {"runs_left_out", 0},
          {"runs_without_details", 0}};
}

Json empty_run(std::string_view id, std::size_t algorithm, std::uint32_t repetition) {
  Json run{{"id", id},
           {"algorithm", algorithm},
           {"repetition", repetition},
           {"state", "waiting"},
           {"status", ""},
           {"report", ""},
           {"now_virtual_s", 0},
           {"evaluations", 0},
           {"evaluations_expected", nullptr},
           {"rounds", 0},
           {"events", 0},
           {"tied_rounds", 0},
           {"queued_events", 0},
           {"wall_s", nullptr},
           {"measurements", Json::array()},
           {"forecast", Json::object()},
           {"regret", nullptr},
           {"ledger", Json::array()},
           {"phases", nullptr},
           {"critical_paths", nullptr},
           {"curves", Json::object()},
           {"rounds_table", no_rounds().json()},
           {"nodes", Json::array()},
           {"hub", nullptr},
           {"above", Json::array()},
           {"links", links_json({})},
           {"cut_links", Json::array()},
           {"cut_groups", Json::array()},
           {"stopped_nodes", Json::array()},
           {"arms", Json::array()},
           {"answer", nullptr},
           {"arm_curves", Json::object()},
           {"plane", nullptr},
           {"cells", cells_json({})},
           {"children_per_cell", 0}};
  MessageTable().put_into(run);
  return run;
}

std::string document_text(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Columns::Columns(std::initializer_list<std::string_view> names)
    : names_(names.begin(), names.end()), columns_(names.size(), Json::array()) {}

void Columns::add(std::initializer_list<Json> row) {
  POSSE_CHECK(row.size() == columns_.size(), "{} cells", row.size());
  auto column = columns_.begin();
  for (const auto& cell : row) (column++)->push_back(cell);
  ++rows_;
}

Json Columns::json() && {
  Json json = Json::object();
  for (std::size_t i = 0; i < names_.size(); ++i) json[names_[i]] = std::move(columns_[i]);
  return json;
}

std::vector<std::size_t> thinned_rows(std::size_t rows, std::size_t most) {
  POSSE_CHECK(most >= 2);
  std::vector<std::size_t> kept;
  const std::size_t count = std::min(rows, most);
  for (std::size_t i = 0; i < count; ++i)
    kept.push_back(rows <= most ? i : i * (rows - 1) / (most - 1));
  return kept;
}

Json links_json(const std::vector<LinkRecord>& links) {
  Columns columns{"from", "to", "departed", "arrived", "dropped", "wire_bytes"};
  for (const auto& link : links)
    columns.add({link.from.value,
                 link.to.value,
                 link.departed,
                 link.arrived,
                 link.dropped,
                 link.wire_bytes});
  return std::move(columns).json();
}

Json cells_json(const std::vector<CellRecord>& cells) {
  Columns columns{"depth", "index", "round", "mean", "kept"};
  for (const auto& record : cells)
    columns.add({record.cell.depth,
                 record.cell.index,
                 record.round.value,
                 finite_or_null(record.mean),
                 record.kept});
  return std::move(columns).json();
}

Json rounds_json(std::span<const RoundRecord> rounds, const NodeNames* names) {
  Columns columns = no_rounds();
  for (const auto i : thinned_rows(rounds.size(), kMostRoundsInDocument)) {
    const RoundRecord& r = rounds[i];
    Json late = Json::array();
    for (const auto node : r.late) late.push_back(node_name(node, names));
    const auto on_path = [&](Duration CriticalPath::*part) {
      return r.path ? Json(((*r.path).*part).to_seconds()) : Json(nullptr);
    };
    columns.add({r.round.value,
                 r.began.to_seconds(),
                 r.ended.to_seconds(),
                 r.messages,
                 r.bytes,
                 r.values,
                 r.bytes_so_far,
                 r.active_cells,
                 r.compute.to_seconds(),
                 r.queueing.to_seconds(),
                 r.transfer.to_seconds(),
                 r.propagation.to_seconds(),
                 r.waiting.to_seconds(),
                 r.arrived,
                 r.expected,
                 std::move(late),
                 r.path && r.path->waited_for ? node_name(*r.path->waited_for, names) : "",
                 on_path(&CriticalPath::compute),
                 on_path(&CriticalPath::queueing),
                 on_path(&CriticalPath::transfer),
                 on_path(&CriticalPath::propagation),
                 on_path(&CriticalPath::retransmission),
                 on_path(&CriticalPath::timer),
                 on_path(&CriticalPath::stopped),
                 on_path(&CriticalPath::unknown)});
  }
  return std::move(columns).json();
}

void put_arms(Json& run, Json arms_summary) {
  if (!arms_summary.is_object()) return;
  if (const auto arms = arms_summary.find("arms"); arms != arms_summary.end())
    run["arms"] = std::move(*arms);
  for (const auto* key : {"answer", "direction"})
    if (const auto value = arms_summary.find(key); value != arms_summary.end())
      run[key] = std::move(*value);
}

MessageTable::MessageTable()
    : columns_{
          "type", "round", "from", "to", "bytes", "sent_s", "delivered_s", "outcome", "cause"} {}

void MessageTable::add(std::string_view type,
                       std::uint64_t round,
                       std::string_view from,
                       std::string_view to,
                       std::uint64_t bytes,
                       double sent_s,
                       std::optional<double> delivered_s,
                       std::string_view outcome,
                       std::string_view cause) {
  const auto sender = index_of(from), receiver = index_of(to);
  columns_.add({type,
                round,
                sender,
                receiver,
                bytes,
                sent_s,
                delivered_s ? finite_or_null(*delivered_s) : Json(nullptr),
                outcome,
                cause});
}

std::size_t MessageTable::index_of(std::string_view node) {
  const auto [place, added] = indices_.try_emplace(std::string(node), nodes_.size());
  if (added) nodes_.push_back(node);
  return place->second;
}

void MessageTable::put_into(Json& run) && {
  run["messages"] = std::move(columns_).json();
  run["message_nodes"] = std::move(nodes_);
}

void put_messages(Json& run, std::span<const MessageRecord> messages, const NodeNames* names) {
  MessageTable table;
  for (const auto& m : messages) {
    table.add(m.type,
              m.round.value,
              node_name(m.from, names),
              node_name(m.to, names),
              m.bytes,
              m.sent.to_seconds(),
              m.arrived() ? std::optional(m.delivered.to_seconds()) : std::nullopt,
              to_string(m.outcome),
              to_string(m.cause));
  }
  std::move(table).put_into(run);
}

}  // namespace posse
