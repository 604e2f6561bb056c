// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "program/run/run_warnings.hpp"
#include "program/scenario/scenario_tree.hpp"
#include "program/scenario/schema.hpp"
#include "program/scenario/table_reader.hpp"
#include "program/sweep/collect.hpp"
#include "program/sweep/constraint.hpp"
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

/// The full key that a last part may mean, or "".
std::string full_key(const std::string& part) {
  for (const auto& section : scenario_sections())
    if (!section.path.empty() && !section.array && section.key(part) != nullptr)
      return fmt::format("{}.{}", section.path, part);
  return "";
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
  }
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

Value SweepPlan::tree(const std::vector<std::uint32_t>& choice, Diagnostics& diagnostics) const {
  Value root = root_;
  const bool holds_inputs = root.table() != nullptr && root.table()->contains("inputs");
  for (std::size_t axis = 0; axis < sweep_.axes.size(); ++axis) {
    const auto& [key, values] = sweep_.axes[axis];
    if (values.empty()) continue;  // a mistake
    const Value& value = values[choice[axis]];
    if (!set_value(root, key, value))
      diagnostics.add({value.location,
                       "sweep." + key,
                       "is not a valid path: part of it is not a table, or it matches no element",
                       "",
                       "a path as in --set, e.g. population.clients or algorithm.fed-pne.c",
                       ""});
  }
  if (holds_inputs) remove_inputs_of_others(root);
  return root;
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
  std::vector<std::uint32_t> choice(sweep_.axes.size(), 0);
  Constraint constraint(sweep_, tree(choice, diagnostics), diagnostics);
  const auto next = [&] {  // the last group varies fastest
    for (std::size_t g = sweep_.groups.size(); g-- > 0;) {
      const auto& group = sweep_.groups[g];
      const auto values = sweep_.axes[group.front()].values.size();
      const auto position = (choice[group.front()] + 1) % values;
      for (const auto axis : group) choice[axis] = static_cast<std::uint32_t>(position);
      if (position != 0) return true;
    }
    return false;
  };
  do {
    if (!diagnostics.empty()) return;
    if (sweep_.constraint.empty() || constraint.holds(tree(choice, diagnostics), diagnostics))
      choices_.push_back(choice);
    else
      ++excluded_;
  } while (next());
  if (choices_.empty())
    diagnostics.add({sweep_.constraint_location,
                     "sweep.constraint",
                     fmt::format("excludes all {} settings", excluded_),
                     fmt::format("\"{}\"", sweep_.constraint),
                     "",
                     ""});
}

void SweepPlan::add_runs(Diagnostics& diagnostics) {
  std::vector<PlannedRun> by_setting;
  std::unordered_set<std::string> keys;
  for (std::size_t setting = 0; setting < choices_.size(); ++setting) {
    Diagnostics mistakes;
    const Value root = tree(choices_[setting], mistakes);
    const Scenario scenario = read_scenario(root, file_, mistakes);
    add_new(as_swept(mistakes, sweep_.axes), diagnostics);
    if (!diagnostics.empty()) {
      if (diagnostics.all().size() > kMostMistakes) return;
      continue;
    }
    if (setting == 0) {
      name_ = scenario.name;
      seed_ = scenario.seed;
      repeat_ = scenario.repeat;
      thresholds_ = scenario.thresholds;
      for (const auto& entry : scenario.algorithms) algorithms_.push_back(entry.label);
    }
    if (scenario.algorithms.size() != algorithms_.size() || scenario.repeat != repeat_ ||
        scenario.name != name_ || scenario.seed != seed_) {
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
    for (std::size_t a = 0; a < scenario.algorithms.size(); ++a) {
      if (setting < kMostSettingsWithWarnings) add_warnings(scenario, a);
      const RunKeys run_keys(scenario, scenario.algorithms[a]);
      for (std::uint32_t r = 0; r < repeat_; ++r) {
        by_setting.push_back({static_cast<std::uint32_t>(setting),
                              static_cast<std::uint32_t>(a),
                              r,
                              run_keys.of(r)});
        keys.insert(by_setting.back().key);
      }
    }
  }
  if (!diagnostics.empty()) return;
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
  const std::vector<std::uint32_t> first(sweep_.axes.size(), 0);
  const Constraint constraint(sweep_, tree(first, ignored), diagnostics);
}

void SweepPlan::check_values(Diagnostics& diagnostics) const {
  std::vector<std::uint32_t> choice(sweep_.axes.size(), 0);
  const auto read = [&] {
    Diagnostics paths, mistakes, relevant;
    const Value root = tree(choice, paths);
    if (std::all_of(choice.begin(), choice.end(), [](auto c) { return c == 0; }))
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
      for (const auto axis : group) choice[axis] = i;
      read();
    }
    for (const auto axis : group) choice[axis] = 0;
  }
}

bool is_main_parameter(std::string_view parameter) {
  return parameter == "value" || parameter == "mean" || parameter == "median" || parameter == "p";
}

std::string value_text(const Value& value) {
  if (const auto* words = std::get_if<std::string>(&value.data)) return *words;
  const Table* table = value.table();
  if (table == nullptr) return inline_toml(value);
  auto kind = table->find("kind");
  if (kind == table->end()) kind = table->find("policy");
  if (kind == table->end()) return inline_toml(value);
  std::string text = value_text(kind->second), rest;
  for (const auto& [key, entry] : *table) {
    if (key == kind->first) continue;
    const auto part = value_text(entry);
    if (is_main_parameter(key))
      text += " " + part;
    else
      rest += fmt::format("{}{} {}", rest.empty() ? "" : ", ", key, part);
  }
  return rest.empty() ? text : fmt::format("{} ({})", text, rest);
}

std::string SweepPlan::text(std::size_t setting, std::size_t axis) const {
  return value_text(value(setting, axis));
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
    all.push_back(fmt::format("{}={}", axes()[axis].key, inline_toml(value(setting, axis))));
  return all;
}

Scenario SweepPlan::scenario(std::size_t setting) const {
  Diagnostics ignored;  // read without mistakes before
  const Value root = tree(choices_[setting], ignored);
  return read_scenario(root, file_, ignored);
}

}  // namespace posse
