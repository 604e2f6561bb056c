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
#include "program/base/files.hpp"
#include "program/base/quantities.hpp"
#include "program/base/table_files.hpp"
#include "program/results/json_object.hpp"
#include "program/results/study_runs.hpp"
#include "program/sweep/amount.hpp"

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

/// The axis's name in summary.csv.
std::string column_of(const SweepAxis& axis) {
  return column_of_key(axis.key, unit_of(axis).value_or(BaseUnit::none));
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

/// A run that was planned and is there.
struct CollectedRun {
  const StoredPlan::Run& planned;
  const JsonObject& results;
  std::string label, status;
  StudyRun run;
  Json parameters;
};

/// `differing`: parameters, named as in parameters_json().
ColumnsOf<CollectedRun> summary_columns(const std::vector<Column>& axes,
                                        const std::vector<Column>& differing) {
  using R = CollectedRun;
  ColumnsOf<R> columns;
  columns.add("setting", [](const R& r) { return r.planned.setting; });
  for (std::size_t i = 0; i < axes.size(); ++i)
    columns.add(axes[i].name, axes[i].type, [i](const R& r) { return r.planned.values[i]; });
  columns.add("algorithm", [](const R& r) { return r.planned.algorithm; })
      .add("repetition", [](const R& r) { return r.planned.repetition; })
      .add("kind", [](const R& r) { return r.results.text("kind"); })
      .add("label", [](const R& r) { return r.label; })
      .add(fact_columns(), &R::run)
      .add("clients", [](const R& r) { return r.results.count("clients"); })
      .add("seed", [](const R& r) { return r.run.seed; })
      .add("status", [](const R& r) { return r.status; })
      .add("fingerprint", [](const R& r) { return r.results.text("fingerprint"); })
      .add("values", [](const R& r) { return values_sent(r.results); })
      .add(quantity_columns(), &R::run);
  for (const auto& column : differing)
    columns.add("algorithm." + column.name, column.type, [column](const R& r) {
      return parameter_datum(r.parameters, column);
    });
  columns.add("key", [](const R& r) { return r.planned.key; });
  return columns;
}

/// When a run was made, apart from what it gave.
struct TimedRun {
  std::string key, start, end;
  double wall_s = 0;
};
ColumnsOf<TimedRun> timing_columns() {
  ColumnsOf<TimedRun> columns;
  columns.add("key", &TimedRun::key)
      .add("wall_s", &TimedRun::wall_s)
      .add("start", &TimedRun::start)
      .add("end", &TimedRun::end);
  return columns;
}

/// The parameters in which the plan's algorithms differ, but for swept ones, which have columns of
/// their own.
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
  auto columns = differing_parameters(all);
  std::erase_if(columns, [&](const Column& column) {
    return std::ranges::any_of(plan.axes, [&](const Column& axis) {
      return axis.name.starts_with("algorithm.") && axis.name.ends_with("." + column.name);
    });
  });
  return columns;
}

}  // namespace

std::optional<std::size_t> axis_with_taken_column(const std::vector<SweepAxis>& axes) {
  std::set<std::string> taken;  // without case, as SQLite compares them
  const auto take = [&](std::string name) {
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return taken.insert(std::move(name)).second;
  };
  const auto own = summary_columns({}, {});
  for (const auto& column : own.columns()) take(column.name);
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (!take(column_of(axes[i]))) return i;
  return std::nullopt;
}

SettingColumns setting_columns(const SweepPlan& plan) {
  SettingColumns all;
  std::vector<std::optional<BaseUnit>> units;
  for (const auto& axis : plan.axes()) {
    units.push_back(unit_of(axis));
    all.columns.push_back({column_of(axis), units.back() ? ColumnType::real : ColumnType::text});
  }
  for (std::size_t setting = 0; setting < plan.settings(); ++setting) {
    auto& row = all.rows.emplace_back();
    for (std::size_t axis = 0; axis < units.size(); ++axis)
      row.push_back(units[axis] ? datum(amount_of(plan.value(setting, axis))->value)
                                : datum(plan.text(setting, axis)));
  }
  return all;
}

namespace {

DataTable plan_table(const SweepPlan& plan, const std::vector<std::size_t>& only) {
  const auto settings = std::make_shared<SettingColumns>(setting_columns(plan));
  ColumnsOf<PlannedRun> columns;
  columns.add("key", [](const PlannedRun& run) { return run.key; })
      .add("setting", [](const PlannedRun& run) { return run.setting + 1; })
      .add("algorithm", [&](const PlannedRun& run) { return plan.algorithms()[run.algorithm]; })
      .add("repetition", [](const PlannedRun& run) { return run.repetition; });
  for (std::size_t i = 0; i < settings->columns.size(); ++i)
    columns.add(settings->columns[i].name,
                settings->columns[i].type,
                [settings, i](const PlannedRun& run) { return settings->rows[run.setting][i]; });
  return columns.table([&](const auto& use) {
    if (only.empty())
      for (const auto& run : plan.runs()) use(run);
    for (const auto i : only) use(plan.runs()[i]);
  });
}

}  // namespace

void write_plan(const RunStore& store,
                const SweepPlan& plan,
                const std::vector<std::size_t>& only) {
  store.write(kPlanFile, csv_text(plan_table(plan, only)));
  store.write(kAboutFile, plan.name() + "\n" + plan.conditions() + "\n");
}

namespace {

/// An axis whose values are numbers is one of numbers.
void type_axis(StoredPlan& plan, std::size_t axis) {
  std::vector<Datum> numbers;
  for (const auto& run : plan.runs) {
    const auto number = parse_number<double>(std::get<std::string>(run.values[axis]));
    if (!number) return;
    numbers.emplace_back(*number);
  }
  plan.axes[axis].type = ColumnType::real;
  for (std::size_t i = 0; i < numbers.size(); ++i) plan.runs[i].values[axis] = numbers[i];
}

}  // namespace

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
    for (auto i = kPlanColumns.size(); i < columns.size(); ++i) plan.axes.push_back({columns[i]});
    while (rows.next()) {
      const auto setting = parse_number<std::size_t>(rows.cell(1));
      const auto repetition = parse_number<std::uint32_t>(rows.cell(3));
      if (!is_run_key(rows.cell(0)) || !setting || !repetition)
        throw InputError(fmt::format("line {} is not a run of a plan", rows.line()));
      auto& run = plan.runs.emplace_back(
          StoredPlan::Run{rows.cell(0), rows.cell(2), *setting, *repetition});
      for (auto i = kPlanColumns.size(); i < columns.size(); ++i)
        run.values.emplace_back(rows.cell(i));
    }
    for (std::size_t i = 0; i < plan.axes.size(); ++i) type_axis(plan, i);
    return plan;
  } catch (const InputError& error) {
    throw FileError(path, error.what());
  }
}

std::optional<Finals> stored_finals(const fs::path& folder) {
  const StudyRun run = with_run(folder, [](const JsonObject& entry) { return study_run(entry); });
  return run.finished ? std::optional(run.finals) : std::nullopt;
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
  const auto columns = summary_columns(plan.axes, parameters);
  const auto timing_of = timing_columns();
  std::error_code error;
  fs::create_directories(out, error);
  for (const auto* name : {kAboutFile, kDecisionsFile})
    if (const auto file = stores.front().root() / name; !fs::exists(file))
      fs::remove(out / name);
    else if (!fs::equivalent(stores.front().root(), out))
      write_file(out / name, read_file(file));
  CsvTable summary(out / "summary.csv", columns.columns());
  SqliteTable database(out / "summary.sqlite", "runs", columns.columns());
  CsvTable timing(out / "timing.csv", timing_of.columns());
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
    TableRow row;
    const auto status = with_run(*folder, [&](const JsonObject& results) {
      const CollectedRun collected{run,
                                   results,
                                   metadata.optional_text("label"),
                                   status_in_summary(results),
                                   study_run(results),
                                   results.optional_object("parameters", Json::object())};
      columns.append(collected, row);
      return collected.status;
    });
    summary.add(row);
    database.add(row);
    ++collection.rows;
    collection.unfinished += status != to_string(RunStatus::finished);
    if (!timed.insert(run.key).second) continue;
    row.clear();
    const double wall_s = metadata.number("wall_s");
    timing_of.append({run.key, metadata.text("start"), metadata.text("end"), wall_s}, row);
    timing.add(row);
    collection.runs_wall_s += wall_s;
  }
  collection.stale = folders.unused();
  summary.close();
  database.close();
  timing.close();
  return collection;
}

}  // namespace posse
