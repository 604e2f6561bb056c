// SPDX-License-Identifier: Apache-2.0
#include "program/compare/arms_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "program/base/text.hpp"

namespace posse {
namespace {

constexpr std::size_t kMostLines = 60;

/// One arm over several runs.
struct ArmLine {
  std::string name;
  std::vector<double> optimum, pulls, best, bound, last_pull;
  std::size_t answers = 0;
};

std::string cell(const std::vector<double>& values) {
  return values.empty() ? "–" : mean_and_interval(statistics(values), "");
}

struct ArmLines {
  std::vector<ArmLine> rows;
  bool maximized = false;
};

ArmLines lines_of(const ScenarioResult& result, std::size_t algorithm) {
  ArmLines lines;
  auto& rows = lines.rows;
  for (const auto& run : result.figures) {
    if (run.algorithm != algorithm || !run.finished()) continue;
    lines.maximized = run.arms.maximized;
    rows.resize(std::max(rows.size(), run.arms.arms.size()));
    for (std::size_t i = 0; i < run.arms.arms.size(); ++i) {
      const ArmRecord& arm = run.arms.arms[i];
      ArmLine& row = rows[i];
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
  return lines;
}

/// Where there are many: those with the most pulls, in their order.
std::vector<ArmLine> most_pulled(std::vector<ArmLine> rows) {
  if (rows.size() <= kMostLines) return rows;
  std::vector<std::pair<double, std::size_t>> order;  // by pulls, the most first
  for (std::size_t i = 0; i < rows.size(); ++i)
    order.emplace_back(-std::accumulate(rows[i].pulls.begin(), rows[i].pulls.end(), 0.0), i);
  std::partial_sort(order.begin(), order.begin() + kMostLines, order.end());
  order.resize(kMostLines);
  std::sort(order.begin(), order.end(), [](auto& a, auto& b) { return a.second < b.second; });
  std::vector<ArmLine> most;
  most.reserve(order.size());
  for (const auto& [pulls, i] : order) most.push_back(std::move(rows[i]));
  return most;
}

}  // namespace

std::string arms_text(const ScenarioResult& result, std::size_t algorithm) {
  auto all = lines_of(result, algorithm);
  const std::size_t arms = all.rows.size();
  if (arms == 0) return "";
  const auto rows = most_pulled(std::move(all.rows));
  std::vector<std::vector<std::string>> table{{"arm",
                                               all.maximized ? "maximum f*" : "minimum f*",
                                               "pulls",
                                               "best value f",
                                               all.maximized ? "last f + g" : "last f - g",
                                               "last pulled",
                                               "answered"}};
  for (const auto& row : rows)
    table.push_back({row.name,
                     cell(row.optimum),
                     cell(row.pulls),
                     cell(row.best),
                     cell(row.bound),
                     cell(row.last_pull),
                     fmt::format("{}", row.answers)});
  std::vector<std::size_t> widths(table.front().size());
  for (const auto& line : table)
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], width(line[c]));
  std::string text;
  for (const auto& line : table) {
    std::string out = "  ";
    for (std::size_t c = 0; c < line.size(); ++c) out += padded(line[c], widths[c]) + "  ";
    text += without_trailing_spaces(out) + "\n";
  }
  if (rows.size() < arms)
    text += fmt::format(
        "  the {} of {} arms with the most pulls; results.json has all\n", rows.size(), arms);
  return text;
}

}  // namespace posse
