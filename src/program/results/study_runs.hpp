// SPDX-License-Identifier: Apache-2.0
// What comparisons take of finished runs: written into results.json and into tables of runs
// (runs.csv, a store's summary.csv), and read from them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/csv.hpp"
#include "program/base/data_table.hpp"
#include "program/compare/study.hpp"
#include "program/results/json_object.hpp"

namespace posse {

/// Keys of a run's entry in results.json: its facts, its warnings, and if it finished `finals`, the
/// compared quantities that it has at its end, by their names, and `own_measures`, those of its
/// algorithm's own, with their units, meanings and directions.
void put_study_run(const StudyRun& run, Json& entry);
/// Reads them from such an entry. Throws FileError.
StudyRun study_run(const JsonObject& entry);

/// The status of a run in a store's summary, from its entry: "violated" if it finished, but broke
/// an identity or a bound that always holds. Such a run is compared like others. Throws FileError.
std::string status_in_summary(const JsonObject& entry);
/// The numbers sent in a run, as papers count them, from its entry. Throws FileError.
double values_sent(const JsonObject& entry);

/// Columns of tables of runs.
const ColumnsOf<StudyRun>& fact_columns();  // the facts; `warnings`, `own_measures`: JSON, or empty
const ColumnsOf<StudyRun>& quantity_columns();  // kQuantities

/// Reads a table of runs with these columns, `seed` and `status`.
class StudyRunReader {
 public:
  /// Throws InputError for missing columns.
  explicit StudyRunReader(const CsvReader& rows);
  /// The present row. Throws InputError.
  StudyRun read(const CsvReader& rows) const;

 private:
  std::size_t seed_, status_, warnings_, own_measures_;
  std::vector<std::size_t> facts_, quantities_;
};

}  // namespace posse
