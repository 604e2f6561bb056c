// SPDX-License-Identifier: Apache-2.0
#include "program/plot/panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

#include "program/base/text.hpp"
#include "program/compare/study_report.hpp"
#include "program/plot/divided.hpp"
#include "program/plot/setting_axis.hpp"
#include "program/plot/sweep_charts.hpp"
#include "program/sweep/setting_runs.hpp"

namespace posse {
namespace {

constexpr std::size_t kMostPanels = 36;

/// The panels of a column or a row: cells, or a measure.
struct Strip {
  std::string name, measure;
  Cells cells;
};
struct Strips {
  std::vector<Strip> all;
  std::vector<std::string> common_keys;
  std::string by;
};
Strips strips_of(const DrawingRequest& request, const Study& study, const std::string& by) {
  Strips strips;
  strips.by = by;
  if (by.empty()) {
    strips.all.push_back({"", request.measure, all_cells(study)});
  } else if (by == kMeasures) {
    auto names = comma_separated(request.measure);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
          names.begin() + static_cast<std::ptrdiff_t>(i))
        throw std::invalid_argument(fmt::format("--measure has {} twice", names[i]));
    if (request.measure.empty()) {
      names.clear();
      for (const auto& measure : compare_study(study).measures)
        if (quantity_at(measure.quantity).is_measure())
          names.emplace_back(quantity_at(measure.quantity).name);
    }
    for (const auto& name : names) {
      const Quantity& quantity = quantity_at(position_of_quantity(name, "--measure"));
      strips.all.push_back({std::string(quantity.label), name, all_cells(study)});
    }
  } else {
    auto division = divide(study, by);
    for (std::size_t i = 0; i < division.names.size(); ++i)
      strips.all.push_back({division.names[i], request.measure, std::move(division.cells[i])});
    strips.common_keys = std::move(division.common_keys);
    strips.by = by == kAlgorithms ? by : key_label(key_named(study, by));
  }
  return strips;
}

/// Of the study's algorithms with runs, those that have none in these cells.
std::vector<std::string> algorithms_without(const Study& study, const Cells& cells) {
  std::set<std::size_t> all, here;
  for (const auto& cell : all_cells(study)) all.insert(cell.second);
  for (const auto& cell : cells) here.insert(cell.second);
  std::vector<std::string> labels;
  for (const auto a : all)
    if (!here.contains(a)) labels.push_back(study.algorithms[a]);
  return labels;
}

void add_note(Facets& facets, const std::string& note) {
  facets.note += (facets.note.empty() ? "" : "; ") + note;
}

}  // namespace

bool is_too_many(const MaybeDrawing& made) {
  const auto* why = std::get_if<std::string>(&made);
  return why != nullptr && why->starts_with(kTooManyLines);
}

MaybeDrawing in_panels(const Divisible& kind, const DrawingRequest& request, DrawnRuns& runs) {
  DrawingRequest each = request;
  const bool by_measure = request.columns == kMeasures || request.rows == kMeasures;
  if (by_measure && !kind.by_measure)
    throw std::invalid_argument(fmt::format(
        "'{}' shows one measure: only the kind sweep has panels by measure", request.kind));
  if (kind.over_key && each.x.empty()) {  // of what the panels leave
    Study study = runs.study();
    for (const auto* by : {&request.columns, &request.rows})
      if (!by->empty() && *by != kMeasures && *by != kAlgorithms) {
        const auto key = key_named(study, *by);
        auto one_dimension = keys_in_step(study.keys, key);
        one_dimension.push_back(key);
        for (auto& keys : study.keys)
          for (const auto& other : one_dimension) keys.erase(other);
      }
    each.x = main_key(study).value_or("");
    if (each.x.empty()) return std::string("needs runs that differ in a key beside the panels'");
  }
  const auto columns = strips_of(each, runs.study(), request.columns),
             rows = strips_of(each, runs.study(), request.rows);
  if (columns.all.size() * rows.all.size() > kMostPanels)
    return fmt::format("would be {} panels, and {} are what anybody looks at; --where chooses",
                       columns.all.size() * rows.all.size(),
                       kMostPanels);
  for (const auto* strips : {&columns, &rows})
    for (const auto& key : strips->common_keys)
      if (!each.x.empty() && key == key_named(runs.study(), each.x))
        throw std::invalid_argument(fmt::format("the x axis and the panels are both of {}", key));
  auto common = columns.common_keys;
  common.insert(common.end(), rows.common_keys.begin(), rows.common_keys.end());
  std::vector<Panel> panels;
  std::vector<std::string> missing;  // algorithms that a panel lacks
  std::string why;
  for (std::size_t r = 0; r < rows.all.size(); ++r)
    for (std::size_t c = 0; c < columns.all.size(); ++c) {
      Cells cells;
      std::ranges::set_intersection(
          columns.all[c].cells, rows.all[r].cells, std::inserter(cells, cells.end()));
      if (cells.empty()) continue;
      if (!by_measure && columns.by != kAlgorithms && rows.by != kAlgorithms)
        for (const auto& label : algorithms_without(runs.study(), cells))
          missing.push_back(fmt::format("{} in {}{}{}",
                                        label,
                                        columns.all[c].name,
                                        columns.by.empty() || rows.by.empty() ? "" : ", ",
                                        rows.all[r].name));
      const auto& measure =
          request.columns == kMeasures ? columns.all[c].measure : rows.all[r].measure;
      each.measure = measure;
      auto part = runs.part(cells, common);
      auto made = kind.make(each, part);
      if (is_too_many(made)) return made;
      if (auto* reason = std::get_if<std::string>(&made)) {
        why = std::move(*reason);
        continue;
      }
      auto* chart = std::get_if<Chart>(&std::get<Drawing>(made));
      if (chart == nullptr) return std::string("has no panels");
      panels.push_back({c, r, std::move(*chart)});
    }
  if (panels.empty()) return why.empty() ? std::string("needs runs") : why;
  const auto names = [](const Strips& strips) {
    std::vector<std::string> all;
    if (strips.by.empty()) return all;
    for (const auto& strip : strips.all) all.push_back(strip.name);
    return all;
  };
  const Chart first = panels.front().chart;
  const bool same = std::ranges::all_of(
      panels, [&](const Panel& panel) { return panel.chart.subtitle == first.subtitle; });
  // Rows alone are columns of one panel each.
  auto facets = columns.by.empty() ? facets_of(std::move(panels), {""}, names(rows))
                                   : facets_of(std::move(panels), names(columns), names(rows));
  facets.id = first.id;
  facets.title = by_measure ? fmt::format("Measures over {}", first.x.label) : first.title;
  for (const auto* strips : {&columns, &rows})
    if (!strips->by.empty() && strips->by != kMeasures)
      facets.title +=
          (strips == &rows && !columns.by.empty() && columns.by != kMeasures ? " and " : ", by ") +
          strips->by;
  if (!missing.empty()) add_note(facets, "no runs of " + some_of(std::move(missing)));
  facets.columns_are_axes = request.columns == kMeasures;
  facets.rows_are_axes = request.rows == kMeasures;
  facets.subtitle = same ? first.subtitle : runs.study().name;
  return Drawing(std::move(facets));
}

MaybeDrawing less_crowded(const Divisible& kind,
                          const DrawingRequest& request,
                          DrawnRuns& runs,
                          MaybeDrawing made) {
  const auto lines = std::get<std::string>(made);
  std::vector<std::pair<std::size_t, std::string>> keys;  // with their panels
  for (const auto& by : divisors(runs.study(), request.x))
    keys.emplace_back(divide(runs.study(), by).names.size(), by);
  std::ranges::stable_sort(keys, {}, [](const auto& key) { return key.first; });
  std::vector<std::pair<std::string, std::string>> ways;  // columns, rows
  for (const auto& [panels, by] : keys)
    if (panels <= 12) ways.emplace_back(by, "");
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (keys[i].first <= 6 && keys[i].first * keys[k].first <= 24)
        ways.emplace_back(keys[i].second, keys[k].second);
  DrawingRequest each = request;
  for (const auto& [columns, rows] : ways) {
    each.columns = columns;
    each.rows = rows;
    auto panels = in_panels(kind, each, runs);
    if (!std::holds_alternative<Drawing>(panels)) continue;
    if (auto* facets = std::get_if<Facets>(&std::get<Drawing>(panels)))
      add_note(*facets,
               fmt::format("panels, since one picture {}", lines.substr(0, lines.find(';'))));
    return panels;
  }
  each = request;
  each.most_lines = static_cast<std::size_t>(-1);
  auto all = kind.make(each, runs);
  if (auto* drawing = std::get_if<Drawing>(&all))
    if (auto* chart = std::get_if<Chart>(drawing)) {
      fade_all_but_lowest(*chart);
      return all;
    }
  return made;
}

}  // namespace posse
