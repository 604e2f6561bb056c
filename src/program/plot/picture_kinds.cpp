// SPDX-License-Identifier: Apache-2.0
#include "program/plot/picture_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include "program/base/files.hpp"
#include "program/compare/study_report.hpp"
#include "program/plot/break_even.hpp"
#include "program/plot/divided.hpp"
#include "program/plot/heat_map.hpp"
#include "program/plot/panels.hpp"
#include "program/plot/rank_table.hpp"
#include "program/plot/rounds_law.hpp"
#include "program/plot/scaling.hpp"
#include "program/plot/sequence_of_run.hpp"
#include "program/plot/setting_axis.hpp"
#include "program/plot/sweep_charts.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/sweep/setting_runs.hpp"

namespace posse {
namespace {

/// What of the flags kinds over settings take, with its defaults.
struct StudyFlags {
  std::size_t measure = 0, cost = 0;  // positions in kQuantities
  std::size_t algorithm = 0;
  std::optional<std::size_t> against;
  std::string x, y;  // keys; empty if settings don't differ
};

std::size_t position_of_algorithm(const Study& study, const std::string& label) {
  const auto it = std::find(study.algorithms.begin(), study.algorithms.end(), label);
  if (it != study.algorithms.end()) return static_cast<std::size_t>(it - study.algorithms.begin());
  throw std::invalid_argument(fmt::format(
      "the run has no algorithm '{}'{}", label, allowed_names(label, study.algorithms)));
}

/// The key with the most values among the settings that agree in `but`.
std::string second_key(const Study& study, const std::string& but) {
  Study others = study;
  auto one_dimension = keys_in_step(study.keys, but);
  one_dimension.push_back(but);
  for (auto& setting : others.keys)
    for (const auto& key : one_dimension) setting.erase(key);
  return main_key(others).value_or("");
}

std::size_t cost_of(const DrawingRequest& request) {
  const auto cost =
      request.cost.empty() ? PlotOptions().cost : position_of_quantity(request.cost, "--cost");
  if (const Quantity& quantity = quantity_at(cost);
      quantity.is_own && quantity.better != Better::less)
    throw std::invalid_argument(
        fmt::format("--cost: {} is no measure of which less is better", quantity.name));
  return cost;
}

StudyFlags study_flags(const DrawingRequest& request, const Study& study) {
  StudyFlags flags;
  flags.measure = request.measure.empty() ? main_measure(compare_study(study))
                                          : position_of_quantity(request.measure, "--measure");
  flags.cost = cost_of(request);
  if (!request.algorithm.empty()) flags.algorithm = position_of_algorithm(study, request.algorithm);
  if (!request.against.empty()) flags.against = position_of_algorithm(study, request.against);
  flags.y = request.y.empty() ? "" : key_named(study, request.y);
  flags.x = request.x.empty()
                ? flags.y.empty() ? main_key(study).value_or("") : second_key(study, flags.y)
                : key_named(study, request.x);
  if (flags.y.empty() && !flags.x.empty()) flags.y = second_key(study, flags.x);
  return flags;
}

template <class Made>
MaybeDrawing drawn(std::variant<Made, std::string> made) {
  if (auto* why = std::get_if<std::string>(&made)) return std::move(*why);
  return Drawing(std::move(std::get<Made>(made)));
}

// --- the kinds ---

using Make = MaybeDrawing (*)(const DrawingRequest&, DrawnRuns&);

MaybeDrawing curves(const DrawingRequest& request, DrawnRuns& runs) {
  if (runs.lines() > request.most_lines) return too_many_lines(runs.lines());
  if (request.kind.starts_with("arm-") && runs.study().settings.size() > 1)
    return std::string("needs one setting; --where KEY=VALUE chooses it");
  const auto scope = request.local ? Scope::local : Scope::global;
  auto chart = make_plot(runs.run(),
                         {request.kind,
                          scope,
                          request.logarithmic,
                          request.algorithm,
                          request.band,
                          cost_of(request)});
  if (!chart) return std::string("needs other data than these runs have");
  fold_legend(*chart);
  return Drawing(std::move(*chart));
}

MaybeDrawing bars(const DrawingRequest& request, DrawnRuns& runs) {
  if (runs.lines() > kMostLines)
    return fmt::format("{} {} bars; --where chooses among them", kTooManyLines, runs.lines());
  return drawn(make_bars(runs.run(), request.kind));
}

MaybeDrawing pareto(const DrawingRequest& request, DrawnRuns& runs) {
  if (runs.study().settings.size() == 1) return curves(request, runs);
  const bool simple = request.kind == "pareto-simple-regret";
  const auto measure =
      fmt::format("{}{}_regret", request.local ? "local_" : "", simple ? "simple" : "cumulative");
  auto made = pareto_chart(runs.study(), *quantity_named(measure), cost_of(request), request.band);
  if (auto* chart = std::get_if<Chart>(&made); chart != nullptr && request.logarithmic)
    chart->x.scale = chart->y.scale = Scale::log;
  return drawn(std::move(made));
}

MaybeDrawing over_a_key(const DrawingRequest& request, DrawnRuns& runs) {
  const auto flags = study_flags(request, runs.study());
  if (flags.x.empty()) return std::string("needs runs that differ in a key");
  auto made = sweep_chart(runs.study(), flags.x, flags.measure, request.band, request.most_lines);
  if (auto* chart = std::get_if<Chart>(&made); chart != nullptr && request.logarithmic) {
    if (chart->x.categories.empty()) chart->x.scale = Scale::log;
    chart->y.scale = Scale::log;
  }
  return drawn(std::move(made));
}

MaybeDrawing over_two_keys(const DrawingRequest& request, DrawnRuns& runs) {
  const auto flags = study_flags(request, runs.study());
  if (flags.y.empty()) return std::string("needs runs that differ in two keys");
  return drawn(
      heat_map(runs.study(), flags.x, flags.y, flags.measure, flags.algorithm, flags.against));
}

MaybeDrawing prices(const DrawingRequest& request, DrawnRuns& runs) {
  const auto flags = study_flags(request, runs.study());
  return drawn(break_even_chart(runs.study(), flags.measure, flags.cost));
}

MaybeDrawing rounds(const DrawingRequest& request, DrawnRuns& runs) {
  return drawn(rounds_law_chart(runs.settings(), request.band));
}
MaybeDrawing time_to_regret(const DrawingRequest& request, DrawnRuns& runs) {
  return drawn(time_to_regret_plot(runs.settings(), request.regret));
}
MaybeDrawing speed_up(const DrawingRequest& request, DrawnRuns& runs) {
  return drawn(speed_up_plot(runs.settings(), request.regret));
}

MaybeDrawing ranks_of(const DrawingRequest& request, DrawnRuns& runs) {
  auto table = rank_table(runs.settings(), request.local ? Scope::local : Scope::global);
  if (!table) return std::string("needs answers with a known rank, or two algorithms with regrets");
  return Drawing(std::move(*table));
}

MaybeDrawing sequence(const DrawingRequest& request, DrawnRuns& runs) {
  const RunData& run = runs.settings().front();
  if (run.folder.empty() || runs.settings().size() > 1) return std::string("needs one run folder");
  return sequence_of_run(run.folder,
                         {request.algorithm,
                          request.repetition.value_or(0),
                          *parse_selection(request.from, request.until, request.rounds).value,
                          request.execution},
                         problem_text(run));
}

/// Flags that only some kinds take.
struct Takes {
  bool panels = false;  // and a choice of algorithms
  bool local = false, logarithmic = false, algorithm = false, regret = false;
  bool keys = false, measure = false, cost = false, style = true, band = false;
};
struct DrawnKind {
  PlotKind kind;
  Make make;
  Takes takes;
  bool without_asking = true;  // drawn if no kind is given
};

const std::vector<DrawnKind>& kinds() {
  static const std::vector<DrawnKind> all = [] {
    std::vector<DrawnKind> list;
    for (const auto& kind : plot_kinds()) {
      const bool regret = kind.name.find("regret") != std::string::npos;
      const bool front = kind.name.starts_with("pareto");
      list.push_back({kind,
                      front ? pareto : curves,
                      {.panels = !kind.name.starts_with("arm-"),
                       .local = regret || front,
                       .logarithmic = regret || front,
                       .algorithm = kind.name.starts_with("arm-"),
                       .band = true}});
    }
    for (const auto& kind : bar_kinds()) list.push_back({kind, bars, {}});
    list.push_back(
        {{"sweep", "a measure over a swept key, of stores or several runs"},
         over_a_key,
         {.panels = true, .logarithmic = true, .keys = true, .measure = true, .band = true}});
    list.push_back({{"heat-map", "a measure, or a ratio of two algorithms, over two swept keys"},
                    over_two_keys,
                    {.algorithm = true, .keys = true, .measure = true}});
    list.push_back({{"break-even", "which is best, by the price of a byte, round or evaluation"},
                    prices,
                    {.measure = true, .cost = true}});
    list.push_back({{"rounds", "rounds against evaluations of all clients, with slope and ceiling"},
                    rounds,
                    {.band = true}});
    list.push_back({{"time-to-regret", "time to a regret over mean latency and clients"},
                    time_to_regret,
                    {.regret = true}});
    list.push_back(
        {{"speed-up", "speed-up over clients beside the ideal"}, speed_up, {.regret = true}});
    list.push_back(
        {{"rank-table", "ranks of the answered arms, or of the algorithms by their final regret"},
         ranks_of,
         {.local = true, .style = false}});
    list.push_back(
        {{"sequence", "messages, work and regret of one run over virtual time; runs it again"},
         sequence,
         {.algorithm = true, .style = false},
         false});
    return list;
  }();
  return all;
}

/// Throws std::invalid_argument.
const DrawnKind& kind_named(const std::string& name) {
  const auto kind = std::find_if(
      kinds().begin(), kinds().end(), [&](const auto& k) { return k.kind.name == name; });
  if (kind != kinds().end()) return *kind;
  std::vector<std::string> names;
  for (const auto& k : kinds()) names.push_back(k.kind.name);
  throw std::invalid_argument(
      fmt::format("there is no plot '{}'{}", name, allowed_names(name, names)));
}

/// One kind with all that it can show without being asked: measures, local regrets, arms.
std::vector<DrawingRequest> variants(const DrawnKind& kind, DrawnRuns& runs) {
  DrawingRequest request;
  request.kind = kind.kind.name;
  std::vector<DrawingRequest> all;
  if (kind.kind.name.starts_with("arm-")) {
    if (runs.lines() <= kMostLines)
      for (const auto& algorithm : runs.run().algorithms) {
        all.push_back(request);
        all.back().algorithm = algorithm.label;
      }
    return all;
  }
  if (kind.kind.name == "sweep" || kind.make == over_two_keys) {
    for (const auto& measure : compare_study(runs.study()).measures) {
      const Quantity& quantity = quantity_at(measure.quantity);
      if (!quantity.is_measure() || (quantity.name.starts_with("local_") && !runs.heterogeneous()))
        continue;
      all.push_back(request);
      all.back().measure = quantity.name;
    }
    return all;
  }
  if (kind.kind.name == "break-even") {
    for (const auto* cost : {"evaluations", "rounds", "payload_bytes", "virtual_s"}) {
      all.push_back(request);
      all.back().cost = cost;
    }
    return all;
  }
  all.push_back(request);
  if (kind.takes.local && runs.heterogeneous()) {
    all.push_back(request);
    all.back().local = true;
  }
  return all;
}

}  // namespace

void check_request(const DrawingRequest& request) {
  const auto refuse = [](std::string_view flags, std::string_view kinds) {
    throw std::invalid_argument(fmt::format("{} {}", flags, kinds));
  };
  const bool selects = !request.from.empty() || !request.until.empty() || !request.rounds.empty() ||
                       request.repetition.has_value();
  if (selects && request.kind != "sequence")
    refuse("--from, --until, --rounds and --repetition", "need --kind sequence");
  if (request.kind.empty()) {
    if (request.local || request.logarithmic || !request.algorithm.empty())
      refuse("--local, --log and --algorithm", "need --kind");
    if (request.band != Band::interval) refuse("--band", "needs --kind");
    if (!request.x.empty() || !request.y.empty() || !request.measure.empty() ||
        !request.cost.empty() || !request.against.empty() || !request.columns.empty() ||
        !request.rows.empty())
      refuse("--x, --y, --measure, --cost, --against, --columns and --rows", "need --kind");
    return;
  }
  const Takes& takes = kind_named(request.kind).takes;
  const bool front = request.kind.starts_with("pareto");
  const bool map = request.kind == "heat-map";
  const auto only = [&](bool given, bool taken, std::string_view flag) {
    if (given && !taken) refuse(flag, fmt::format("does not apply to '{}'", request.kind));
  };
  only(request.local, takes.local, "--local");
  only(request.logarithmic, takes.logarithmic, "--log");
  only(request.band != Band::interval, takes.band, "--band");
  only(!request.algorithm.empty(), takes.algorithm || takes.panels, "--algorithm");
  only(!request.columns.empty(), takes.panels, "--columns");
  only(!request.rows.empty(), takes.panels, "--rows");
  if (!request.columns.empty() && request.columns == request.rows)
    throw std::invalid_argument("--columns and --rows name one key: a picture needs two for both");
  only(request.regret.has_value(), takes.regret, "--regret");
  only(!request.x.empty(), takes.keys, "--x");
  only(!request.y.empty(), map, "--y");
  only(!request.measure.empty(), takes.measure, "--measure");
  only(!request.cost.empty(), takes.cost || front, "--cost");
  only(!request.against.empty(), map, "--against");
  if (request.kind == "sequence") {
    const auto selection = parse_selection(request.from, request.until, request.rounds);
    if (!selection.value) throw std::invalid_argument(selection.problem);
  }
}

bool has_style(const std::string& kind) { return kind_named(kind).takes.style; }

namespace {

MaybeDrawing made_of(const DrawnKind& kind, const DrawingRequest& request, DrawnRuns& runs) {
  if (!kind.takes.panels) return kind.make(request, runs);
  if (!request.algorithm.empty()) {
    const auto chosen = chosen_algorithms(runs.study(), request.algorithm);
    auto cells = all_cells(runs.study());
    std::erase_if(cells, [&](const auto& cell) { return !chosen.contains(cell.second); });
    auto part = runs.part(cells, {});
    DrawingRequest rest = request;
    rest.algorithm.clear();
    return made_of(kind, rest, part);
  }
  const Divisible divisible{kind.make, kind.takes.measure, kind.takes.keys};
  if (!request.columns.empty() || !request.rows.empty()) return in_panels(divisible, request, runs);
  auto made = kind.make(request, runs);
  if (!is_too_many(made)) return made;
  DrawingRequest each = request;
  if (kind.takes.keys) each.x = study_flags(request, runs.study()).x;
  return less_crowded(divisible, each, runs, std::move(made));
}

}  // namespace

Drawing draw(const DrawingRequest& request, DrawnRuns& runs) {
  check_request(request);
  const DrawnKind& kind = kind_named(request.kind);
  if (!request.algorithm.empty() && kind.takes.algorithm)
    position_of_algorithm(runs.study(), request.algorithm);
  if (request.measure.find(',') != std::string::npos && request.columns != kMeasures &&
      request.rows != kMeasures)
    throw std::invalid_argument("several measures need --columns measure, or --rows measure");
  auto made = made_of(kind, request, runs);
  if (auto* drawing = std::get_if<Drawing>(&made)) return std::move(*drawing);
  throw FileError(
      runs.name(),
      fmt::format(
          "has no data for the plot '{}': it {}", request.kind, std::get<std::string>(made)));
}

namespace {

bool is_flat(const Drawing& drawing) {
  const auto* map = std::get_if<HeatMap>(&drawing);
  if (map == nullptr) return false;
  std::optional<double> first;
  for (const auto& row : map->at)
    for (const auto& value : row) {
      if (!value) continue;
      if (first && *first != *value) return false;
      first = value;
    }
  return true;
}

}  // namespace

AllDrawings draw_all(const DrawingRequest& request, DrawnRuns& runs) {
  AllDrawings all;
  std::string reasons;
  for (const auto& kind : kinds()) {
    if (!kind.without_asking) continue;
    std::string why;
    for (auto& variant : variants(kind, runs)) {
      variant.regret = request.regret;
      auto made = made_of(kind, variant, runs);
      if (auto* drawing = std::get_if<Drawing>(&made); drawing != nullptr && is_flat(*drawing)) {
        why = "has the same value everywhere";
        continue;
      }
      if (auto* drawing = std::get_if<Drawing>(&made)) {
        all.drawings.push_back(std::move(*drawing));
        why.clear();
        continue;
      }
      all.too_many_lines = all.too_many_lines || is_too_many(made);
      why = std::get<std::string>(made);
    }
    if (!why.empty() && kind.make != curves)
      reasons += fmt::format("\n    {} {}", kind.kind.name, why);
  }
  if (all.drawings.empty()) throw FileError(runs.name(), "has no data for any plot:" + reasons);
  return all;
}

const std::vector<PlotKind>& picture_kinds() {
  static const std::vector<PlotKind> all = [] {
    std::vector<PlotKind> list;
    for (const auto& kind : kinds()) list.push_back(kind.kind);
    return list;
  }();
  return all;
}

}  // namespace posse
