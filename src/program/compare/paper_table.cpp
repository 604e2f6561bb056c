// SPDX-License-Identifier: Apache-2.0
#include "program/compare/paper_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/base/math.hpp"
#include "program/base/csv.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/compare/study_headlines.hpp"
#include "program/compare/study_words.hpp"

namespace posse {
namespace {

/// A column's unit: what its values are divided by.
struct ColumnUnit {
  std::string_view name;
  double size = 1;
};

constexpr std::array<ColumnUnit, 4> kByteUnits{{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}};
constexpr std::array<ColumnUnit, 4> kTimeUnits{
    {{"ns", 1e-9}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}}};

/// The unit in which a typical value is at least 1: the geometric mean of the positive ones.
ColumnUnit unit_of(std::string_view unit, const std::vector<double>& values) {
  if (unit != "s" && unit != "bytes") return {unit, 1};
  const auto& units = unit == "s" ? kTimeUnits : kByteUnits;
  double logarithms = 0, positive = 0;
  for (const double value : values)
    if (value > 0) {
      logarithms += math::log(value);
      ++positive;
    }
  const double typical = positive > 0 ? math::exp(logarithms / positive) : units.back().size;
  ColumnUnit chosen = units.front();
  for (const auto& one : units)
    if (one.size <= typical) chosen = one;
  return chosen;
}

struct PaperCell {
  Statistics values;
  bool best = false;  // shown
};

struct PaperColumn {
  std::string label;
  std::size_t quantity = 0;
  ColumnUnit unit;

  std::string heading() const {
    return unit.name.empty() ? label : fmt::format("{} ({})", label, unit.name);
  }
};

struct PaperRow {
  std::vector<std::string> names;  // setting, algorithm: those that there are columns for
  std::vector<std::optional<PaperCell>> cells;
  bool begins_group = false;
};

struct PaperLayout {
  std::vector<std::string> name_columns;
  std::vector<PaperColumn> columns;
  std::vector<PaperRow> rows;
};

std::optional<PaperCell> cell_at(const MeasureComparison& measure,
                                 std::size_t setting,
                                 std::size_t algorithm) {
  const auto& cell = measure.cells[setting][algorithm];
  if (!cell) return std::nullopt;
  const auto won = winner(measure, setting);
  return PaperCell{cell->values, won && won->clear && won->algorithm == algorithm};
}

std::vector<const MeasureComparison*> chosen_measures(const StudyReport& report,
                                                      const PaperTableRequest& request) {
  std::vector<const MeasureComparison*> chosen;
  if (request.measures.empty()) {
    for (const auto& measure : report.comparison.measures)
      if (has_row(report.comparison, measure)) chosen.push_back(&measure);
    return chosen;
  }
  for (const auto quantity : request.measures) {
    const auto* measure = report.comparison.find(quantity);
    if (measure == nullptr)
      throw std::invalid_argument(
          fmt::format("no finished run has the measure '{}'", quantity_at(quantity).name));
    chosen.push_back(measure);
  }
  return chosen;
}

/// The column's unit, from all of its cells.
void choose_units(PaperLayout& table) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::vector<double> values;
    for (const auto& row : table.rows)
      if (row.cells[c]) values.push_back(row.cells[c]->values.mean);
    table.columns[c].unit = unit_of(quantity_at(table.columns[c].quantity).unit, values);
  }
}

/// One measure: settings are rows, algorithms columns, in one unit.
PaperLayout settings_by_algorithms(const Study& study, const MeasureComparison& measure) {
  PaperLayout table;
  table.name_columns = {"setting"};
  std::vector<double> values;
  for (const auto& label : study.algorithms) table.columns.push_back({label, measure.quantity, {}});
  for (std::size_t s = 0; s < study.settings.size(); ++s) {
    PaperRow row{{setting_text(study, s)}, {}, false};
    for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
      row.cells.push_back(cell_at(measure, s, a));
      if (row.cells.back()) values.push_back(row.cells.back()->values.mean);
    }
    table.rows.push_back(std::move(row));
  }
  for (auto& column : table.columns)
    column.unit = unit_of(quantity_at(measure.quantity).unit, values);
  return table;
}

PaperLayout measures_as_columns(const Study& study,
                                const std::vector<const MeasureComparison*>& measures) {
  PaperLayout table;
  const bool several = study.settings.size() > 1;
  if (several) table.name_columns.emplace_back("setting");
  if (!several || study.algorithms.size() > 1) table.name_columns.emplace_back("algorithm");
  for (const auto* measure : measures)
    table.columns.push_back(
        {std::string(quantity_at(measure->quantity).label), measure->quantity, {}});
  for (std::size_t s = 0; s < study.settings.size(); ++s)
    for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
      if (study.find(s, a) == nullptr) continue;
      PaperRow row;
      const bool first = table.rows.empty() || a == 0;
      if (several) row.names.push_back(first ? setting_text(study, s) : "");
      if (table.name_columns.back() == "algorithm") row.names.push_back(study.algorithms[a]);
      row.begins_group = several && study.algorithms.size() > 1 && first && !table.rows.empty();
      for (const auto* measure : measures) row.cells.push_back(cell_at(*measure, s, a));
      table.rows.push_back(std::move(row));
    }
  choose_units(table);
  return table;
}

/// Numbers of one cell, rounded by the half width of the interval.
struct ShownCell {
  std::string mean, half, low, high;  // half is empty if all values are equal, or there is one
};
ShownCell shown(const PaperCell& cell, const ColumnUnit& unit) {
  const double half = half_width(cell.values, Band::interval) / unit.size;
  const double mean = cell.values.mean / unit.size;
  if (!(half > 0) || !std::isfinite(half)) return {pretty_number(mean), "", "", ""};
  // As many decimals as the second significant digit of the half width has.
  const int place = static_cast<int>(std::floor(math::log10(half))) - 1;
  const int decimals = std::max(0, -place);
  const auto text = [&](double x) {
    return fmt::format("{:.{}f}", rounded_to(x, half, 2), decimals);
  };
  return {text(mean),
          fmt::format("{:.{}f}", rounded(half, 2), decimals),
          text(mean - half),
          text(mean + half)};
}

/// What the numbers are.
std::string legend_of(const StudyReport& report, TableInterval interval) {
  const auto counts = counts_of(report.study);
  const auto repetitions = counts.least == counts.most
                               ? count_text(counts.most, "repetition", "repetitions")
                               : fmt::format("{} to {} repetitions", counts.least, counts.most);
  const auto* what = counts.most < 2                         ? "Values"
                     : interval == TableInterval::plus_minus ? "Mean ± half of its 95 % interval"
                     : interval == TableInterval::range      ? "Mean and its 95 % interval"
                                                             : "Means";
  auto text = fmt::format("{} over {}{}.",
                          what,
                          repetitions,
                          counts.most > 1 && interval != TableInterval::none
                              ? "; without it all values are equal"
                              : "");
  if (report.study.algorithms.size() > 1)
    text += " Bold: shown to be best in its setting (paired t-tests, Holm, 5 % for each measure).";
  return text;
}

std::string latex(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      out += std::string("\\") + c;
    else if (c == '\\')
      out += "\\textbackslash{}";
    else if (c == '~' || c == '^')
      out += fmt::format("\\{}{{}}", c);
    else
      out += c;
  }
  for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>{"µ", "$\\mu$"},
                                 {"…", "\\dots{}"},
                                 {"–", "--"}})
    for (auto at = out.find(from); at != std::string::npos; at = out.find(from, at + to.size()))
      out.replace(at, from.size(), to);
  return out;
}

std::string latex_cell(const std::optional<PaperCell>& cell,
                       const ColumnUnit& unit,
                       TableInterval interval) {
  if (!cell) return "--";
  const auto s = shown(*cell, unit);
  auto text = s.mean;
  if (!s.half.empty() && interval == TableInterval::plus_minus) text += " \\pm " + s.half;
  if (!s.half.empty() && interval == TableInterval::range)
    text += fmt::format("\\;[{},\\,{}]", s.low, s.high);
  return cell->best ? fmt::format("$\\mathbf{{{}}}$", text) : fmt::format("${}$", text);
}

std::string latex_table(const PaperLayout& table,
                        const StudyReport& report,
                        TableInterval interval) {
  std::string out = fmt::format("% {}\n", report.title);
  if (!report.study.conditions.empty()) out += fmt::format("% {}\n", report.study.conditions);
  for (const auto& warning : warnings_of(report)) out += fmt::format("% warning: {}\n", warning);
  out += fmt::format("% {}\n% \\usepackage{{booktabs}}\n", legend_of(report, interval));
  out += fmt::format("\\begin{{tabular}}{{{}{}}}\n\\toprule\n",
                     std::string(table.name_columns.size(), 'l'),
                     std::string(table.columns.size(), 'r'));
  std::vector<std::string> cells = table.name_columns;
  for (const auto& column : table.columns) cells.push_back(latex(column.heading()));
  out += fmt::format("{} \\\\\n\\midrule\n", fmt::join(cells, " & "));
  for (const auto& row : table.rows) {
    if (row.begins_group) out += "\\addlinespace\n";
    cells.clear();
    for (const auto& name : row.names) cells.push_back(latex(name));
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      cells.push_back(latex_cell(row.cells[c], table.columns[c].unit, interval));
    out += fmt::format("{} \\\\\n", fmt::join(cells, " & "));
  }
  return out + "\\bottomrule\n\\end{tabular}\n";
}

std::string markdown(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += (c == '|' || c == '*' || c == '_' ? "\\" : "") + std::string(1, c);
  return out;
}

std::string markdown_table(const PaperLayout& table,
                           const StudyReport& report,
                           TableInterval interval) {
  std::string out;
  for (const auto& warning : warnings_of(report)) out += fmt::format("> Warning: {}\n\n", warning);
  std::vector<std::string> cells, rule;
  for (const auto& name : table.name_columns) {
    cells.push_back(name);
    rule.emplace_back("---");
  }
  for (const auto& column : table.columns) {
    cells.push_back(markdown(column.heading()));
    rule.emplace_back("---:");
  }
  out += fmt::format("| {} |\n| {} |\n", fmt::join(cells, " | "), fmt::join(rule, " | "));
  for (const auto& row : table.rows) {
    cells.clear();
    for (const auto& name : row.names) cells.push_back(markdown(name));
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      if (!row.cells[c]) {
        cells.emplace_back("–");
        continue;
      }
      const auto s = shown(*row.cells[c], table.columns[c].unit);
      auto text = s.mean;
      if (!s.half.empty() && interval == TableInterval::plus_minus) text += " ± " + s.half;
      if (!s.half.empty() && interval == TableInterval::range)
        text += fmt::format(" ({} to {})", s.low, s.high);
      cells.push_back(row.cells[c]->best ? fmt::format("**{}**", text) : text);
    }
    out += fmt::format("| {} |\n", fmt::join(cells, " | "));
  }
  return out + "\n" + legend_of(report, interval) + "\n";
}

std::string csv_table(const StudyReport& report,
                      const std::vector<const MeasureComparison*>& measures) {
  const Study& study = report.study;
  std::string out =
      "setting,algorithm,measure,unit,repetitions,mean,half_width_95,low_95,high_95,shown_best\n";
  for (const auto* measure : measures)
    for (std::size_t s = 0; s < study.settings.size(); ++s)
      for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
        const auto cell = cell_at(*measure, s, a);
        if (!cell) continue;
        const Quantity& quantity = quantity_at(measure->quantity);
        const double mean = cell->values.mean, half = half_width(cell->values, Band::interval);
        const bool known = cell->values.n > 1 && std::isfinite(half);
        const auto number = [&](double x) { return known ? fmt::format("{}", x) : std::string(); };
        out += fmt::format("{},{},{},{},{},{},{},{},{},{}\n",
                           csv_cell(study.settings[s]),
                           csv_cell(study.algorithms[a]),
                           quantity.name,
                           quantity.unit,
                           cell->values.n,
                           mean,
                           number(half),
                           number(mean - half),
                           number(mean + half),
                           cell->best);
      }
  return out;
}

}  // namespace

std::vector<std::string> warnings_of(const StudyReport& report) {
  auto warnings = work_headline(report.study, report.comparison);
  warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  return warnings;
}

std::string paper_table(const StudyReport& report, const PaperTableRequest& request) {
  const auto measures = chosen_measures(report, request);
  if (measures.empty()) throw std::invalid_argument("no run has finished: there is no table");
  if (request.format == TableFormat::csv) return csv_table(report, measures);
  const Study& study = report.study;
  const bool pivot =
      measures.size() == 1 && study.settings.size() > 1 && study.algorithms.size() > 1;
  const auto table = pivot ? settings_by_algorithms(study, *measures.front())
                           : measures_as_columns(study, measures);
  return request.format == TableFormat::latex ? latex_table(table, report, request.interval)
                                              : markdown_table(table, report, request.interval);
}

}  // namespace posse
