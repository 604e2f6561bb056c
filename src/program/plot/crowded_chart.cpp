// SPDX-License-Identifier: Apache-2.0
// Charts with more lines than have names that can be told apart.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "program/plot/chart.hpp"
#include "program/plot/svg.hpp"

namespace posse {

void fold_legend(Chart& chart) {
  const std::size_t most = kSeriesColours.size();
  std::map<std::string, std::size_t> algorithms, settings;
  std::size_t lines = 0;
  for (const auto& series : chart.series) {
    if (series.algorithm.empty() || series.setting.empty()) continue;
    ++lines;
    algorithms.try_emplace(series.algorithm, algorithms.size());
    settings.try_emplace(series.setting, settings.size());
  }
  if (lines <= most || algorithms.size() < 2 || algorithms.size() > most || settings.size() < 2 ||
      settings.size() > most)
    return;
  for (auto& series : chart.series) {
    if (series.algorithm.empty() || series.setting.empty()) continue;
    series.style = algorithms.at(series.algorithm);
    series.marker = settings.at(series.setting);
  }
}

void fade_all_but_lowest(Chart& chart) {
  const std::size_t most = kSeriesColours.size();
  std::vector<Series*> named;
  for (auto& series : chart.series)
    if (series.kind != Series::Kind::front && series.kind != Series::Kind::guide &&
        !series.points.empty())
      named.push_back(&series);
  if (named.size() <= most) return;
  std::ranges::stable_sort(named, {}, [](const Series* s) { return s->points.back().y; });
  for (std::size_t i = 0; i < named.size(); ++i) {
    named[i]->background = i >= most;
    named[i]->style = i;
  }
  const double last = named[most - 1]->points.back().y;
  std::size_t equal = 0;
  for (std::size_t i = most; i < named.size(); ++i) equal += named[i]->points.back().y == last;
  chart.references.clear();
  chart.note +=
      fmt::format("{}in colour the {} of {} that end lowest (--algorithm and --where choose)",
                  chart.note.empty() ? "" : "; ",
                  most,
                  named.size());
  if (equal > 0)
    chart.note += fmt::format(
        "; {} of the grey ones end{} as low as the highest of them", equal, equal == 1 ? "s" : "");
}

}  // namespace posse
