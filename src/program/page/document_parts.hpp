// SPDX-License-Identifier: Apache-2.0
// The parts of a page's document (schema 1), shared by runs in progress and runs read from their
// folders. Tables are objects of columns of equal length.
//
// document.hpp describes the schema. Parts that results.json has too come from results_json.hpp,
// with null_non_finite() applied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/network/nodes.hpp"
#include "core/role/outcome.hpp"
#include "core/sim/message_record.hpp"
#include "program/results/results_json.hpp"

namespace posse {

inline constexpr int kDocumentSchema = 1;
inline constexpr std::size_t kMostRunsInDocument = 200;
inline constexpr std::size_t kMostRoundsInDocument = 300;    // of a run
inline constexpr std::size_t kMostMessagesInDocument = 400;  // of a run
inline constexpr std::size_t kMostArmCurves = 12;            // of a run, as many as arms.js draws
inline constexpr std::size_t kMostDocumentBytes = std::size_t{16} << 20;

/// A document with all its keys in their order and empty values.
Json empty_document();
/// The same for a run.
Json empty_run(std::string_view id, std::size_t algorithm, std::uint32_t repetition);

/// JSON text; bytes that are not UTF-8 become U+FFFD.
std::string document_text(const Json& document);

/// Without `names` nodes are called node-0, node-1, …
std::string node_name(NodeId node, const NodeNames* names);

/// null for infinity and NaN.
Json finite_or_null(double x);

/// Columns under their names, filled row by row.
class Columns {
 public:
  Columns(std::initializer_list<std::string_view> names);
  void add(std::initializer_list<Json> row);
  std::size_t rows() const { return rows_; }
  Json json() &&;  // empties the object

 private:
  std::vector<std::string> names_;
  std::vector<Json> columns_;
  std::size_t rows_ = 0;
};

/// Positions of at most `most` of `rows` rows, evenly spread, including the first and the last.
std::vector<std::size_t> thinned_rows(std::size_t rows, std::size_t most);

/// Nodes by id, which are positions in `nodes` of the run.
Json links_json(const std::vector<LinkRecord>& links);
Json cells_json(const std::vector<CellRecord>& cells);
/// Thinned to kMostRoundsInDocument.
Json rounds_json(std::span<const RoundRecord> rounds, const NodeNames* names);

/// Fills in `arms` and `answer` from what arms_json() gives.
void put_arms(Json& run, Json arms_summary);

/// Collects `messages` and `message_nodes` of a run.
class MessageTable {
 public:
  MessageTable();
  std::size_t rows() const { return columns_.rows(); }
  void add(std::string_view type,
           std::uint64_t round,
           std::string_view from,
           std::string_view to,
           std::uint64_t bytes,
           double sent_s,
           std::optional<double> delivered_s,
           std::string_view outcome,
           std::string_view cause);
  void put_into(Json& run) &&;

 private:
  std::size_t index_of(std::string_view node);

  Columns columns_;
  std::unordered_map<std::string, std::size_t> indices_;
  Json nodes_ = Json::array();  // by index
};
void put_messages(Json& run, std::span<const MessageRecord> messages, const NodeNames* names);

}  // namespace posse
