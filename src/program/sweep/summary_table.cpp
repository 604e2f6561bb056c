#include "program/sweep/summary_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"
#include "program/base/files.hpp"
#include "program/base/statistics.hpp"
#include "program/base/text.hpp"
#include "program/results/results_json.hpp"

namespace posse {
namespace {

/// The runs of one algorithm in one setting.
struct Group {
  const SummaryRow* first = nullptr;
  std::size_t runs = 0, finished = 0;
  std::array<std::vector<double>, kQuantities.size()> values;  // of finished runs
};

using Groups = std::map<std::pair<std::size_t, std::size_t>, Group>;

/// By setting, then in the order in which the algorithms appear.
Groups groups_of(const SummaryTable& table) {
  std::vector<std::string> algorithms;
  Groups groups;
  for (const auto& row : table.rows) {
    auto algorithm = std::find(algorithms.begin(), algorithms.end(), row.algorithm);
    if (algorithm == algorithms.end())
      algorithm = algorithms.insert(algorithms.end(), row.algorithm);
    Group& group = groups[{row.setting, static_cast<std::size_t>(algorithm - algorithms.begin())}];
    if (group.first == nullptr) group.first = &row;
    ++group.runs;
    if (row.status != "finished") continue;
    ++group.finished;
    for (std::size_t q = 0; q < kQuantities.size(); ++q)
      if (row.finals[q]) group.values[q].push_back(*row.finals[q]);
  }
  return groups;
}

}  // namespace

SummaryTable read_summary(const std::filesystem::path& csv) {
  const auto text = read_file(csv);
  try {
    CsvReader rows(text);
    SummaryTable table;
    const auto setting = rows.column("setting"), algorithm = rows.column("algorithm"),
               repetition = rows.column("repetition"), status = rows.column("status");
    table.axes.assign(rows.columns().begin() + static_cast<std::ptrdiff_t>(setting + 1),
                      rows.columns().begin() + static_cast<std::ptrdiff_t>(algorithm));
    std::array<std::size_t, kQuantities.size()> quantities{};
    for (std::size_t q = 0; q < kQuantities.size(); ++q)
      quantities[q] = rows.column(kQuantities[q].name);
    while (rows.next()) {
      auto& row = table.rows.emplace_back();
      const auto number = parse_number<std::size_t>(rows.cell(setting));
      const auto which = parse_number<std::uint32_t>(rows.cell(repetition));
      if (!number || !which)
        throw InputError(fmt::format("line {} is not a row of a sweep's summary", rows.line()));
      row.setting = *number;
      row.repetition = *which;
      row.algorithm = rows.cell(algorithm);
      row.status = rows.cell(status);
      for (std::size_t axis = 0; axis < table.axes.size(); ++axis)
        row.values.push_back(rows.cell(setting + 1 + axis));
      for (std::size_t q = 0; q < kQuantities.size(); ++q)
        if (!rows.cell(quantities[q]).empty()) row.finals[q] = finite_number(rows, quantities[q]);
    }
    return table;
  } catch (const InputError& error) {
    throw FileError(csv, error.what());
  }
}

std::string summary_text(const SummaryTable& table) {
  const Groups groups = groups_of(table);
  std::vector<std::size_t> shown;  // quantities that some run has
  for (std::size_t q = 0; q < kQuantities.size(); ++q)
    if (std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
          return !group.second.values[q].empty();
        }))
      shown.push_back(q);
  std::vector<std::string> header = table.axes;
  header.insert(header.end(), {"algorithm", "runs"});
  for (const auto q : shown) header.emplace_back(kQuantities[q].label);
  TextTable text(std::move(header));
  for (const auto& [at, group] : groups) {
    auto cells = group.first->values;
    cells.push_back(group.first->algorithm);
    cells.push_back(group.finished == group.runs
                        ? fmt::format("{}", group.runs)
                        : fmt::format("{} of {} finished", group.finished, group.runs));
    for (const auto q : shown)
      cells.push_back(group.values[q].empty() ? ""
                                              : pretty(rounded(statistics(group.values[q]).mean, 4),
                                                       kQuantities[q].unit));
    text.add(std::move(cells));
  }
  return "means over the finished runs\n" + text.text();
}

std::string summary_json(const SummaryTable& table) {
  Json rows = Json::array();
  for (const auto& [at, group] : groups_of(table)) {
    Json row{{"setting", at.first}};
    row["parameters"] = Json::object();
    for (std::size_t axis = 0; axis < table.axes.size(); ++axis)
      row["parameters"][table.axes[axis]] = group.first->values[axis];
    row["algorithm"] = group.first->algorithm;
    row["runs"] = group.runs;
    row["finished"] = group.finished;
    for (std::size_t q = 0; q < kQuantities.size(); ++q)
      if (!group.values[q].empty())
        row[std::string(kQuantities[q].name)] = statistics_json(statistics(group.values[q]));
    rows.push_back(std::move(row));
  }
  return rows.dump(2) + "\n";
}

}  // namespace posse
