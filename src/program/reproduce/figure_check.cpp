// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/figure_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/arm/arm.hpp"
#include "core/base/shown_text.hpp"
#include "program/base/quantities.hpp"
#include "program/reproduce/checks.hpp"
#include "program/reproduce/claims_file.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

bool is_one_of(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> labels_in(const Scenario& scenario) {
  std::vector<std::string> labels;
  for (const auto& entry : scenario.algorithms) labels.push_back(entry.label);
  return labels;
}

std::vector<std::string> arms_in(const Scenario& scenario) {
  std::vector<std::string> names;
  if (!scenario.arms) return names;
  const auto workload = make_workload(scenario, scenario.algorithms.front(), 0);
  for (const auto& arm : workload.arms->arms) names.push_back(arm.name);
  return names;
}

bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value.data) ||
         std::holds_alternative<double>(value.data);
}

/// Whether the value of a swept key stands somewhere on an axis (see place_of).
bool has_place(const Value& value) {
  const auto* list = std::get_if<Array>(&value.data);
  return list == nullptr ? is_number(value)
                         : !list->empty() && std::ranges::all_of(*list, is_number);
}

/// The checks of a figure beside a scenario.
class FigureCheck {
 public:
  FigureCheck(const PaperFigure& figure,
              const Scenario& scenario,
              std::vector<std::string> labels,
              const std::vector<SweepAxis>& axes,
              Diagnostics& diagnostics)
      : figure_(figure),
        scenario_(scenario),
        labels_(std::move(labels)),
        axes_(axes),
        diagnostics_(diagnostics) {}

  void run() {
    auto reader = table(figure_.source, figure_.path, "figure");
    if (is_sweep()) {
      for (const auto* key : {"only", "plots"})
        if (reader.has(key))
          reader.error(key, fmt::format("does nothing: {} has a sweep", figure_.scenario));
    }
    for (const auto& plot : figure_.plots)
      if (!plot.algorithm.empty() && !is_one_of(labels_, plot.algorithm))
        reader.error("plots",
                     fmt::format("name an algorithm that the scenario doesn't have: {}",
                                 shortened(plot.algorithm)),
                     names_text(labels_),
                     nearest_name(plot.algorithm, labels_));
    for (const auto& claim : figure_.claims) check(claim);
  }

 private:
  bool is_sweep() const { return !axes_.empty(); }

  TableReader table(const Value& value, const std::string& path, std::string_view section) {
    return {value, path, find_section(section, claims_sections()), diagnostics_};
  }

  void check(const Claim& claim) {
    auto reader = table(claim.source, claim.path, "figure.claim.check");
    for (const auto label : kLabelsOfCheck)
      if (const auto given = reader.text(label); given && !is_one_of(labels_, *given))
        reader.error(label,
                     fmt::format("is no algorithm of {}", figure_.scenario),
                     names_text(labels_),
                     nearest_name(*given, labels_));
    if (claim.check.spec->of_settings != is_sweep())
      reader.error(
          "kind",
          claim.check.spec->of_settings
              ? fmt::format("is about several settings: {} has no [sweep]", figure_.scenario)
              : fmt::format("is about a single run: {} has a sweep", figure_.scenario),
          claim.check.spec->of_settings
              ? "a scenario with [sweep], or set = ['sweep.KEY=[…]']"
              : "set = ['sweep='], which leaves it out, or a kind for settings");
    if (claim.check.spec->of_arms && !scenario_.arms)
      reader.error("kind",
                   fmt::format("is about functional bandits: {} has no [[arm]]", figure_.scenario));
    else if (claim.check.spec->of_arms)
      check_arm(reader);
    check_measure(reader);
    const auto& parameters = claim.check.parameters.all();
    if (parameters.contains("slope") && claim.check.parameters.real("slope") == 0)
      reader.error("slope", "is 0: neither a rise nor a fall", "a number above or below 0");
    if (const auto key = reader.text("key"); key && is_sweep()) check_axis(reader, *key);
  }

  void check_arm(TableReader& reader) {
    const auto arm = reader.text("arm");
    if (!arm) return;
    const auto arms = arms_in(scenario_);
    if (!is_one_of(arms, *arm))
      reader.error("arm",
                   fmt::format("is no arm of {}", figure_.scenario),
                   names_text(arms),
                   nearest_name(*arm, arms));
  }

  void check_measure(TableReader& reader) {
    const auto given = reader.text("measure");
    const auto position = given ? quantity_named(*given) : std::nullopt;
    if (!position) return;
    const auto& measure = quantity_at(*position);
    const bool evaluates =
        scenario_.arms || std::ranges::any_of(scenario_.algorithms, [](const auto& entry) {
          return entry.spec->needs_problem;
        });
    if ((measure.name == "answer_value" && !scenario_.arms) || (measure.is_regret && !evaluates))
      reader.error("measure",
                   fmt::format("is nothing that an algorithm of {} has", figure_.scenario));
  }

  void check_axis(TableReader& reader, const std::string& key) {
    std::vector<std::string> keys;
    for (const auto& axis : axes_) {
      keys.push_back(axis.key);
      if (axis.key == key && !std::ranges::all_of(axis.values, has_place))
        reader.error("key", "has values that are neither numbers nor lists of numbers");
    }
    if (!is_one_of(keys, key))
      reader.error("key",
                   fmt::format("is not swept by {}", figure_.scenario),
                   names_text(keys),
                   nearest_name(key, keys));
  }

  const PaperFigure& figure_;
  const Scenario& scenario_;
  const std::vector<std::string> labels_;
  const std::vector<SweepAxis>& axes_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_only(const PaperFigure& figure, const Scenario& scenario, Diagnostics& diagnostics) {
  const auto labels = labels_in(scenario);
  for (const auto& label : figure.only)
    if (!is_one_of(labels, label))
      TableReader(
          figure.source, figure.path, find_section("figure", claims_sections()), diagnostics)
          .error("only",
                 fmt::format(
                     "names what is no algorithm of {}: {}", figure.scenario, shortened(label)),
                 names_text(labels),
                 nearest_name(label, labels));
}

void check_figure(const PaperFigure& figure, const Scenario& scenario, Diagnostics& diagnostics) {
  FigureCheck(figure, scenario, labels_in(scenario), {}, diagnostics).run();
}

void check_figure(const PaperFigure& figure, const SweepPlan& plan, Diagnostics& diagnostics) {
  FigureCheck(figure, plan.scenario(0), plan.algorithms(), plan.axes(), diagnostics).run();
}

}  // namespace posse
