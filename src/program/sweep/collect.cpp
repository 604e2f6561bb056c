// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/collect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
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
#include "program/base/quantities.hpp"
#include "program/results/json_object.hpp"
#include "program/results/run_data.hpp"
#include "program/sweep/amount.hpp"
#include "program/sweep/table_writer.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 4> kPlanColumns{"key", "setting", "algorithm", "repetition"};
constexpr auto kPlanFile = "plan.csv";
constexpr std::string_view kFinished = "finished";

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

/// Its name in summary.csv.
std::string column_of(const SweepAxis& axis) {
  const auto unit = unit_of(axis);
  return axis.key + std::string(unit ? column_suffix(*unit) : "");
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

const std::array<Column, 11> kRunColumns{{{"kind", ColumnType::text},
                                          {"label", ColumnType::text},
                                          {"widths", ColumnType::text},
                                          {"random_recommendation"},
                                          {"pulls_at_once"},
                                          {"warnings", ColumnType::text},
                                          {"clients"},
                                          {"seed", ColumnType::text},
                                          {"status", ColumnType::text},
                                          {"fingerprint", ColumnType::text},
                                          {"values"}}};

/// A finished run that broke an identity or a bound that holds always is "violated".
std::string status_of(const JsonObject& run) {
  auto status = run.text("status");
  for (const auto& measurement : run.objects("measurements"))
    if (status == kFinished && measurement.text("verdict") == "violated") status = "violated";
  return status;
}

/// Calls `use` with the only run of a folder.
template <class Use>
auto with_run(const fs::path& folder, const Use& use) {
  const auto path = folder / "results.json";
  const Json json = read_results(path);
  const JsonObject results(path, "", json);
  const auto runs = results.objects("runs");
  if (runs.size() != 1) results.fail("runs", "has not one run");
  return use(runs.front());
}

/// `parameters`: named as in parameters_json().
Row read_row(const JsonObject& run,
             const JsonObject& metadata,
             const std::vector<Column>& parameters) {
  Row row{status_of(run), {}};
  const ComparisonFacts facts = comparison_facts(run);
  row.cells = {run.text("kind"),
               metadata.optional_text("label"),
               facts.widths ? std::string(to_string(*facts.widths)) : "",
               facts.random_recommendation ? "1" : "0",
               fmt::format("{}", facts.pulls_at_once),
               warnings_cell(stored_warnings(run)),
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
  const Json own = run.optional_object("parameters", Json::object());
  for (const auto& parameter : parameters) row.cells.push_back(parameter_cell(own, parameter.name));
  return row;
}

/// Those in which the plan's algorithms differ, but for swept ones, which have columns of their
/// own.
std::vector<Column> parameters_of(const StoredPlan& plan, Folders& folders) {
  std::map<std::string, Json> by_algorithm;
  for (const auto& run : plan.runs) {
    if (by_algorithm.contains(run.algorithm)) continue;
    const fs::path* folder = folders.find(run.key);
    if (folder == nullptr) continue;
    const Json json = read_results(*folder / "results.json");
    const auto runs = JsonObject(*folder / "results.json", "", json).objects("runs");
    if (runs.empty()) continue;
    by_algorithm[run.algorithm] = runs.front().optional_object("parameters", Json::object());
  }
  std::vector<Json> all;
  all.reserve(by_algorithm.size());
  for (auto& [label, parameters] : by_algorithm) all.push_back(std::move(parameters));
  auto names = differing_parameters(all);
  std::erase_if(names, [&](const std::string& name) {
    return std::any_of(plan.axes.begin(), plan.axes.end(), [&](const std::string& axis) {
      return axis.starts_with("algorithm.") && axis.ends_with("." + name);
    });
  });
  std::vector<Column> columns;
  for (auto& name : names) {
    const bool numbers = std::all_of(all.begin(), all.end(), [&](const Json& parameters) {
      return !parameters.contains(name) || parameters[name].is_number();
    });
    columns.push_back({std::move(name), numbers ? ColumnType::number : ColumnType::text});
  }
  return columns;
}

std::vector<Column> summary_columns(const StoredPlan& plan, const std::vector<Column>& parameters) {
  std::vector<Column> columns{{"setting"}};
  for (const auto& axis : plan.axes) columns.push_back({axis});
  columns.push_back({"algorithm", ColumnType::text});
  columns.push_back({"repetition"});
  columns.insert(columns.end(), kRunColumns.begin(), kRunColumns.end());
  for (const auto& quantity : kQuantities) columns.push_back({std::string(quantity.name)});
  for (const auto& parameter : parameters)
    columns.push_back({"algorithm." + parameter.name, parameter.type});
  columns.push_back({"key", ColumnType::text});
  return columns;
}

std::vector<std::string> timing_of(const StoredPlan::Run& run, const JsonObject& metadata) {
  return {run.key,
          fmt::format("{}", metadata.number("wall_s")),
          metadata.text("start"),
          metadata.text("end")};
}

}  // namespace

std::optional<std::size_t> axis_with_taken_column(const std::vector<SweepAxis>& axes) {
  std::set<std::string> taken;  // without case, as SQLite compares them
  const auto take = [&](std::string name) {
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return taken.insert(std::move(name)).second;
  };
  for (const auto& column : summary_columns({}, {})) take(column.name);
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (!take(column_of(axes[i]))) return i;
  return std::nullopt;
}

SettingColumns setting_columns(const SweepPlan& plan) {
  SettingColumns columns;
  std::vector<std::optional<BaseUnit>> units;
  for (const auto& axis : plan.axes()) {
    units.push_back(unit_of(axis));
    columns.header += "," + csv_cell(column_of(axis));
  }
  for (std::size_t setting = 0; setting < plan.settings(); ++setting) {
    auto& row = columns.rows.emplace_back();
    for (std::size_t axis = 0; axis < units.size(); ++axis)
      row += "," + (units[axis] ? fmt::format("{}", amount_of(plan.value(setting, axis))->value)
                                : csv_cell(plan.text(setting, axis)));
  }
  return columns;
}

void write_plan(const RunStore& store,
                const SweepPlan& plan,
                const std::vector<std::size_t>& only) {
  const SettingColumns columns = setting_columns(plan);
  std::string out = fmt::format("{}{}\n", fmt::join(kPlanColumns, ","), columns.header);
  for (std::size_t i = 0; i < (only.empty() ? plan.runs().size() : only.size()); ++i) {
    const PlannedRun& run = plan.runs()[only.empty() ? i : only[i]];
    out += fmt::format("{},{},{},{}{}\n",
                       run.key,
                       run.setting + 1,
                       plan.algorithms()[run.algorithm],
                       run.repetition,
                       columns.rows[run.setting]);
  }
  store.write(kPlanFile, out);
  store.write(kConditionsFile, plan.conditions() + "\n");
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

std::optional<Finals> stored_finals(const fs::path& folder) {
  return with_run(folder, [](const JsonObject& run) -> std::optional<Finals> {
    if (status_of(run) != kFinished) return std::nullopt;
    return finals_of(read_repetition(run));
  });
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
  const auto parameters = parameters_of(plan, folders);
  const auto columns = summary_columns(plan, parameters);
  std::error_code error;
  fs::create_directories(out, error);
  for (const auto* name : {kConditionsFile, kDecisionsFile})
    if (const auto file = stores.front().root() / name; !fs::exists(file))
      fs::remove(out / name);
    else if (!fs::equivalent(stores.front().root(), out))
      write_file(out / name, read_file(file));
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
    const auto path = *folder / "metadata.json";
    const Json json = read_json(path);
    const JsonObject metadata(path, "", json);
    const Row row = with_run(
        *folder, [&](const JsonObject& result) { return read_row(result, metadata, parameters); });
    std::vector<std::string> cells{fmt::format("{}", run.setting)};
    cells.insert(cells.end(), run.values.begin(), run.values.end());
    cells.push_back(run.algorithm);
    cells.push_back(fmt::format("{}", run.repetition));
    cells.insert(cells.end(), row.cells.begin(), row.cells.end());
    cells.push_back(run.key);
    summary.add(cells);
    database.add(cells);
    ++collection.rows;
    collection.unfinished += row.status != kFinished;
    if (timed.insert(run.key).second) timing.add(timing_of(run, metadata));
  }
  collection.stale = folders.unused();
  summary.close();
  database.close();
  timing.close();
  return collection;
}

}  // namespace posse
