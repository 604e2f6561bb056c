// SPDX-License-Identifier: Apache-2.0
#include "program/compare/arms_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "program/base/text.hpp"

namespace posse {
namespace {

/// The values of one arm, by run.
struct ArmValues {
  std::string name;
  std::vector<double> optimum, pulls, best, bound, last_pull;
  std::size_t answers = 0;
};

/// The rows with the most pulls, in their order.
std::vector<ArmLine> most_pulled(std::vector<ArmLine> rows, std::size_t most) {
  if (rows.size() <= most) return rows;
  std::vector<std::pair<double, std::size_t>> order;  // by pulls, the most first
  for (std::size_t i = 0; i < rows.size(); ++i)
    order.emplace_back(-rows[i].pulls.mean * static_cast<double>(rows[i].pulls.n), i);
  std::sort(order.begin(), order.end());
  order.resize(most);
  std::sort(order.begin(), order.end(), [](auto& a, auto& b) { return a.second < b.second; });
  std::vector<ArmLine> chosen;
  for (const auto& [pulls, i] : order) chosen.push_back(std::move(rows[i]));
  return chosen;
}

std::string cell(const Statistics& values) {
  return values.n == 0 ? "–" : mean_and_interval(values, "");
}

}  // namespace

ArmLines arm_lines(const ScenarioResult& result, std::size_t algorithm) {
  ArmLines lines;
  std::vector<ArmValues> rows;
  for (const auto& run : result.figures) {
    if (run.algorithm != algorithm || !run.finished()) continue;
    lines.maximized = run.arms.maximized;
    rows.resize(std::max(rows.size(), run.arms.arms.size()));
    for (std::size_t i = 0; i < run.arms.arms.size(); ++i) {
      const ArmRecord& arm = run.arms.arms[i];
      ArmValues& row = rows[i];
      row.name = arm.name;
      if (arm.optimum) row.optimum.push_back(*arm.optimum);
      row.pulls.push_back(static_cast<double>(arm.pulls));
      if (run.arms.answer == i) ++row.answers;
      if (arm.pulls == 0) continue;
      row.best.push_back(arm.best);
      if (std::isfinite(arm.bound))
        row.bound.push_back(run.arms.confidence_bound(arm.last, arm.bound));
      row.last_pull.push_back(static_cast<double>(arm.last_pull));
    }
  }
  lines.arms = rows.size();
  for (auto& row : rows)
    lines.rows.push_back({std::move(row.name),
                          statistics(row.optimum),
                          statistics(row.pulls),
                          statistics(row.best),
                          statistics(row.bound),
                          statistics(row.last_pull),
                          row.answers});
  lines.rows = most_pulled(std::move(lines.rows), kMostArmLines);
  return lines;
}

std::string arms_text(const ArmLines& lines, std::size_t most) {
  if (lines.rows.empty()) return "";
  TextTable table({"arm",
                   lines.maximized ? "maximum f*" : "minimum f*",
                   "pulls",
                   "best value f",
                   lines.maximized ? "last f + g" : "last f - g",
                   "last pulled",
                   "answered"});
  const auto rows = most_pulled(lines.rows, most);
  for (const auto& row : rows)
    table.add({row.name,
               cell(row.optimum),
               cell(row.pulls),
               cell(row.best),
               cell(row.bound),
               cell(row.last_pull),
               fmt::format("{}", row.answers)});
  std::string text = table.text();
  if (rows.size() < lines.arms)
    text += fmt::format(
        "  the {} of {} arms with the most pulls; results.json has all\n", rows.size(), lines.arms);
  return text;
}

}  // namespace posse
