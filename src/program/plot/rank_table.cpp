// SPDX-License-Identifier: Apache-2.0
#include "program/plot/rank_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "program/base/csv.hpp"
#include "program/base/statistics.hpp"
#include "program/base/text.hpp"
#include "program/compare/comparison.hpp"

namespace posse {
namespace {

/// An algorithm's ranks over repetitions.
struct RankedAlgorithm {
  std::string label;
  std::vector<double> ranks;
  std::size_t first = 0;   // repetitions in which the rank is 1
  std::string most_often;  // the answer; of model selection only
  std::size_t most_often_times = 0;
  std::map<std::string, std::size_t> answers = {};
};

std::string percent(std::size_t part, std::size_t whole) {
  return fmt::format("{:.3g} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string problem_of(const std::vector<RunData>& settings) {
  return settings.size() == 1
             ? problem_text(settings.front())
             : fmt::format("{}: {} settings", settings.front().name, settings.size());
}

/// By mean rank, then in the scenario's order.
void sort_by_rank(std::vector<RankedAlgorithm>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return statistics(a.ranks).mean < statistics(b.ranks).mean;
  });
}

std::string repetitions_text(const std::vector<RankedAlgorithm>& rows) {
  std::size_t fewest = rows.front().ranks.size(), most = fewest;
  for (const auto& row : rows) {
    fewest = std::min(fewest, row.ranks.size());
    most = std::max(most, row.ranks.size());
  }
  if (most == 1) return "one repetition";
  return fewest == most ? fmt::format("{} repetitions", most)
                        : fmt::format("{} to {} repetitions", fewest, most);
}

/// Found by its label, or added.
RankedAlgorithm& row_of(std::vector<RankedAlgorithm>& rows, const std::string& label) {
  const auto it = std::find_if(
      rows.begin(), rows.end(), [&](const RankedAlgorithm& row) { return row.label == label; });
  return it != rows.end() ? *it : rows.emplace_back(RankedAlgorithm{label, {}, 0, "", 0, {}});
}

std::vector<RankedAlgorithm> ranked_answers(const std::vector<RunData>& settings) {
  std::vector<RankedAlgorithm> rows;
  for (const auto& run : settings)
    for (const auto& algorithm : run.algorithms)
      for (const auto& repetition : algorithm.repetitions) {
        if (!repetition.answer_rank) continue;
        auto& row = row_of(rows, algorithm.label);
        row.ranks.push_back(*repetition.answer_rank);
        if (*repetition.answer_rank == 1) ++row.first;
        if (repetition.answer) ++row.answers[*repetition.answer];
      }
  for (auto& row : rows)
    for (const auto& [arm, times] : row.answers)
      if (times > row.most_often_times) {
        row.most_often = arm;
        row.most_often_times = times;
      }
  return rows;
}

PictureTable answers_table(const std::vector<RunData>& settings,
                           std::vector<RankedAlgorithm> rows) {
  const RunData& run = settings.front();
  sort_by_rank(rows);
  PictureTable table;
  table.id = "rank-table";
  table.title = "Rank of the answered arm";
  table.subtitle =
      fmt::format("{}; among {} arms, 1 is best, {}; {}",
                  problem_of(settings),
                  run.arms.size(),
                  run.arms_are_ranked ? "by the ranking that the scenario gives, not by these runs"
                                      : "by the arms' smallest values, which are known "
                                        "independently of the runs (equal values share a rank)",
                  repetitions_text(rows));
  table.headings = {"algorithm", "mean rank", "sd", "best arm answered", "most often answered"};
  table.csv =
      "algorithm,repetitions,mean_rank,sd_rank,best_answered,share_best,most_often_answered,"
      "most_often_times\n";
  for (const auto& row : rows) {
    const auto s = statistics(row.ranks);
    table.rows.push_back({row.label,
                          fmt::format("{:.2f}", s.mean),
                          s.n > 1 ? fmt::format("{:.2f}", s.sd) : "–",
                          percent(row.first, s.n),
                          fmt::format("{} ({}×)", row.most_often, row.most_often_times)});
    table.csv += fmt::format("{},{},{},{},{},{},{},{}\n",
                             csv_cell(row.label),
                             s.n,
                             s.mean,
                             s.sd,
                             row.first,
                             static_cast<double>(row.first) / static_cast<double>(s.n),
                             csv_cell(row.most_often),
                             row.most_often_times);
  }
  return table;
}

/// Of the algorithms with the quantity, if there are several, in the repetitions in which all have
/// it.
void rank_within(const RunData& run,
                 const std::string& quantity,
                 std::vector<RankedAlgorithm>& rows) {
  std::vector<RunValues> values;
  for (const auto& algorithm : run.algorithms) values.push_back(final_values(algorithm, quantity));
  if (std::ranges::count_if(values, [](const RunValues& v) { return !v.empty(); }) < 2) return;
  const auto all = ranks_by_repetition(in_common(std::move(values)));
  std::vector<double> least;
  for (const auto& places : all)
    for (std::size_t r = 0; r < places.size(); ++r) {
      if (r == least.size()) least.push_back(places[r]);
      least[r] = std::min(least[r], places[r]);
    }
  for (std::size_t a = 0; a < all.size(); ++a) {
    if (all[a].empty()) continue;
    auto& row = row_of(rows, run.algorithms[a].label);
    for (std::size_t r = 0; r < all[a].size(); ++r) {
      row.ranks.push_back(all[a][r]);
      if (all[a][r] == least[r]) ++row.first;
    }
  }
}

std::vector<RankedAlgorithm> ranked_algorithms(const std::vector<RunData>& settings,
                                               const std::string& quantity) {
  std::vector<RankedAlgorithm> rows;
  for (const auto& run : settings) rank_within(run, quantity, rows);
  std::erase_if(rows, [](const RankedAlgorithm& row) { return row.ranks.empty(); });
  return rows;
}

PictureTable algorithms_table(const std::vector<RunData>& settings,
                              Scope scope,
                              bool simple,
                              std::vector<RankedAlgorithm> rows) {
  sort_by_rank(rows);
  PictureTable table;
  table.id = scope == Scope::local ? "rank-table-local" : "rank-table";
  table.title = fmt::format("Ranks of the algorithms by {}{} regret",
                            scope == Scope::local ? "local " : "",
                            simple ? "simple" : "cumulative");
  table.subtitle = fmt::format(
      "{}; at the end of every repetition, 1 is the smallest regret, ties share the average of "
      "their "
      "places; {}",
      problem_of(settings),
      repetitions_text(rows));
  table.headings = {"algorithm", "mean rank", "sd", "smallest regret"};
  table.csv = "algorithm,repetitions,mean_rank,sd_rank,smallest,share_smallest\n";
  for (const auto& row : rows) {
    const auto s = statistics(row.ranks);
    table.rows.push_back({row.label,
                          fmt::format("{:.2f}", s.mean),
                          s.n > 1 ? fmt::format("{:.2f}", s.sd) : "–",
                          percent(row.first, s.n)});
    table.csv += fmt::format("{},{},{},{},{},{}\n",
                             csv_cell(row.label),
                             s.n,
                             s.mean,
                             s.sd,
                             row.first,
                             static_cast<double>(row.first) / static_cast<double>(s.n));
  }
  return table;
}

}  // namespace

std::optional<PictureTable> rank_table(const std::vector<RunData>& given, Scope scope) {
  if (given.empty()) return std::nullopt;
  // Ranks among different algorithms can't be averaged.
  std::set<std::string> labels;
  for (const auto& run : given)
    for (const auto& algorithm : run.algorithms)
      if (!algorithm.repetitions.empty()) labels.insert(algorithm.label);
  auto settings = given;
  std::erase_if(settings, [&](const RunData& run) {
    return std::ranges::any_of(labels, [&](const std::string& label) {
      const auto* algorithm = run.find(label);
      return algorithm == nullptr || algorithm->repetitions.empty();
    });
  });
  if (settings.empty()) return std::nullopt;
  if (settings.size() < given.size())
    settings.front().name +=
        fmt::format(" (settings with all algorithms: {} of {})", settings.size(), given.size());
  if (auto rows = ranked_answers(settings); !rows.empty() && scope == Scope::global)
    return answers_table(settings, std::move(rows));
  for (const bool simple : {true, false}) {
    const auto quantity = fmt::format(
        "{}{}_regret", scope == Scope::local ? "local_" : "", simple ? "simple" : "cumulative");
    if (auto rows = ranked_algorithms(settings, quantity); rows.size() > 1)
      return algorithms_table(settings, scope, simple, std::move(rows));
  }
  return std::nullopt;
}

}  // namespace posse
