// SPDX-License-Identifier: Apache-2.0
#include "program/results/run_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/check.hpp"
#include "program/base/text.hpp"
#include "program/compare/studied_runs.hpp"
#include "program/results/results_json.hpp"
#include "program/results/study_runs.hpp"

namespace posse {
namespace {

// --- the tables of a run ---

/// One of a run's records, and the run.
template <class Record>
struct RecordOf {
  const Record& record;
  const RunParts& run;

  const Record* operator->() const { return &record; }
  std::string name(NodeId node) const { return run.name_of(node); }
};

/// `records` finds them among a run's parts; `is_row`, if given, tells those that are rows.
template <class Record, class Records>
RunTable run_table_of(std::string_view name,
                      ColumnsOf<RecordOf<Record>> columns,
                      const Records& records,
                      bool (*is_row)(const Record&) = nullptr) {
  auto names = columns.columns();
  return {name,
          std::move(names),
          [columns = std::move(columns), records, is_row](const RunParts& run,
                                                          const DataTable::Use& use) {
            TableRow row;
            for (const Record& record : records(run)) {
              if (is_row != nullptr && !is_row(record)) continue;
              row.clear();
              columns.append({record, run}, row);
              use(row);
            }
          }};
}

std::string joined_names(const std::vector<NodeId>& nodes, const RunParts& run) {
  std::string names;
  for (const auto node : nodes) names += (names.empty() ? "" : " ") + run.name_of(node);
  return names;
}

RunTable table_of_rounds() {
  using R = RecordOf<RoundRecord>;
  auto columns =
      ColumnsOf<R>()
          .add("round", [](const R& r) { return r->round.value; })
          .add("began_virtual_s", [](const R& r) { return r->began; })
          .add("ended_virtual_s", [](const R& r) { return r->ended; })
          .add("best_depth",
               [](const R& r) { return r->best ? std::optional(r->best->depth) : std::nullopt; })
          .add("best_index",
               [](const R& r) { return r->best ? std::optional(r->best->index) : std::nullopt; })
          .add("active_cells", [](const R& r) { return r->active_cells; })
          .add("pulls_per_cell", [](const R& r) { return r->pulls_per_cell; })
          .add("kept_cells", [](const R& r) { return r->kept_cells; })
          .add("evaluations_per_client", [](const R& r) { return r->steps; })
          .add("arrived", [](const R& r) { return r->arrived; })
          .add("expected", [](const R& r) { return r->expected; })
          .add("late", [](const R& r) { return joined_names(r->late, r.run); })
          .add("messages", [](const R& r) { return r->messages; })
          .add("bytes", [](const R& r) { return r->bytes; })
          .add("values", [](const R& r) { return r->values; })
          .add("bytes_so_far", [](const R& r) { return r->bytes_so_far; })
          .add("values_so_far", [](const R& r) { return r->values_so_far; })
          .add("stale", [](const R& r) { return r->stale; })
          .add("needless", [](const R& r) { return r->needless; })
          .add("sum_compute_virtual_s", [](const R& r) { return r->compute; })
          .add("sum_queueing_virtual_s", [](const R& r) { return r->queueing; })
          .add("sum_transfer_virtual_s", [](const R& r) { return r->transfer; })
          .add("sum_propagation_virtual_s", [](const R& r) { return r->propagation; })
          .add("sum_waiting_virtual_s", [](const R& r) { return r->waiting; })
          .add("waited_for", [](const R& r) {
            return r->path && r->path->waited_for ? r.name(*r->path->waited_for) : "";
          });
  for (const auto& part : kCriticalPathParts)
    columns.add(fmt::format("path_{}_virtual_s", part.name), [time = part.time](const R& r) {
      return r->path ? std::optional((*r->path).*time) : std::nullopt;
    });
  return run_table_of<RoundRecord>(
      "rounds", std::move(columns), [](const RunParts& run) { return run.rounds; });
}

RunTable table_of_regret() {
  using R = RecordOf<RegretPoint>;
  return run_table_of<RegretPoint>(
      "regret",
      ColumnsOf<R>()
          .add("client", [](const R&) { return "all"; })
          .add("evaluations_per_client", [](const R& r) { return r->evaluations; })
          .add("rounds", [](const R& r) { return r->rounds; })
          .add("bytes", [](const R& r) { return r->bytes; })
          .add("virtual_s", [](const R& r) { return r->virtual_s; })
          .add("measure", [](const R& r) { return r->metric; })
          .add("value", [](const R& r) { return r->value; }),
      [](const RunParts& run) { return run.regret; });
}

RunTable table_of_arms() {
  using R = RecordOf<ArmPoint>;
  return run_table_of<ArmPoint>(
      "arms",
      ColumnsOf<R>()
          .add("arm", [](const R& r) { return r.run.outcome.arms.arms[r->arm].name; })
          .add("pulls", [](const R& r) { return r->pulls; })
          .add("total_pulls", [](const R& r) { return r->total_pulls; })
          .add("virtual_s", [](const R& r) { return r->virtual_s; })
          .add("value", [](const R& r) { return r->value; })
          .add("best", [](const R& r) { return r->best; })
          .add("bound", [](const R& r) { return r->bound; })
          .add("confidence_bound",
               [](const R& r) { return r.run.outcome.arms.confidence_bound(r->best, r->bound); }),
      [](const RunParts& run) { return run.arms; },
      // An infinite bound is no information.
      [](const ArmPoint& point) { return std::isfinite(point.bound); });
}

RunTable table_of_links() {
  using R = RecordOf<LinkRecord>;
  return run_table_of<LinkRecord>("links",
                                  ColumnsOf<R>()
                                      .add("from", [](const R& r) { return r.name(r->from); })
                                      .add("to", [](const R& r) { return r.name(r->to); })
                                      .add("departed", [](const R& r) { return r->departed; })
                                      .add("arrived", [](const R& r) { return r->arrived; })
                                      .add("dropped", [](const R& r) { return r->dropped; })
                                      .add("wire_bytes", [](const R& r) { return r->wire_bytes; }),
                                  [](const RunParts& run) { return std::span(run.outcome.links); });
}

RunTable table_of_cells() {
  using R = RecordOf<CellRecord>;
  return run_table_of<CellRecord>(
      "cells",
      ColumnsOf<R>()
          .add("depth", [](const R& r) { return r->cell.depth; })
          .add("index", [](const R& r) { return r->cell.index; })
          .add("children", [](const R& r) { return r.run.outcome.children_per_cell; })
          .add("round", [](const R& r) { return r->round.value; })
          .add("mean", [](const R& r) { return r->mean; })
          .add("kept", [](const R& r) { return r->kept; }),
      [](const RunParts& run) { return std::span(run.outcome.cells); });
}

RunTable table_of_messages() {
  using R = RecordOf<MessageRecord>;
  return run_table_of<MessageRecord>(
      "messages",
      ColumnsOf<R>()
          .add("id", [](const R& r) { return r->id; })
          .add("type", [](const R& r) { return r->type; })
          .add("round", [](const R& r) { return r->round.value; })
          .add("from", [](const R& r) { return r.name(r->from); })
          .add("to", [](const R& r) { return r.name(r->to); })
          .add("bytes", [](const R& r) { return r->bytes; })
          .add("sent_virtual_s", [](const R& r) { return r->sent; })
          .add("delivered_virtual_s",
               [](const R& r) { return r->arrived() ? std::optional(r->delivered) : std::nullopt; })
          .add("outcome", [](const R& r) { return to_string(r->outcome); })
          .add("cause", [](const R& r) { return to_string(r->cause); })
          .add("transmission", [](const R& r) { return r->transmission; })
          .add("number", [](const R& r) { return r->number; })
          .add("needless", [](const R& r) { return r->needless; })
          .add("order", [](const R& r) { return r->order; })
          .add("content", [](const R& r) { return hexadecimal(r->content); }),
      [](const RunParts& run) { return run.messages; });
}

/// The columns of the parameters in which the algorithms differ, and their cells by algorithm.
struct DifferingParameters {
  std::vector<Column> columns;
  std::vector<TableRow> of_algorithms;

  explicit DifferingParameters(const Scenario& scenario) {
    std::vector<Json> parameters;
    for (const auto& entry : scenario.algorithms)
      parameters.push_back(parameters_json(entry.parameters));
    of_algorithms.resize(parameters.size());
    for (const auto& column : differing_parameters(parameters)) {
      columns.push_back({"algorithm." + column.name, column.type});
      for (std::size_t i = 0; i < parameters.size(); ++i)
        of_algorithms[i].push_back(parameter_datum(parameters[i], column));
    }
  }
};

}  // namespace

RunParts parts_of(const SimulationResult& result) {
  return {result.outcome,
          result.outcome.rounds,
          result.regret_curve,
          result.arm_curves,
          result.messages,
          [&result](NodeId node) { return result.name_of(node); }};
}

const RunTable& run_table(std::string_view name) {
  static const std::vector<RunTable> tables{table_of_rounds(),
                                            table_of_regret(),
                                            table_of_arms(),
                                            table_of_links(),
                                            table_of_cells(),
                                            table_of_messages()};
  const auto it = std::ranges::find(tables, name, &RunTable::name);
  POSSE_CHECK(it != tables.end(), "no table {}", name);
  return *it;
}

DataTable table_of(const RunTable& table, const Scenario& scenario, const ScenarioResult& result) {
  auto columns = stored_columns(table);
  const auto ends =
      table.name == "regret" ? std::make_shared<DifferingParameters>(scenario) : nullptr;
  if (ends) columns.insert(columns.end(), ends->columns.begin(), ends->columns.end());
  return {
      std::move(columns), [&table, &scenario, &result, ends](const DataTable::Use& use) {
        TableRow all;
        for (const auto& run : result.runs) {
          table.rows(parts_of(run.result), [&](const TableRow& row) {
            all.assign({datum(scenario.algorithms[run.algorithm].label), datum(run.repetition)});
            all.insert(all.end(), row.begin(), row.end());
            if (ends) {
              const auto& end = ends->of_algorithms[run.algorithm];
              all.insert(all.end(), end.begin(), end.end());
            }
            use(all);
          });
        }
      }};
}

std::vector<Column> stored_columns(const RunTable& table) {
  std::vector<Column> all{{"algorithm"}, {"repetition", ColumnType::count}};
  all.insert(all.end(), table.columns.begin(), table.columns.end());
  return all;
}

// --- runs ---

DataTable runs_table(const Scenario& scenario, const ScenarioResult& result) {
  struct Run {
    const RunFigures& figures;
    StudyRun compared;
  };
  ColumnsOf<Run> columns;
  columns
      .add("algorithm",
           [&](const Run& run) { return scenario.algorithms[run.figures.algorithm].label; })
      .add("repetition", [](const Run& run) { return run.figures.repetition; })
      .add("seed", [](const Run& run) { return run.compared.seed; })
      .add("status", [](const Run& run) { return status_of(run.figures); })
      .add("fingerprint", [](const Run& run) { return fingerprint_text(run.figures); });
  for (const auto* more : {&fact_columns(), &quantity_columns()})
    columns.add(*more, &Run::compared);
  return columns.table([&](const auto& use) {
    for (const auto& figures : result.figures) use({figures, study_run(scenario, figures)});
  });
}

}  // namespace posse
