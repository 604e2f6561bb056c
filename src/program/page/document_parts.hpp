// SPDX-License-Identifier: Apache-2.0
// The parts of a page's document (schema 3), of runs in progress, runs that have ended, and runs
// that were read from their folders. document.hpp describes the schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/partition.hpp"
#include "program/plot/sequence.hpp"
#include "program/results/json_object.hpp"
#include "program/results/run_data.hpp"
#include "program/results/run_tables.hpp"
#include "program/scenario/scenario_facts.hpp"

namespace posse {

inline constexpr std::size_t kMostRunsInDocument = 200;
inline constexpr std::size_t kMostDocumentBytes = std::size_t{16} << 20;

/// A document without runs, and with nothing of the results.
Json document_head(const ScenarioFacts& facts,
                   const std::string& scenario_toml,
                   const std::vector<AlgorithmFacts>& algorithms);
/// What results.json says of all runs. Throws FileError.
void put_results(const JsonObject& results, Json& document);
/// Throws FileError.
void put_metadata(const JsonObject& metadata, Json& document);

/// What is drawn of all runs, as far as they have come: `charts` and `bars`.
Json drawn_json(const RunData& run);

/// The diagram of the first kMostArrows of these messages, if there are any.
void put_sequence(SequenceParts run, Json& details);

/// A pause, step, cut, … by a user.
Json intervention_json(std::string_view run, const Intervention& done);

/// A run from its entry in results.json (run_json.hpp), without tables. `state`: RunState. Throws
/// FileError.
Json document_run(std::string_view id,
                  std::size_t algorithm,
                  std::string_view state,
                  const JsonObject& entry);

/// The tables of a run in the document, filled row by row. Of many rounds a row has a block
/// (round_blocks.hpp). Cells of a plane of arms get the columns low_1, high_1, low_2, high_2: where
/// they lie.
class DocumentTables {
 public:
  /// `entry`: the run's in results.json. Throws FileError.
  explicit DocumentTables(const JsonObject& entry);
  void add(const RunTable& table, const TableRow& row);
  void add(const RunParts& parts);
  /// Puts the tables that have rows into `run`.
  void put_into(Json& run) const;

 private:
  struct Rows {
    std::size_t number = 0;          // in the list of tables
    std::vector<std::size_t> taken;  // columns of the run's table
    std::vector<Column> columns;     // of the document's
    std::vector<TableRow> rows;
  };
  std::vector<Rows> tables_;
  std::optional<Partition> plane_;
};

}  // namespace posse
