// SPDX-License-Identifier: Apache-2.0
#include "program/run/run_figures.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "program/run/quantity_values.hpp"
#include "program/run/runner.hpp"

namespace posse {
namespace {

/// Totals that every run has; quantities that the algorithm reports itself are left out.
std::vector<Measurement> totals_of(const RunRecord& run) {
  const RunOutcome& o = run.result.outcome;
  const auto count = [](std::uint64_t n) { return static_cast<double>(n); };
  const auto own = [&](std::string_view part) {
    return std::any_of(
        run.measurements.begin(), run.measurements.end(), [&](const Measurement& measurement) {
          return measurement.name.find(part) != std::string::npos;
        });
  };
  std::vector<Measurement> all;
  const auto add = [&](std::string name, std::string unit, double value) {
    if (!std::any_of(run.measurements.begin(),
                     run.measurements.end(),
                     [&](const Measurement& measurement) { return measurement.name == name; }))
      all.push_back({std::move(name), std::move(unit), value, std::nullopt});
  };
  if (o.regret.evaluations > 0) {
    add("evaluations", "", count(o.regret.evaluations));
    if (!own("cumulative regret")) add("cumulative regret", "", o.regret.cumulative);
    if (o.regret.simple && !own("simple regret")) add("simple regret", "", *o.regret.simple);
  }
  const auto messages = messages_sent(o);
  add("rounds", "", count(o.complete_rounds));
  add("messages", "", count(messages));
  add("acknowledgements", "", count(o.total(&TypeAccount::sent) - messages));
  add("retransmitted", "", count(o.total(&TypeAccount::repeated)));
  add("retransmitted needlessly", "", count(o.total(&TypeAccount::needless)));
  std::uint64_t dropped = 0;
  for (const auto& account : o.accounts) dropped += account.dropped();
  add("lost in transit", "", count(dropped));
  add("in flight at the end", "", count(o.total(&TypeAccount::in_flight)));
  add("sent after the finish", "", count(o.total(&TypeAccount::after_finish)));
  if (!own("payload")) add("payload", "bytes", count(payload_bytes(o)));
  add("bytes on the wire, all copies", "bytes", count(o.total(&TypeAccount::wire_bytes)));
  add("virtual time", "s", o.finished_at.to_seconds());
  return all;
}

/// The curve's value at this number of evaluations: at exactly this point for a cumulative regret,
/// at the last point up to it for a simple regret.
std::optional<double> value_at(const std::vector<RegretPoint>& curve,
                               std::string_view metric,
                               std::uint64_t evaluations) {
  const bool holds = metric.starts_with("simple");
  std::optional<double> value;
  for (const auto& point : curve)
    if (point.metric == metric &&
        (holds ? point.evaluations <= evaluations : point.evaluations == evaluations))
      value = point.value;
  return value;
}

std::vector<double> checkpoints_of(const RunRecord& run) {
  std::vector<double> values;
  const std::uint64_t end = run.result.outcome.regret.max_evaluations;
  if (end > 1) values.reserve(kQuantitiesWithCurves * std::bit_width(end - 1));
  for (std::uint64_t at = 1; at < end; at *= 2)
    for (std::size_t q = 0; q < kQuantitiesWithCurves; ++q)
      values.push_back(value_at(run.result.regret_curve, quantity_at(q).name, at)
                           .value_or(std::numeric_limits<double>::quiet_NaN()));
  return values;
}

/// Equal but for the numbers.
bool alike(const Measurement& a, const Measurement& b) {
  if (a.name != b.name || a.unit != b.unit || a.bound.has_value() != b.bound.has_value())
    return false;
  return !a.bound ||
         (a.bound->kind == b.bound->kind && a.bound->strength == b.bound->strength &&
          a.bound->is_lower == b.bound->is_lower && a.bound->is_identity == b.bound->is_identity &&
          a.bound->note == b.bound->note);
}

}  // namespace

const std::vector<Measurement>& MeasuredReader::read(const MeasuredNumbers& measured) {
  if (!measured.like) {
    like_.reset();
    now_.clear();
    return now_;
  }
  if (like_ != measured.like) {
    like_ = measured.like;
    now_ = *like_;
  }
  auto number = measured.numbers.begin();
  for (Measurement& measurement : now_) {
    measurement.measured = *number++;
    if (measurement.bound) measurement.bound->value = *number++;
  }
  return now_;
}

std::optional<double> RunFigures::at_checkpoint(std::size_t quantity,
                                                std::size_t power_of_two) const {
  const std::size_t at = power_of_two * kQuantitiesWithCurves + quantity;
  if (at >= at_checkpoints.size() || std::isnan(at_checkpoints[at])) return std::nullopt;
  return at_checkpoints[at];
}

std::string_view status_of(const RunFigures& run) {
  return run.started ? to_string(run.status) : std::string_view("not_started");
}

FigureMaker::FigureMaker(const Scenario& scenario)
    : scenario_(scenario),
      measurements_(scenario.algorithms.size()),
      totals_(scenario.algorithms.size()) {}

MeasuredNumbers FigureMaker::numbers_of(const std::vector<Measurement>& measurements,
                                        Shared& latest) {
  MeasuredNumbers made;
  const auto bounds =
      std::ranges::count_if(measurements, [](auto& m) { return m.bound.has_value(); });
  made.numbers.reserve(measurements.size() + static_cast<std::size_t>(bounds));
  for (const Measurement& measurement : measurements) {
    made.numbers.push_back(measurement.measured);
    if (measurement.bound) made.numbers.push_back(measurement.bound->value);
  }
  const std::lock_guard lock(mutex_);
  if (!latest || !std::ranges::equal(*latest, measurements, alike))
    latest = std::make_shared<const std::vector<Measurement>>(measurements);
  made.like = latest;
  return made;
}

RunFigures FigureMaker::figures_of(const RunRecord& run) {
  const RunOutcome& outcome = run.result.outcome;
  RunFigures figures;
  figures.algorithm = run.algorithm;
  figures.repetition = run.repetition;
  figures.started = run.started;
  figures.in_wall_time = outcome.in_wall_time;
  figures.touched = std::ranges::any_of(run.result.interventions, &Intervention::changes_results);
  figures.status = outcome.status;
  figures.exit_code = exit_code_of(run);
  figures.fingerprint = outcome.fingerprint;
  figures.events = outcome.events;
  figures.rounds = outcome.complete_rounds;
  figures.tied_rounds = outcome.tied_rounds;
  figures.wall_s = run.wall_s;
  figures.report = outcome.report;
  figures.note = run.result.note;
  figures.warnings = run.warnings;
  figures.facts = run.start.facts;
  figures.worst = worst_case(scenario_, outcome);
  figures.finals = finals_of(run);
  figures.at_checkpoints = checkpoints_of(run);
  figures.max_evaluations = outcome.regret.max_evaluations;
  figures.measurements = numbers_of(run.measurements, measurements_[run.algorithm]);
  figures.totals = numbers_of(totals_of(run), totals_[run.algorithm]);
  figures.path_rounds = outcome.paths.rounds;
  for (std::size_t i = 0; i < kCriticalPathParts.size(); ++i)
    figures.path_parts[i] = outcome.paths.sum.*kCriticalPathParts[i].time;
  figures.waited_for = {outcome.paths.waited_for.begin(), outcome.paths.waited_for.end()};
  figures.arms = outcome.arms;
  return figures;
}

}  // namespace posse
