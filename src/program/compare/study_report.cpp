// SPDX-License-Identifier: Apache-2.0
#include "program/compare/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "program/base/terminal.hpp"
#include "program/base/text.hpp"
#include "program/compare/study_headlines.hpp"
#include "program/compare/wanted_width.hpp"

namespace posse {
namespace {

constexpr std::size_t kMostSettingsInFull = 12;  // with more, only the main measure's table
constexpr std::size_t kMostAlgorithmColumns = 3;

/// What marks the numbers of runs that were changed by hand.
constexpr std::string_view kTouchedMark = " †";

std::string marked(std::string text, const StudyCell* cell) {
  if (cell != nullptr && cell->warnings.has(kTouched)) text += kTouchedMark;
  return text;
}

/// Every run of every algorithm has the value that it has in the first setting.
bool same_in_all_settings(const MeasureComparison& measure) {
  for (std::size_t s = 1; s < measure.cells.size(); ++s)
    for (const auto& cell : measure.cells[s])
      if (!cell || !cell->to_first_setting || !cell->to_first_setting->equal()) return false;
  return true;
}

/// Adds the rows of a measure, with the algorithms below each other.
void add_algorithm_rows(const Study& study,
                        const MeasureComparison& measure,
                        std::size_t setting,
                        const std::string& name,
                        TextTable& table) {
  const auto unit = quantity_at(measure.quantity).unit;
  bool first = true;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
    const auto& cell = measure.cells[setting][a];
    if (!cell) continue;
    table.add({first ? name : "",
               study.algorithms[a],
               marked(mean_and_interval(cell->values, unit), study.find(setting, a)),
               cell->to_first_algorithm ? effect_text(*cell->to_first_algorithm, unit) : ""});
    first = false;
  }
}

/// Algorithms as columns: a row per measure, or per measure and setting. More than
/// kMostAlgorithmColumns are rows instead.
TextTable algorithms_table(const Study& study,
                           const StudyComparison& comparison,
                           std::size_t main) {
  const bool one = study.settings.size() == 1;
  const bool as_rows = study.algorithms.size() > kMostAlgorithmColumns;
  std::vector<std::string> header{""};
  if (as_rows) {
    header = {"", "", "mean", fmt::format("/ {}", study.algorithms[0])};
  } else {
    for (const auto& algorithm : study.algorithms) header.push_back(algorithm);
    for (std::size_t a = 1; a < study.algorithms.size(); ++a)
      header.push_back(fmt::format("{} / {}", study.algorithms[a], study.algorithms[0]));
  }
  TextTable table(header);
  for (const auto& measure : comparison.measures) {
    const Quantity& quantity = quantity_at(measure.quantity);
    if (!has_row(comparison, measure)) continue;
    if (study.settings.size() > kMostSettingsInFull && measure.quantity != main) continue;
    const bool same = !one && same_in_all_settings(measure);
    if (!one && !same) {
      std::vector<std::string> heading(header.size());
      heading[0] = std::string(quantity.label);
      table.add(std::move(heading));
    }
    for (std::size_t s = 0; s < (same ? 1 : study.settings.size()); ++s) {
      const std::string name = one    ? std::string(quantity.label)
                               : same ? fmt::format("{}, in every setting", quantity.label)
                                      : "  " + setting_text(study, s);
      if (as_rows) {
        add_algorithm_rows(study, measure, s, name, table);
        continue;
      }
      std::vector<std::string> row{name};
      for (std::size_t a = 0; a < measure.cells[s].size(); ++a) {
        const auto& cell = measure.cells[s][a];
        row.push_back(
            cell ? marked(mean_and_interval(cell->values, quantity.unit), study.find(s, a)) : "");
      }
      for (std::size_t a = 1; a < study.algorithms.size(); ++a) {
        const auto& cell = measure.cells[s][a];
        row.push_back(cell && cell->to_first_algorithm
                          ? effect_text(*cell->to_first_algorithm, quantity.unit)
                          : "");
      }
      table.add(std::move(row));
    }
  }
  return table;
}

/// Settings as rows, measures as columns: the first setting's means, the others over the first.
TextTable settings_table(const Study& study, const StudyComparison& comparison, std::size_t a) {
  std::vector<const MeasureComparison*> measures;
  std::vector<std::string> header{study.algorithms[a]};
  for (const auto& measure : comparison.measures)
    if (has_row(comparison, measure)) {
      measures.push_back(&measure);
      header.emplace_back(quantity_at(measure.quantity).label);
    }
  TextTable table(header);
  for (std::size_t s = 0; s < study.settings.size(); ++s) {
    std::vector<std::string> row{setting_text(study, s)};
    for (const auto* measure : measures) {
      const auto& cell = measure->cells[s][a];
      if (!cell)
        row.emplace_back("");
      else if (s == 0)
        row.push_back(marked(mean_and_interval(cell->values, quantity_at(measure->quantity).unit),
                             study.find(s, a)));
      else
        row.push_back(
            cell->to_first_setting
                ? marked(effect_text(*cell->to_first_setting, quantity_at(measure->quantity).unit),
                         study.find(s, a))
                : "");
    }
    table.add(std::move(row));
  }
  return table;
}

bool any_without_values(const Study& study) {
  for (std::size_t s = 0; s < study.settings.size(); ++s)
    for (std::size_t a = 0; a < study.algorithms.size(); ++a)
      if (const auto* cell = study.find(s, a); cell != nullptr && cell->finished.empty())
        return true;
  return false;
}

bool any_touched(const Study& study) {
  return std::any_of(study.cells.begin(), study.cells.end(), [](const auto& cell) {
    return cell.second.warnings.has(kTouched);
  });
}

/// The most that a measure has.
std::size_t comparisons_in(const StudyComparison& comparison) {
  return std::ranges::max(comparison.measures, {}, &MeasureComparison::comparisons).comparisons;
}

/// Whether a regret is not that of all evaluations.
bool several_clients(const Study& study) {
  return std::ranges::any_of(study.cells, [](const auto& cell) {
    return std::ranges::any_of(cell.second.finished, [](const auto& run) {
      return run.second["cumulative_regret"] && clients_of(run.second).value_or(1) > 1;
    });
  });
}

std::string legend(const Study& study, const StudyComparison& comparison) {
  const auto comparisons = comparisons_in(comparison);
  const auto marks =
      fmt::format(".{}{}",
                  any_without_values(study) ? " Empty: no run has finished." : "",
                  any_touched(study) ? " †: of runs that were changed by hand." : "");
  if (comparisons == 0)
    return counts_of(study).most > 1 ? fmt::format("{}{}", kIntervalLegend, marks) : std::string();
  return fmt::format(
      "{}{} (none: all equal). ×: ratio of means, paired by seed, with its 95 % interval "
      "(Fieller); the difference where a ratio says nothing. ?: not shown to differ{}{}",
      several_clients(study) ? "Regrets are per client, messages and bytes those of all nodes. "
                             : "",
      kIntervalLegend,
      comparisons > 1 ? fmt::format(", corrected for the {} comparisons of a measure (Holm, 5 % in "
                                    "all)",
                                    comparisons)
                      : " (paired t-test, 5 %)",
      marks);
}

}  // namespace

std::string width_text(const Study& study, WantedWidth wanted) {
  wanted = comparable_width(study, wanted);
  const Quantity& quantity = quantity_at(wanted.quantity);
  const bool between_algorithms = study.algorithms.size() > 1,
             between_settings = !between_algorithms && study.settings.size() > 1;
  const auto reference = between_algorithms ? study.algorithms.front()
                         : between_settings ? setting_text(study, 0)
                                            : std::string();
  const auto subject = reference.empty()
                           ? std::string(quantity.label)
                           : fmt::format("{}, as a difference to {}'s,", quantity.label, reference);
  const auto width = wanted.relative ? fmt::format("{} % of {} mean",
                                                   rounded(wanted.width * 100, 4),
                                                   reference.empty() ? "the" : reference + "'s")
                                     : pretty(wanted.width, quantity.unit);
  const auto now = counts_of(study).least;
  if (width_reached(study, wanted))
    return fmt::format("{} is known to ±{} with {} repetitions", subject, width, now);
  const auto needed = repetitions_needed(study, wanted);
  if (!needed)
    return fmt::format("{} to ±{}: {}",
                       subject,
                       width,
                       now < 2 ? "two repetitions are needed to tell how many"
                               : "more than a million repetitions, or no values");
  return fmt::format("{} to ±{}: about {} repetitions in all, {} more than now",
                     subject,
                     width,
                     *needed,
                     *needed > now ? *needed - now : 0);
}

std::size_t main_measure(const StudyComparison& comparison) {
  for (const auto name : kMainMeasures)
    if (const auto* measure = comparison.find(name)) return measure->quantity;
  return comparison.measures.empty() ? 0 : comparison.measures.front().quantity;
}

StudyReport study_report(Study given,
                         std::optional<std::size_t> measure,
                         const std::optional<WantedWidth>& wanted) {
  StudyReport report{std::move(given), {}, {}, {}, {}, {}, {}, wanted};
  const Study& study = report.study;
  report.comparison = compare_study(study);
  const StudyComparison& comparison = report.comparison;
  if (comparison.measures.empty()) {
    report.title = "no run has finished: there is nothing to compare";
    return report;
  }
  const std::size_t main = comparable_measure(study, measure.value_or(main_measure(comparison)));
  if (report.wanted) report.wanted = comparable_width(study, *report.wanted);
  const StudyCounts counts = counts_of(study);
  report.title = fmt::format(
      "{}: {}{}, {}{}",
      study.name,
      study.settings.size() > 1 ? plural(study.settings.size(), "setting") + " × " : "",
      plural(study.algorithms.size(), "algorithm"),
      counts.least == counts.most ? plural(counts.least, "repetition")
                                  : fmt::format("{} to {} repetitions", counts.least, counts.most),
      counts.most > 1 && comparisons_in(comparison) > 0 ? ", paired by seed" : "");
  report.headline = work_headline(study, comparison);
  for (auto& sentence : algorithms_headline(study, comparison, main))
    report.headline.push_back(std::move(sentence));
  for (auto& sentence : reversals(study, comparison, main))
    report.headline.push_back(std::move(sentence));
  for (auto& sentence : settings_headline(study, comparison))
    report.headline.push_back(std::move(sentence));
  if (study.algorithms.size() > 1 || study.settings.size() == 1)
    report.tables.push_back(algorithms_table(study, comparison, main));
  if (study.settings.size() > 1)
    for (std::size_t a = 0; a < study.algorithms.size(); ++a)
      report.tables.push_back(settings_table(study, comparison, a));
  report.warnings = study_warnings(study, comparison);
  report.legend = legend(study, comparison);
  return report;
}

std::string to_text(const StudyReport& report) {
  auto out = report.title + "\n";
  if (!report.study.conditions.empty()) out += wrapped(report.study.conditions, "");
  if (!report.tables.empty()) out += "\n";
  for (const auto& sentence : report.headline) out += wrapped(toned(Tone::strong, sentence), "");
  for (const auto& warning : report.warnings) out += warning_text(warning);
  if (!report.headline.empty() || !report.warnings.empty()) out += "\n";
  for (const auto& table : report.tables) out += table.text() + "\n";
  if (!report.legend.empty()) out += wrapped(report.legend, "");
  if (report.wanted && !report.comparison.measures.empty())
    out += wrapped(width_text(report.study, *report.wanted), "");
  return out;
}

}  // namespace posse
