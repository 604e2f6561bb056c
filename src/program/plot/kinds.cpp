// SPDX-License-Identifier: Apache-2.0
#include "program/plot/kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "core/role/measurement.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/plot/curves.hpp"
#include "program/plot/sweep_charts.hpp"
#include "program/sweep/setting_runs.hpp"

namespace posse {
namespace {

/// The abscissa of a regret.
struct Abscissa {
  std::string_view suffix;  // of the plot's name
  std::string_view label, unit, name;
  double CurvePoint::*of;
};
const std::vector<Abscissa>& abscissas() {
  static const std::vector<Abscissa> all = {
      {"", "evaluations per client", "", "evaluations_per_client", &CurvePoint::evaluations},
      {"-rounds", "rounds", "", "rounds", &CurvePoint::rounds},
      {"-bytes", "bytes sent", "bytes", "bytes", &CurvePoint::bytes},
      {"-virtual-time", "virtual time", "s", "virtual_s", &CurvePoint::virtual_s},
  };
  return all;
}

/// The name of a regret in regret.csv.
std::string metric_of(bool simple, Scope scope) {
  return fmt::format(
      "{}{}_regret", scope == Scope::local ? "local_" : "", simple ? "simple" : "cumulative");
}
std::string_view local_word(Scope scope) { return scope == Scope::local ? "local " : ""; }

constexpr std::size_t kMostAlone = 8;  // lines of runs that have not finished, by algorithm

/// "limit reached" of "limit_reached".
std::string spaced(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::size_t most_repetitions(const RunData& run) {
  std::size_t most = 0;
  for (const auto& a : run.algorithms) most = std::max(most, a.repetitions.size());
  return most;
}

std::string subtitle(const RunData& run) {
  std::set<std::size_t> clients;
  for (const auto& a : run.algorithms) clients.insert(a.clients);
  std::string text = problem_text(run);
  if (!run.arms.empty())
    text += fmt::format(", {} arms", run.arms.size());
  else
    text +=
        clients.size() == 1
            ? fmt::format(", {} {}", *clients.begin(), *clients.begin() == 1 ? "client" : "clients")
            : fmt::format(", {} to {} clients", *clients.begin(), *clients.rbegin());
  if (most_repetitions(run) == 1) text += ", one repetition";
  return text;
}

std::string band_text(const RunData& run, const PlotOptions& options, std::string_view what) {
  const auto most = most_repetitions(run);
  if (most < 2) return "";
  const bool same = std::all_of(run.algorithms.begin(), run.algorithms.end(), [&](const auto& a) {
    return a.repetitions.empty() || a.repetitions.size() == most;
  });
  return fmt::format(
      "{}: {} over {}{} repetitions", what, in_words(options.band), same ? "" : "up to ", most);
}

Chart new_chart(const RunData& run, const PlotOptions& options) {
  Chart chart;
  chart.id = options.kind + (options.scope == Scope::local ? "-local" : "");
  chart.subtitle = subtitle(run);
  return chart;
}

/// What the lines of an algorithm, or of one of its arms, have in common.
struct Look {
  std::string label;
  std::size_t style = 0;
  Between between = Between::line;
  Band band = Band::interval;
};

/// The mean of the finished repetitions' curves, and a line for each of the first kMostAlone that
/// have not finished: in a mean they would count with the values that they have so far.
void add_series(Chart& chart,
                const AlgorithmData& algorithm,
                const Look& look,
                const std::function<Curve(const RepetitionData&)>& curve_of) {
  const bool label_is_whole = look.label == algorithm.label;
  const auto add = [&](std::string label, const std::vector<Curve>& curves, bool alone) {
    Series series;
    series.label = std::move(label);
    series.kind = look.between == Between::hold ? Series::Kind::steps : Series::Kind::line;
    series.style = look.style;
    series.repetitions = curves.size();
    series.alone = alone;
    if (!alone && label_is_whole) {
      series.algorithm = algorithm.algorithm;
      series.setting = algorithm.setting;
    }
    for (const auto& p : mean_curve(curves, look.between, look.band))
      series.points.push_back({p.x, p.mean, 0, p.half_width});
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  };
  std::vector<Curve> curves;
  for (const auto& repetition : algorithm.repetitions)
    if (auto curve = curve_of(repetition); !curve.empty()) curves.push_back(std::move(curve));
  add(look.label, curves, false);
  std::size_t alone = 0;
  for (const auto& one : algorithm.unfinished) {
    auto curve = curve_of(one);
    if (curve.empty()) continue;
    if (++alone > kMostAlone) {
      chart.note = fmt::format(
          "of an algorithm's runs that have not finished the first {} are drawn", kMostAlone);
      return;
    }
    add(fmt::format("{}, repetition {} ({})", look.label, one.repetition, spaced(one.status)),
        {std::move(curve)},
        true);
  }
}

/// What holds before the first evaluation also holds at the first: a logarithmic axis begins there.
Curve from_one(Curve curve) {
  if (!curve.empty() && curve.front().x < 1 && (curve.size() == 1 || curve[1].x > 1))
    curve.insert(curve.begin() + 1, {1, curve.front().y});
  return curve;
}

/// Bounds at the end of the run, as means over repetitions. A bound with an unknown constant has no
/// value to draw; one that is vacuous in every repetition is marked.
void add_bounds(Chart& chart, const RunData& run, std::string_view measurement) {
  for (std::size_t a = 0; a < run.algorithms.size(); ++a) {
    std::vector<double> values;
    bool vacuous = true;
    for (const auto& repetition : run.algorithms[a].repetitions)
      for (const auto& bound : repetition.bounds)
        if (bound.measurement == measurement && !bound.lower &&
            bound.strength != to_string(BoundStrength::order_only)) {
          values.push_back(bound.value);
          vacuous = vacuous && bound.vacuous;
        }
    if (values.empty()) continue;
    const auto mean = statistics(values).mean;
    chart.references.push_back({fmt::format("bound at the end, {}: {}{}",
                                            run.algorithms[a].label,
                                            pretty(rounded(mean, 3), ""),
                                            vacuous ? " (vacuous)" : ""),
                                mean,
                                a});
  }
}

/// The ends of the algorithms' curves on the abscissa.
struct Reach {
  double largest = 0, smallest = 0;  // of positive ends
  void include(double end) {
    if (end <= 0) return;
    largest = std::max(largest, end);
    smallest = smallest == 0 ? end : std::min(smallest, end);
  }
  /// On a linear axis the shortest curve would not be visible.
  bool far_apart() const { return largest > 20 * smallest; }
};
Reach ends_of(const RunData& run, const std::string& metric, double CurvePoint::*of) {
  Reach reach;
  for (const auto& algorithm : run.algorithms) {
    double end = 0;
    for (const auto* repetitions : {&algorithm.repetitions, &algorithm.unfinished})
      for (const auto& repetition : *repetitions)
        if (const auto curve = repetition.curves.find(metric); curve != repetition.curves.end())
          for (const auto& p : curve->second) end = std::max(end, p.*of);
    reach.include(end);
  }
  return reach;
}

/// Whether a curve leaves out rounds, as those of sequential learners do, which have a round per
/// evaluation: its jumps are then not where it has points.
bool skips_rounds(const AlgorithmData& algorithm, const std::string& metric) {
  for (const auto* repetitions : {&algorithm.repetitions, &algorithm.unfinished})
    for (const auto& repetition : *repetitions) {
      const auto curve = repetition.curves.find(metric);
      if (curve == repetition.curves.end()) continue;
      for (std::size_t i = 1; i < curve->second.size(); ++i)
        if (curve->second[i].rounds > curve->second[i - 1].rounds + 1) return true;
    }
  return false;
}

constexpr std::size_t kMostFaultsDrawn = 60, kMostFaultsTold = 3;

/// Draws the faults that every repetition in every setting has at the same times, in the run of
/// some algorithm (the others may end before it, or lose nothing in a burst), and tells of them in
/// the note; faults at times of their own in each repetition are told only.
void add_faults(Chart& chart, const RunData& run, double until_s) {
  using Network = std::pair<std::string, std::uint32_t>;  // setting, repetition
  struct Seen {
    std::set<Network> in;
    std::optional<double> end_s;  // the latest that a run saw
  };
  std::map<FaultTime, Seen> seen;  // without their ends
  std::set<Network> networks;
  for (const auto& algorithm : run.algorithms)
    for (const auto* repetitions : {&algorithm.repetitions, &algorithm.unfinished})
      for (const auto& repetition : *repetitions) {
        const Network network(algorithm.setting, repetition.repetition);
        networks.insert(network);
        for (const auto& fault : repetition.faults) {
          auto& [in, end_s] = seen[{fault.kind, fault.nodes, fault.begin_s, {}}];
          in.insert(network);
          end_s = std::max(end_s, fault.end_s);
        }
      }
  std::vector<FaultTime> common;
  std::size_t others = 0;
  for (const auto& [fault, all] : seen)
    if (all.in == networks)
      common.push_back({fault.kind, fault.nodes, fault.begin_s, all.end_s});
    else
      ++others;
  std::ranges::stable_sort(common, {}, &FaultTime::begin_s);
  std::vector<std::string> told;
  for (const auto& fault : common) {
    if (chart.faults.size() == kMostFaultsDrawn) break;
    const auto label = fmt::format("{} of {}", fault.kind, fault.nodes);
    chart.faults.push_back({label, fault.begin_s, fault.end_s.value_or(until_s)});
    if (told.size() < kMostFaultsTold)
      told.push_back(fmt::format("{} from {}{}",
                                 label,
                                 pretty_seconds(fault.begin_s),
                                 fault.end_s ? " to " + pretty_seconds(*fault.end_s) : " on"));
  }
  std::string note;
  if (!told.empty())
    note = fmt::format(
        "grey: {}{}",
        fmt::join(told, ", "),
        common.size() > told.size()
            ? fmt::format(" and {}",
                          count_text(common.size() - told.size(), "more fault", "more faults"))
            : "");
  if (common.size() > chart.faults.size())
    note += fmt::format("; only the first {} are drawn", chart.faults.size());
  if (others > 0)
    note += fmt::format("{}faults that not all repetitions have at the same times are not drawn",
                        note.empty() ? "" : "; ");
  if (!note.empty()) chart.note += (chart.note.empty() ? "" : "; ") + note;
}

std::optional<Chart> regret_plot(const RunData& run,
                                 const PlotOptions& options,
                                 bool simple,
                                 const Abscissa& abscissa) {
  const auto metric = metric_of(simple, options.scope);
  const bool over_evaluations = abscissa.suffix.empty();
  const bool over_time = abscissa.name == "virtual_s";
  // Between two points the regret grows with evaluations and time; bytes, rounds and
  // recommendations jump. A repetition that has ended early keeps its regret.
  const auto between_of = [&](std::size_t algorithm) {
    if (simple) return Between::hold;
    if (over_evaluations) return Between::line;
    if (over_time || skips_rounds(run.algorithms[algorithm], metric))
      return Between::line_then_hold;
    return Between::hold;
  };
  // A functional bandit has one agent, which pulls.
  const std::string label =
      over_evaluations && !run.arms.empty() ? "pulls" : std::string(abscissa.label);
  Chart chart = new_chart(run, options);
  const std::string regret =
      fmt::format("{}{} regret", local_word(options.scope), simple ? "simple" : "cumulative");
  chart.title = capitalized(fmt::format("{} against {}", regret, label));
  chart.x = {label, std::string(abscissa.unit), std::string(abscissa.name)};
  chart.y = {regret, "", metric};
  const auto ends = ends_of(run, metric, abscissa.of);
  if (!(ends.largest > 0)) return std::nullopt;
  if (options.logarithmic || simple) chart.y.scale = Scale::log;
  if (options.logarithmic || (simple && over_evaluations) || ends.far_apart())
    chart.x.scale = Scale::log;
  const bool from_zero =
      chart.x.scale == Scale::linear && !simple && (over_evaluations || over_time);
  chart.x.zero_has_a_place = !over_evaluations && !over_time;
  for (std::size_t a = 0; a < run.algorithms.size(); ++a)
    add_series(chart,
               run.algorithms[a],
               {run.algorithms[a].label, a, between_of(a), options.band},
               [&](const RepetitionData& repetition) {
                 Curve curve;
                 const auto points = repetition.curves.find(metric);
                 if (points == repetition.curves.end()) return curve;
                 if (from_zero) curve.push_back({0, 0});
                 for (const auto& p : points->second) curve.push_back({p.*abscissa.of, p.value});
                 // The value after the last round holds until the end of the run.
                 if (abscissa.name == "rounds")
                   curve.push_back({curve.back().x + 1, curve.back().y});
                 return simple && over_evaluations ? from_one(std::move(curve)) : curve;
               });
  if (chart.series.empty()) return std::nullopt;
  chart.band = band_text(run, options, "band");
  if (over_time) add_faults(chart, run, ends.largest);
  if (simple)
    add_bounds(chart, run, "simple regret");
  else
    add_bounds(chart,
               run,
               options.scope == Scope::local ? "local cumulative regret" : "cumulative regret");
  return chart;
}

/// What is sent, against evaluations.
struct Communication {
  std::string_view kind, title, label, unit, name, summary;
  double (*of_round)(const RoundRow&);        // in all rounds up to this one
  double (*in_total)(const RepetitionData&);  // at the end of a finished run
};
/// As the rounds count them.
double bytes_sent(const RepetitionData& run) {
  double sum = 0;
  for (const auto& account : run.ledger)
    if (account.type != kAcknowledgement) sum += account.bytes;
  return sum;
}

bool sends(const RunData& run) {
  for (const auto& algorithm : run.algorithms)
    for (const auto* repetitions : {&algorithm.repetitions, &algorithm.unfinished})
      for (const auto& repetition : *repetitions)
        if (bytes_sent(repetition) > 0) return true;
  return false;
}

constexpr std::array<Communication, 3> kCommunication{{
    {"communication",
     "Bytes sent",
     "bytes sent by all nodes",
     "bytes",
     "bytes",
     "bytes sent against evaluations per client, with headers, without repeats",
     [](const RoundRow& row) { return row.bytes; },
     &bytes_sent},
    {"communication-values",
     "Values sent",
     "values sent by all nodes",
     "",
     "values",
     "numbers sent against evaluations per client, as papers count them",
     [](const RoundRow& row) { return row.values; },
     [](const RepetitionData& run) { return run.values; }},
    {"communication-rounds",
     "Rounds",
     "rounds",
     "",
     "rounds",
     "rounds against evaluations per client",
     [](const RoundRow& row) { return static_cast<double>(row.round); },
     [](const RepetitionData& run) { return run.finals["rounds"].value(); }},
}};

std::optional<Chart> communication_plot(const RunData& run, const PlotOptions& options) {
  const Communication& what =
      *std::ranges::find(kCommunication, options.kind, &Communication::kind);
  Chart chart = new_chart(run, options);
  chart.title = fmt::format("{}, cumulative", what.title);
  chart.x = {"evaluations per client", "", "evaluations_per_client", Scale::log};
  chart.y = {std::string(what.label), std::string(what.unit), std::string(what.name)};
  Reach totals;
  for (std::size_t a = 0; a < run.algorithms.size(); ++a)
    add_series(chart,
               run.algorithms[a],
               {run.algorithms[a].label, a, Between::hold, options.band},
               [&](const RepetitionData& repetition) {
                 const bool finished = repetition.status == "finished";
                 if (finished ? repetition.evaluations_per_client == 0 : repetition.rounds.empty())
                   return Curve{};
                 Curve curve{{0, 0}};
                 for (const auto& row : repetition.rounds)
                   curve.push_back({row.evaluations, what.of_round(row)});
                 // Messages outside complete rounds were sent after the last one, or at the start
                 // if there is none: usually the plan of a phase that the budget cut.
                 if (finished) {
                   curve.back().y = what.in_total(repetition);
                   curve.push_back({std::max(repetition.evaluations_per_client, curve.back().x),
                                    curve.back().y});
                 }
                 totals.include(curve.back().y);
                 return from_one(std::move(curve));
               });
  if (chart.series.empty() || !(totals.largest > 0) || !sends(run)) return std::nullopt;
  if (totals.far_apart()) {
    chart.y.scale = Scale::log;
    chart.y.zero_has_a_place = true;
  }
  chart.band = band_text(run, options, "band");
  return chart;
}

/// The algorithm of a plot of arms.
std::size_t index_of(const RunData& run, const std::string& label) {
  for (std::size_t a = 0; a < run.algorithms.size(); ++a)
    if (run.algorithms[a].label == label) return a;
  return 0;
}

constexpr std::size_t kMostArmsShown = 12;

/// Over all arms of a repetition.
double all_pulls(const RepetitionData& repetition) {
  double most = 0;
  for (const auto& [name, rows] : repetition.arms) most = std::max(most, rows.back().total_pulls);
  return most;
}

/// Pulls of every arm against all pulls, or every arm's value and confidence bound.
std::optional<Chart> arms_plot(const RunData& run, const PlotOptions& options) {
  const bool intervals = options.kind == "arm-intervals";
  const std::size_t algorithm = index_of(run, options.algorithm);
  const auto& label = run.algorithms[algorithm].label;
  Chart chart = new_chart(run, options);
  if (run.algorithms.size() > 1) chart.id += "-" + label;
  const std::string bound = run.arms_are_maximized ? "f + g" : "f - g";
  chart.title = intervals ? fmt::format("{}: values f of the arms, and {}", label, bound)
                          : fmt::format("{}: pulls of the arms", label);
  chart.x = intervals ? AxisSpec{"pulls of the arm", "", "pulls", Scale::log}
                      : AxisSpec{"pulls of all arms", "", "total_pulls", Scale::log};
  chart.y = intervals ? AxisSpec{fmt::format("value f, and {}", bound), "", "value"}
                      : AxisSpec{"pulls of the arm", "", "pulls", Scale::log};
  // An arm has the colour of its number.
  const auto add = [&](std::size_t arm, const std::string& name, const auto& y_of) {
    const auto between = intervals ? Between::hold : Between::line;
    add_series(chart,
               run.algorithms[algorithm],
               {name, arm, between, options.band},
               [&](const RepetitionData& repetition) {
                 Curve curve;
                 const auto rows = repetition.arms.find(run.arms[arm]);
                 if (rows == repetition.arms.end()) return curve;
                 for (const auto& row : rows->second)
                   if (const auto y = y_of(row))
                     curve.push_back({intervals ? row.pulls : row.total_pulls, *y});
                 if (!intervals) curve.push_back({all_pulls(repetition), curve.back().y});
                 return curve;
               });
  };
  for (std::size_t arm = 0; arm < std::min(run.arms.size(), kMostArmsShown); ++arm) {
    if (!intervals) {
      add(arm, run.arms[arm], [](const ArmRow& row) { return std::optional(row.pulls); });
      continue;
    }
    add(arm, run.arms[arm], [](const ArmRow& row) { return std::optional(row.value); });
    add(arm, run.arms[arm] + ", " + bound, [&](const ArmRow& row) -> std::optional<double> {
      // The first bounds are so wide that they would hide everything else.
      if (row.bound > 4 * std::abs(row.value) + 1) return std::nullopt;
      return run.arms_are_maximized ? row.value + row.bound : row.value - row.bound;
    });
  }
  if (chart.series.empty()) return std::nullopt;
  if (run.arms.size() > kMostArmsShown)
    chart.note = fmt::format("the first {} arms", kMostArmsShown);
  chart.band = band_text(run, options, "band");
  return chart;
}

/// Lemma 1 along a run of one algorithm: regret at selection and the sum of bounds above it.
std::optional<Chart> lemma_plot(const RunData& run, const PlotOptions& options) {
  const std::size_t algorithm = index_of(run, options.algorithm);
  const auto& label = run.algorithms[algorithm].label;
  Chart chart = new_chart(run, options);
  if (run.algorithms.size() > 1) chart.id += "-" + label;
  chart.title = label + ": regret at selection, and the sum of bounds";
  chart.x = {"pulls", "", "evaluations_per_client", Scale::log};
  chart.y = {"sum over pulls", "", "sum", Scale::log};
  for (const auto& [metric, name, style] :
       {std::tuple("regret_at_selection", "smallest value held - f*", std::size_t{0}),
        std::tuple("bounds_at_selection", "bound g held", std::size_t{1})})
    add_series(chart,
               run.algorithms[algorithm],
               {name, style, Between::line, options.band},
               [metric = metric](const RepetitionData& repetition) {
                 Curve curve;
                 const auto points = repetition.curves.find(metric);
                 if (points == repetition.curves.end()) return curve;
                 for (const auto& p : points->second)
                   if (p.value > 0) curve.push_back({p.evaluations, p.value});
                 return curve;
               });
  if (chart.series.size() < 2) return std::nullopt;
  chart.band = band_text(run, options, "band");
  return chart;
}

std::optional<Chart> pareto_plot(const RunData& run, const PlotOptions& options) {
  const bool simple = options.kind == "pareto-simple-regret";
  auto made = pareto_chart(
      study_of(run), *quantity_named(metric_of(simple, options.scope)), options.cost, options.band);
  auto* chart = std::get_if<Chart>(&made);
  if (chart == nullptr) return std::nullopt;
  const Chart named = new_chart(run, options);
  chart->id = named.id;
  chart->subtitle = named.subtitle;
  if (options.logarithmic) chart->x.scale = chart->y.scale = Scale::log;
  chart->band = band_text(run, options, "bars");
  return std::move(*chart);
}

}  // namespace

std::string problem_text(const RunData& run) {
  std::string text = run.name;
  if (run.objective.empty()) return text;
  text += ": " + run.objective;
  if (!run.heterogeneity.empty() && run.heterogeneity != "none")
    text += fmt::format(" ({})", run.heterogeneity);
  if (!run.noise.empty() && run.noise != "none") text += fmt::format(", {} noise", run.noise);
  return text;
}

const std::vector<PlotKind>& plot_kinds() {
  static const std::vector<PlotKind> all = [] {
    std::vector<PlotKind> kinds;
    for (const bool simple : {false, true})
      for (const auto& abscissa : abscissas())
        kinds.push_back(
            {fmt::format("{}regret{}", simple ? "simple-" : "", abscissa.suffix),
             fmt::format(
                 "{} regret against {}", simple ? "simple" : "cumulative", abscissa.label)});
    for (const auto& what : kCommunication)
      kinds.push_back({std::string(what.kind), std::string(what.summary)});
    kinds.push_back({"pareto", "final cumulative regret against payload sent, one point each"});
    kinds.push_back({"pareto-simple-regret", "final simple regret against payload sent"});
    kinds.push_back({"arm-pulls", "pulls of every arm against all pulls, of one algorithm"});
    kinds.push_back(
        {"arm-intervals", "every arm's value f and f - g (f + g if maximized) over its pulls"});
    kinds.push_back({"arm-lemma", "regret at selection and the sum of bounds (Lemma 1 of F-LCB)"});
    return kinds;
  }();
  return all;
}

std::optional<Chart> make_plot(const RunData& run, const PlotOptions& options) {
  if (options.kind.starts_with("communication")) return communication_plot(run, options);
  if (options.kind.starts_with("pareto")) return pareto_plot(run, options);
  if (options.kind == "arm-lemma") return lemma_plot(run, options);
  if (options.kind.starts_with("arm-")) return arms_plot(run, options);
  for (const bool simple : {false, true})
    for (const auto& abscissa : abscissas())
      if (options.kind == fmt::format("{}regret{}", simple ? "simple-" : "", abscissa.suffix))
        return regret_plot(run, options, simple, abscissa);
  return std::nullopt;
}

std::vector<Chart> page_charts(const RunData& run) {
  std::vector<Chart> charts;
  for (const auto& kind : plot_kinds()) {
    if (kind.name.starts_with("pareto")) continue;
    if (kind.name.starts_with("arm-")) {
      for (const auto& algorithm : run.algorithms)
        if (auto chart = make_plot(run, {.kind = kind.name, .algorithm = algorithm.label}))
          charts.push_back(std::move(*chart));
      continue;
    }
    for (const auto scope : {Scope::global, Scope::local}) {
      const bool about_regret = !kind.name.starts_with("communication");
      if (scope == Scope::local && (!about_regret || !run.heterogeneous())) continue;
      if (auto chart = make_plot(run, {.kind = kind.name, .scope = scope}))
        charts.push_back(std::move(*chart));
    }
  }
  return charts;
}

}  // namespace posse
