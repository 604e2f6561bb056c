#include "program/sweep/collect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"
#include "program/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/results/json_object.hpp"
#include "program/results/run_data.hpp"
#include "program/summary/compared_quantities.hpp"
#include "program/sweep/amount.hpp"
#include "program/sweep/table_writer.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 4> kPlanColumns{"key", "setting", "algorithm", "repetition"};
constexpr auto kPlanFile = "plan.csv";

/// The unit that all values of an axis have, if they have one.
std::optional<BaseUnit> unit_of(const SweepAxis& axis) {
  std::optional<BaseUnit> unit;
  for (const auto& value : axis.values) {
    const auto amount = amount_of(value);
    if (!amount || std::holds_alternative<bool>(value.data)) return std::nullopt;
    if (unit && *unit != amount->unit) return std::nullopt;
    unit = amount->unit;
  }
  return unit;
}

/// Runs of all stores, by their keys.
class Folders {
 public:
  Folders(const std::vector<RunStore>& stores, Collection& collection) {
    for (const auto& store : stores)
      for (auto& entry : store.entries()) {
        if (entry.kind == StoredKind::foreign) continue;
        auto [known, added] = folders_.try_emplace(entry.key, entry.folder);
        if (!added) check_equal(known->second, entry.folder, collection);
      }
  }

  const fs::path* find(const std::string& key) {
    const auto it = folders_.find(key);
    if (it == folders_.end()) return nullptr;
    used_.insert(key);
    return &it->second;
  }
  std::size_t unused() const { return folders_.size() - used_.size(); }

 private:
  static void check_equal(const fs::path& a, const fs::path& b, Collection& collection) {
    const auto first = stored_fingerprint(a), second = stored_fingerprint(b);
    if (first != second)
      throw DifferentResults(fmt::format(
          "one run, two results: '{}' has the fingerprint {}, '{}' has {}; `posse replay` "
          "of each tells which is wrong, `posse store remove` removes it",
          a.string(),
          first,
          b.string(),
          second));
    ++collection.twice;
  }

  std::unordered_map<std::string, fs::path> folders_;
  std::set<std::string> used_;
};

/// A run's row, without the plan's part.
struct Row {
  std::string status;
  std::vector<std::string> cells;
};

const std::array<Column, 9> kRunColumns{{{"kind", ColumnType::text},
                                         {"label", ColumnType::text},
                                         {"widths", ColumnType::text},
                                         {"random_recommendation"},
                                         {"clients"},
                                         {"seed", ColumnType::text},
                                         {"status", ColumnType::text},
                                         {"fingerprint", ColumnType::text},
                                         {"values"}}};

/// A finished run that broke an identity or a bound that holds always is "violated".
std::string status_of(const JsonObject& run) {
  auto status = run.text("status");
  for (const auto& measurement : run.objects("measurements"))
    if (status == "finished" && measurement.text("verdict") == "violated") status = "violated";
  return status;
}

Row read_row(const fs::path& folder) {
  const auto path = folder / "results.json";
  const Json json = read_json(path);
  check_schema(path, json);
  const JsonObject results(path, "", json);
  const auto runs = results.objects("runs");
  if (runs.size() != 1) results.fail("runs", "has not one run");
  const JsonObject& run = runs.front();
  Row row{status_of(run), {}};
  const ComparisonFacts facts = comparison_facts(run);
  const auto metadata_path = folder / "metadata.json";
  const Json metadata = read_json(metadata_path);
  row.cells = {run.text("kind"),
               JsonObject(metadata_path, "", metadata).optional_text("label"),
               facts.widths ? std::string(to_string(*facts.widths)) : "",
               facts.random_recommendation ? "1" : "0",
               fmt::format("{}", run.count("clients")),
               run.text("seed"),
               row.status,
               run.text("fingerprint")};
  const RepetitionData data = read_repetition(run);
  row.cells.push_back(fmt::format("{}", data.values));
  for (const auto& quantity : kQuantities) {
    const auto value = data.finals.find(std::string(quantity.name));
    row.cells.push_back(value == data.finals.end() ? "" : fmt::format("{}", value->second));
  }
  return row;
}

std::vector<Column> summary_columns(const StoredPlan& plan) {
  std::vector<Column> columns{{"setting"}};
  for (const auto& axis : plan.axes) columns.push_back({axis});
  columns.push_back({"algorithm", ColumnType::text});
  columns.push_back({"repetition"});
  columns.insert(columns.end(), kRunColumns.begin(), kRunColumns.end());
  for (const auto& quantity : kQuantities) columns.push_back({std::string(quantity.name)});
  columns.push_back({"key", ColumnType::text});
  return columns;
}

std::vector<std::string> timing_of(const StoredPlan::Run& run, const fs::path& folder) {
  const auto path = folder / "metadata.json";
  const Json json = read_json(path);
  const JsonObject metadata(path, "", json);
  return {run.key,
          fmt::format("{}", metadata.number("wall_s")),
          metadata.text("start"),
          metadata.text("end")};
}

}  // namespace

std::string plan_csv(const SweepPlan& plan) {
  std::string out = fmt::format("{}", fmt::join(kPlanColumns, ","));
  std::vector<std::optional<BaseUnit>> units;
  for (const auto& axis : plan.axes()) {
    units.push_back(unit_of(axis));
    out += "," + csv_cell(axis.key + std::string(units.back() ? column_suffix(*units.back()) : ""));
  }
  out += "\n";
  std::vector<std::string> rows;  // the end of each setting's lines
  for (std::size_t setting = 0; setting < plan.settings(); ++setting) {
    auto& row = rows.emplace_back();
    for (std::size_t axis = 0; axis < units.size(); ++axis)
      row += "," + (units[axis] ? fmt::format("{}", amount_of(plan.value(setting, axis))->value)
                                : csv_cell(plan.text(setting, axis)));
  }
  for (const auto& run : plan.runs())
    out += fmt::format("{},{},{},{}{}\n",
                       run.key,
                       run.setting + 1,
                       plan.algorithms()[run.algorithm],
                       run.repetition,
                       rows[run.setting]);
  return out;
}

StoredPlan read_plan(const RunStore& store) {
  const auto path = store.root() / kPlanFile;
  if (!store.exists()) throw FileError(store.root(), "is not a store: it has no directory `runs`");
  const auto text = read_file(path);
  try {
    CsvReader rows(text);
    StoredPlan plan;
    const auto& columns = rows.columns();
    if (columns.size() < kPlanColumns.size() ||
        !std::equal(kPlanColumns.begin(), kPlanColumns.end(), columns.begin()))
      throw InputError(
          fmt::format("does not begin with the columns {}", fmt::join(kPlanColumns, ", ")));
    plan.axes.assign(columns.begin() + kPlanColumns.size(), columns.end());
    while (rows.next()) {
      const auto setting = parse_number<std::size_t>(rows.cell(1));
      const auto repetition = parse_number<std::uint32_t>(rows.cell(3));
      if (!is_run_key(rows.cell(0)) || !setting || !repetition)
        throw InputError(fmt::format("line {} is not a run of a plan", rows.line()));
      plan.runs.push_back({rows.cell(0),
                           rows.cell(2),
                           *setting,
                           *repetition,
                           {rows.cells().begin() + kPlanColumns.size(), rows.cells().end()}});
    }
    return plan;
  } catch (const InputError& error) {
    throw FileError(path, error.what());
  }
}

Collection collect(const std::vector<RunStore>& stores, const fs::path& out) {
  Collection collection;
  const StoredPlan plan = read_plan(stores.front());
  for (const auto& store : stores)
    if (read_file(store.root() / kPlanFile) != read_file(stores.front().root() / kPlanFile))
      throw FileError(store.root() / kPlanFile,
                      fmt::format("plans other runs than '{}': collect them apart",
                                  (stores.front().root() / kPlanFile).string()));
  Folders folders(stores, collection);
  const auto columns = summary_columns(plan);
  std::error_code error;
  fs::create_directories(out, error);
  CsvTable summary(out / "summary.csv", columns);
  SqliteTable database(out / "summary.sqlite", "runs", columns);
  CsvTable timing(out / "timing.csv", {{"key"}, {"wall_s"}, {"start"}, {"end"}});
  collection.planned = plan.runs.size();
  std::set<std::string> timed;
  for (const auto& run : plan.runs) {
    const fs::path* folder = folders.find(run.key);
    if (folder == nullptr) {
      collection.missing.push_back(run);
      continue;
    }
    const Row row = read_row(*folder);
    std::vector<std::string> cells{fmt::format("{}", run.setting)};
    cells.insert(cells.end(), run.values.begin(), run.values.end());
    cells.push_back(run.algorithm);
    cells.push_back(fmt::format("{}", run.repetition));
    cells.insert(cells.end(), row.cells.begin(), row.cells.end());
    cells.push_back(run.key);
    summary.add(cells);
    database.add(cells);
    ++collection.rows;
    collection.unfinished += row.status != "finished";
    if (timed.insert(run.key).second) timing.add(timing_of(run, *folder));
  }
  collection.stale = folders.unused();
  summary.close();
  database.close();
  timing.close();
  return collection;
}

}  // namespace posse
