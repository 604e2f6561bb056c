// SPDX-License-Identifier: Apache-2.0
// The parts of a page's document (schema 2), of runs in progress, runs that have ended, and runs
// that were read from their folders. document.hpp describes the schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/results/json_object.hpp"
#include "program/results/run_tables.hpp"
#include "program/scenario/scenario_facts.hpp"

namespace posse {

inline constexpr int kDocumentSchema = 2;
inline constexpr std::size_t kMostRunsInDocument = 200;
inline constexpr std::size_t kMostDocumentBytes = std::size_t{16} << 20;

/// JSON text; bytes that are not UTF-8 become U+FFFD.
std::string document_text(const Json& document);

struct DocumentAlgorithm {
  std::string label, kind;
  std::uint32_t clients = 0;
};
std::vector<DocumentAlgorithm> document_algorithms(const Scenario& scenario);
/// A document without runs, and with nothing of the results.
Json document_head(const ScenarioFacts& facts,
                   const std::string& scenario_toml,
                   const std::vector<DocumentAlgorithm>& algorithms);
/// What results.json says of all runs. Throws FileError.
void put_results(const JsonObject& results, Json& document);
/// Throws FileError.
void put_metadata(const JsonObject& metadata, Json& document);

/// A pause, step, cut, … by a user.
Json intervention_json(std::string_view run, const Intervention& done);

/// A run from its entry in results.json (run_json.hpp), without tables. `state`: RunState. Throws
/// FileError.
Json document_run(std::string_view id,
                  std::size_t algorithm,
                  std::string_view state,
                  const JsonObject& entry);

/// The tables of a run in the document, filled row by row. Long ones are cut.
class DocumentTables {
 public:
  DocumentTables();
  /// False if further rows would be left out.
  bool add(const RunTable& table, const TableRow& row);
  void add(const RunParts& parts);
  /// Puts the tables that have rows: the regret's curves into `run`, which every run keeps, and the
  /// others into `details`.
  void put_into(Json& run, Json& details) const;

 private:
  /// A table, or each part of one that is divided by the values of a column.
  struct Part {
    std::string value;
    JsonColumns columns;
  };
  struct Rows {
    std::size_t number = 0;            // in the list of tables
    std::vector<std::size_t> columns;  // of the run's table, that the document has
    std::vector<Part> parts;
  };
  std::vector<Rows> tables_;
};

}  // namespace posse
