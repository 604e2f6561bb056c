// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "program/run/run_warnings.hpp"
#include "program/scenario/scenario_tree.hpp"
#include "program/scenario/schema.hpp"
#include "program/scenario/table_reader.hpp"
#include "program/scenario/with_algorithms.hpp"
#include "program/sweep/collect.hpp"
#include "program/sweep/constraint.hpp"
#include "program/sweep/exclusions.hpp"
#include "program/sweep/run_key.hpp"

namespace posse {
namespace {

constexpr std::size_t kMostMistakes = 50;
constexpr std::size_t kMostSettingsWithWarnings = 1000;
constexpr std::size_t kMostAxes = 1000;  // SQLite has at most 2000 columns

/// Adds the mistakes that are not there yet: one that all settings have is shown once.
void add_new(const Diagnostics& from, Diagnostics& to) {
  for (const auto& mistake : from.all()) {
    const bool known = std::any_of(to.all().begin(), to.all().end(), [&](const Diagnostic& other) {
      return other.key == mistake.key && other.problem == mistake.problem &&
             other.given == mistake.given && other.location.text() == mistake.location.text();
    });
    if (known || to.all().size() > kMostMistakes) continue;
    if (to.all().size() == kMostMistakes)
      to.add({mistake.location, "", "there are more mistakes; these are the first 50", "", "", ""});
    else
      to.add(mistake);
  }
}

Value load_with(const std::string& file,
                const std::vector<Override>& overrides,
                Diagnostics& diagnostics) {
  Value root = load_toml(file, diagnostics);
  if (!diagnostics.empty()) return root;
  if (auto* table = std::get_if<Table>(&root.data))
    if (const auto it = table->find("sweep"); it != table->end())
      nest_quoted_keys(it->second, diagnostics);
  for (const auto& o : overrides) apply_override(root, o.assignment, o.origin, diagnostics);
  return root;
}

/// Says of unknown keys that it is [sweep] that names them.
Diagnostics as_swept(const Diagnostics& mistakes, const std::vector<SweepAxis>& axes) {
  Diagnostics named;
  for (auto mistake : mistakes.all()) {
    const auto is_it = [&](const SweepAxis& axis) { return axis.key == mistake.key; };
    if (mistake.problem == kUnknownKey && std::any_of(axes.begin(), axes.end(), is_it)) {
      if (mistake.key.find('.') == std::string::npos) {
        mistake.nearest = full_key(mistake.key);
        mistake.allowed = "full keys, e.g. population.clients or algorithm.fed-pne.c";
      }
      mistake.key = "sweep." + mistake.key;
    }
    named.add(std::move(mistake));
  }
  return named;
}

}  // namespace

SweepPlan::SweepPlan(const std::string& file,
                     const std::vector<Override>& overrides,
                     Diagnostics& diagnostics)
    : SweepPlan(load_with(file, overrides, diagnostics), file, diagnostics) {}

SweepPlan::SweepPlan(Value root, const std::string& file, Diagnostics& diagnostics)
    : file_(file), root_(std::move(root)) {
  if (!diagnostics.empty()) return;
  auto* table = std::get_if<Table>(&root_.data);
  if (table == nullptr) return;
  if (const auto it = table->find("sweep"); it != table->end()) {
    nest_quoted_keys(it->second, diagnostics);  // changes nothing where it was done already
    sweep_ = read_sweep(it->second, diagnostics);
    table->erase(it);
    if (diagnostics.empty()) reject_overlaps(sweep_, root_, diagnostics);
  }
  for (const auto& axis : sweep_.axes)
    for (std::size_t i = 0; i < axis.values.size(); ++i)
      for (const auto& [path, value] : axis.assignments(i))
        if (path.ends_with(".label") && i == 0)
          diagnostics.add({value.location,
                           "sweep." + axis.key,
                           "varies a label, which names an algorithm in all settings",
                           "",
                           "parameters and kinds: their values name the settings",
                           ""});
  if (sweep_.combinations() > kMostSettings)
    diagnostics.add({sweep_.location,
                     "sweep",
                     fmt::format("has {} settings", sweep_.combinations()),
                     "",
                     fmt::format("at most {}", kMostSettings),
                     ""});
  const bool sound = diagnostics.empty();
  if (sound) add_settings(diagnostics);
  if (diagnostics.empty()) {
    add_runs(diagnostics);
    check_columns(diagnostics);
  } else {
    if (!sound) check_constraint(diagnostics);
    check_values(diagnostics);
  }
}

Value SweepPlan::tree(const Choice& choice, Diagnostics& diagnostics) const {
  Value root = root_;
  const bool holds_inputs = root.table() != nullptr && root.table()->contains("inputs");
  for (std::size_t axis = 0; axis < sweep_.axes.size(); ++axis) {
    if (sweep_.axes[axis].values.empty()) continue;  // a mistake
    for (const auto& [key, value] : sweep_.axes[axis].assignments(choice.values[axis]))
      if (!set_value(root, key, value))
        diagnostics.add({value.location,
                         "sweep." + key,
                         "is not a valid path: part of it is not a table, or it matches no element",
                         "",
                         "a path as in --set, e.g. population.clients or algorithm.fed-pne.c",
                         ""});
  }
  if (!choice.left_out.empty()) {  // after their parameters were set
    auto& algorithms = std::get<Array>(std::get<Table>(root.data).at("algorithm").data);
    for (auto a = choice.left_out.rbegin(); a != choice.left_out.rend(); ++a)
      algorithms.erase(algorithms.begin() + *a);
  }
  if (holds_inputs) remove_inputs_of_others(root);
  return root;
}

Scenario SweepPlan::read(const Choice& choice, Diagnostics& diagnostics) const {
  if (!choice.left_out.empty()) {
    Diagnostics of_whole;
    Choice whole = choice;
    whole.left_out.clear();
    Scenario scenario = read_scenario(tree(whole, of_whole), file_, of_whole);
    if (of_whole.empty()) {
      std::set<std::string> kept;
      for (std::uint32_t a = 0; a < scenario.algorithms.size(); ++a)
        if (!std::ranges::binary_search(choice.left_out, a))
          kept.insert(scenario.algorithms[a].label);
      return with_algorithms(std::move(scenario), kept);
    }
    // What is left out may be what the setting is impossible for.
  }
  return read_scenario(tree(choice, diagnostics), file_, diagnostics);
}

/// Files that only other values of the axes name.
void SweepPlan::remove_inputs_of_others(Value& root) const {
  auto& held = std::get<Table>(root.data).at("inputs");
  auto* files = std::get_if<Table>(&held.data);
  if (files == nullptr) return;
  std::erase_if(*files, [&](const auto& file) {
    const auto names_it = [&](const Value& value) { return holds_text(value, file.first); };
    const bool swept = std::any_of(sweep_.axes.begin(), sweep_.axes.end(), [&](const auto& axis) {
      return std::any_of(axis.values.begin(), axis.values.end(), names_it);
    });
    const auto& table = *root.table();
    return swept && std::none_of(table.begin(), table.end(), [&](const auto& entry) {
             return entry.first != "inputs" && names_it(entry.second);
           });
  });
  if (files->empty()) std::get<Table>(root.data).erase("inputs");
}

void SweepPlan::add_settings(Diagnostics& diagnostics) {
  Choice choice;
  choice.values.assign(sweep_.axes.size(), 0);
  const Value first = tree(choice, diagnostics);
  Constraint constraint("sweep.constraint",
                        sweep_.constraint,
                        sweep_.constraint_location,
                        sweep_.axes,
                        first,
                        diagnostics);
  Exclusions exclusions(sweep_, first, diagnostics);
  const auto next = [&] {  // the last group varies fastest
    for (std::size_t g = sweep_.groups.size(); g-- > 0;) {
      const auto& group = sweep_.groups[g];
      const auto values = sweep_.axes[group.front()].values.size();
      const auto position = (choice.values[group.front()] + 1) % values;
      for (const auto axis : group) choice.values[axis] = static_cast<std::uint32_t>(position);
      if (position != 0) return true;
    }
    return false;
  };
  do {
    if (!diagnostics.empty()) return;
    choice.left_out.clear();
    const auto with_all = [&] { return tree(choice, diagnostics); };
    bool kept = sweep_.constraint.empty() || constraint.holds(with_all(), diagnostics);
    if (kept && !sweep_.exclusions.empty()) {
      choice.left_out = exclusions.left_out(choice.values, with_all, diagnostics);
      kept = choice.left_out.size() < exclusions.algorithms();
    }
    if (!kept) {
      ++excluded_;
      continue;
    }
    left_out_ += choice.left_out.size();
    choices_.push_back(choice);
  } while (next());
  for (const auto number : exclusions.without_effect(diagnostics))
    warnings_.push_back({fmt::format("{}-exclude-{}", kWithoutEffect, number),
                         fmt::format("sweep.exclude.{} leaves nothing out: no setting is as its "
                                     "`where` says",
                                     number)});
  if (choices_.empty())
    diagnostics.add({sweep_.constraint.empty() ? sweep_.exclusions.front().location
                                               : sweep_.constraint_location,
                     sweep_.constraint.empty() ? "sweep.exclude" : "sweep.constraint",
                     fmt::format("{} all {} settings",
                                 sweep_.exclusions.empty() || sweep_.constraint.empty()
                                     ? "excludes"
                                     : "and sweep.exclude leave out",
                                 excluded_),
                     sweep_.constraint.empty() ? "" : fmt::format("\"{}\"", sweep_.constraint),
                     "",
                     ""});
}

void SweepPlan::add_runs(Diagnostics& diagnostics) {
  std::vector<PlannedRun> by_setting;
  std::unordered_set<std::string> keys;
  for (std::size_t setting = 0; setting < choices_.size(); ++setting) {
    Diagnostics mistakes;
    const Scenario scenario = read(choices_[setting], mistakes);
    add_new(as_swept(mistakes, sweep_.axes), diagnostics);
    if (!diagnostics.empty()) {
      if (diagnostics.all().size() > kMostMistakes) return;
      continue;
    }
    const auto& left_out = choices_[setting].left_out;
    if (setting == 0) {
      name_ = scenario.name;
      seed_ = scenario.seed;
      repeat_ = scenario.repeat;
      thresholds_ = scenario.thresholds;
      algorithms_.resize(scenario.algorithms.size() + left_out.size());
    }
    if (scenario.algorithms.size() + left_out.size() != algorithms_.size() ||
        scenario.repeat != repeat_ || scenario.name != name_ || scenario.seed != seed_) {
      diagnostics.add({sweep_.location,
                       "sweep",
                       "varies the name, the seed, the repetitions or the list of algorithms",
                       "",
                       "keys of the sections and of single algorithms, e.g. algorithm.0.kind",
                       ""});
      return;
    }
    if (static_cast<std::uint64_t>(choices_.size()) * algorithms_.size() * repeat_ > kMostRuns) {
      diagnostics.add({sweep_.location,
                       "sweep",
                       fmt::format("has {} settings × {} algorithms × {} repetitions",
                                   choices_.size(),
                                   algorithms_.size(),
                                   repeat_),
                       "",
                       fmt::format("at most {} runs", kMostRuns),
                       ""});
      return;
    }
    if (setting < kMostSettingsWithWarnings) conditions_.add(scenario);
    choices_[setting].first_run = by_setting.size() / repeat_;
    const auto positions = algorithms_in(setting);
    for (std::size_t a = 0; a < scenario.algorithms.size(); ++a) {
      auto& label = algorithms_[positions[a]];
      if (label.empty()) label = scenario.algorithms[a].label;
      if (setting < kMostSettingsWithWarnings) add_warnings(scenario, a);
      const RunKeys run_keys(scenario, scenario.algorithms[a]);
      for (std::uint32_t r = 0; r < repeat_; ++r) {
        by_setting.push_back({static_cast<std::uint32_t>(setting),
                              static_cast<std::uint32_t>(positions[a]),
                              r,
                              run_keys.of(r)});
        keys.insert(by_setting.back().key);
      }
    }
  }
  if (!diagnostics.empty()) return;
  if (std::ranges::find(algorithms_, "") != algorithms_.end()) {
    diagnostics.add({sweep_.exclusions.front().location,
                     "sweep.exclude",
                     "leaves out an algorithm in every setting",
                     "",
                     "an algorithm of no setting is no part of the scenario",
                     ""});
    return;
  }
  distinct_ = keys.size();
  runs_ = std::move(by_setting);
  std::stable_sort(runs_.begin(), runs_.end(), [](const PlannedRun& a, const PlannedRun& b) {
    return a.repetition < b.repetition;
  });
}

void SweepPlan::add_warnings(const Scenario& scenario, std::size_t algorithm) {
  for (Warning& warning : scenario_warnings(scenario, algorithm)) {
    warning.text = fmt::format("{}: {}", scenario.algorithms[algorithm].label, warning.text);
    const auto is_it = [&](const Warning& known) { return known.text == warning.text; };
    if (std::ranges::none_of(warnings_, is_it)) warnings_.push_back(std::move(warning));
  }
}

/// After the other mistakes, which say more.
void SweepPlan::check_columns(Diagnostics& diagnostics) const {
  if (!diagnostics.empty()) return;
  if (sweep_.axes.size() > kMostAxes)
    diagnostics.add({sweep_.location,
                     "sweep",
                     fmt::format("varies {} keys", sweep_.axes.size()),
                     "",
                     fmt::format("at most {}", kMostAxes),
                     ""});
  else if (const auto axis = axis_with_taken_column(sweep_.axes))
    diagnostics.add({sweep_.axes[*axis].values.front().location,
                     "sweep." + sweep_.axes[*axis].key,
                     "can't be varied: the table of results has another column of this name",
                     "",
                     "keys of the sections and of single algorithms, e.g. algorithm.0.kind",
                     ""});
}

void SweepPlan::check_constraint(Diagnostics& diagnostics) const {
  const auto without_values = [](const SweepAxis& axis) { return axis.values.empty(); };
  if (std::any_of(sweep_.axes.begin(), sweep_.axes.end(), without_values)) return;
  Diagnostics ignored;
  const Value first = tree({std::vector<std::uint32_t>(sweep_.axes.size(), 0), {}}, ignored);
  const Constraint constraint("sweep.constraint",
                              sweep_.constraint,
                              sweep_.constraint_location,
                              sweep_.axes,
                              first,
                              diagnostics);
  const Exclusions exclusions(sweep_, first, diagnostics);
}

void SweepPlan::check_values(Diagnostics& diagnostics) const {
  Choice choice;
  choice.values.assign(sweep_.axes.size(), 0);
  const auto read = [&] {
    Diagnostics paths, mistakes, relevant;
    const Value root = tree(choice, paths);
    if (std::ranges::all_of(choice.values, [](auto c) { return c == 0; }))
      add_new(paths, diagnostics);
    read_scenario(root, file_, mistakes);
    for (const auto& mistake : mistakes.all()) {  // a key may be missing only for want of values
      const auto is_it = [&](const SweepAxis& axis) {
        return axis.values.empty() && axis.key == mistake.key;
      };
      if (std::none_of(sweep_.axes.begin(), sweep_.axes.end(), is_it)) relevant.add(mistake);
    }
    add_new(as_swept(relevant, sweep_.axes), diagnostics);
  };
  read();
  for (const auto& group : sweep_.groups) {
    const auto values = sweep_.axes[group.front()].values.size();
    const bool alike = std::all_of(group.begin(), group.end(), [&](std::size_t axis) {
      return sweep_.axes[axis].values.size() == values;
    });
    for (std::uint32_t i = 1; alike && i < values; ++i) {
      for (const auto axis : group) choice.values[axis] = i;
      read();
    }
    for (const auto axis : group) choice.values[axis] = 0;
  }
}

std::string SweepPlan::text(std::size_t setting, std::size_t axis) const {
  return sweep_.axes[axis].text(choices_[setting].values[axis]);
}

std::string SweepPlan::setting_text(std::size_t setting) const {
  std::string all;
  for (std::size_t axis = 0; axis < axes().size(); ++axis)
    all += fmt::format("{}{} = {}", all.empty() ? "" : ", ", axes()[axis].key, text(setting, axis));
  return all;
}

std::vector<std::string> SweepPlan::assignments(std::size_t setting) const {
  std::vector<std::string> all;
  for (std::size_t axis = 0; axis < axes().size(); ++axis)
    for (const auto& [key, value] : axes()[axis].assignments(choices_[setting].values[axis]))
      all.push_back(fmt::format("{}={}", key, inline_toml(value)));
  return all;
}

std::size_t SweepPlan::settings_with_fewer() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(choices_, [](const Choice& c) { return !c.left_out.empty(); }));
}

std::vector<std::size_t> SweepPlan::algorithms_in(std::size_t setting) const {
  const auto& left_out = choices_[setting].left_out;
  std::vector<std::size_t> all;
  for (std::size_t a = 0; a < algorithms_.size(); ++a)
    if (!std::ranges::binary_search(left_out, a)) all.push_back(a);
  return all;
}

std::size_t SweepPlan::position_in(std::size_t setting, std::size_t algorithm) const {
  const auto& left_out = choices_[setting].left_out;
  const auto before = std::ranges::lower_bound(left_out, algorithm) - left_out.begin();
  return algorithm - static_cast<std::size_t>(before);
}

const PlannedRun& SweepPlan::run(std::size_t setting,
                                 std::size_t algorithm,
                                 std::size_t repetition) const {
  const auto in_each = runs_.size() / repeat_;
  return runs_[repetition * in_each + choices_[setting].first_run +
               position_in(setting, algorithm)];
}

Scenario SweepPlan::scenario(std::size_t setting) const {
  Diagnostics ignored;  // read without mistakes before
  return read(choices_[setting], ignored);
}

}  // namespace posse
