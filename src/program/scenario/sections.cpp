// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/sections.hpp"

#include <iterator>

#include "program/scenario/fields.hpp"

namespace posse {
namespace {

SectionSpec top_section() {
  using Of = FieldsOf<Scenario>;
  return {.path = "",
          .summary = "name, label, seed, repetitions",
          .keys = {{.name = "name",
                    .type = KeyType::text,
                    .meaning = "name of the result folder",
                    .values = "letters, digits, `-`, `_`, `.`; up to 100",
                    .otherwise = "the file's name",
                    .field = Of::value(&Scenario::name)},
                   {.name = "label",
                    .type = KeyType::text,
                    .meaning =
                        "a note on the run, as `run --label`: shown with its results, in the list "
                        "of finished runs and in the names of a comparison; it decides nothing",
                    .values = "one line, up to 100 characters",
                    .otherwise = "none",
                    .field = Of::only_if([](const Scenario& s) { return !s.label.empty(); },
                                         Of::value(&Scenario::label))},
                   {.name = "seed",
                    .type = KeyType::whole,
                    .meaning = "determines, with the scenario, every random number",
                    .min = 0,
                    .field = Of::value(&Scenario::seed)},
                   {.name = "repeat",
                    .type = KeyType::whole,
                    .meaning = "number of repetitions, each with its own random numbers",
                    .min = 1,
                    .max = 1e6,
                    .field = Of::value(&Scenario::repeat)},
                   {.name = "algorithm", .type = KeyType::tables},
                   {.name = "population", .type = KeyType::table},
                   {.name = "objective", .type = KeyType::table},
                   {.name = "arm", .type = KeyType::tables},
                   {.name = "budget", .type = KeyType::table},
                   {.name = "network", .type = KeyType::table},
                   {.name = "compute", .type = KeyType::table},
                   {.name = "server", .type = KeyType::table},
                   {.name = "fault", .type = KeyType::tables},
                   {.name = "limits", .type = KeyType::table},
                   {.name = "inputs", .type = KeyType::table},
                   {.name = "thresholds", .type = KeyType::table},
                   {.name = "sweep", .type = KeyType::table}}};
}

SectionSpec algorithm_section() {
  using Of = FieldsOf<AlgorithmEntry>;
  return {.path = "algorithm",
          .summary = "the algorithms that are compared",
          .array = true,
          .has_parameters = true,
          .keys = {{.name = "kind",
                    .type = KeyType::kind,
                    .meaning = "the algorithm",
                    .values = "`posse list`",
                    .otherwise = "must be given",
                    .required = true,
                    .field = Of::written([](const auto&, const auto& entry) {
                      return toml_string(entry.spec->kind);
                    })},
                   {.name = "label",
                    .type = KeyType::text,
                    .meaning = "its name in results; different for each",
                    .values = "as `name`",
                    .otherwise = "the kind; with `clients`, `kind-clients`",
                    .field = Of::written(
                        [](const auto&, const auto& entry) { return toml_string(entry.label); })},
                   {.name = "clients",
                    .type = KeyType::whole,
                    .meaning = "number of participants, in place of `population.clients`; not for "
                               "functional bandits",
                    .note = "; at most 65 536 in a full mesh",
                    .otherwise = "`population.clients`",
                    .min = 1,
                    .max = 1e8,
                    .field = Of::written([](const auto&, const auto& entry) {
                      return entry.own_clients ? fmt::format("{}", entry.clients) : "";
                    })}}};
}

SectionSpec population_section() {
  using Of = FieldsOf<Scenario>;
  return {.path = "population",
          .summary = "the number of participants",
          .keys = {{.name = "clients",
                    .type = KeyType::whole,
                    .meaning = "number of clients or players",
                    .otherwise =
                        "must be given, except where every algorithm has `clients` or plays arms",
                    .min = 1,
                    .max = 1e8,
                    .field = Of::value(&Scenario::clients)}}};
}

SectionSpec objective_section() {
  using Of = FieldsOf<ProblemConfig>;
  return {
      .path = "objective",
      .summary = "the function to maximise, differences between clients, noise",
      .has_parameters = true,
      .keys = {{.name = "kind",
                .type = KeyType::kind,
                .meaning = "the function to maximise",
                .otherwise = "must be given",
                .required = true,
                .field = Of::written([](const auto&, const auto& problem) {
                  return toml_string(problem.objective.kind);
                })},
               {.name = "heterogeneity",
                .type = KeyType::heterogeneity,
                .meaning = "how the clients' functions differ",
                .note = "; not for `doses` and `landmine`, whose clients differ already",
                .otherwise = "`{ kind = \"none\" }`",
                .field = Of::written([](const auto&, const auto& problem) {
                  return component_toml(problem.heterogeneity);
                })},
               {.name = "noise",
                .type = KeyType::noise,
                .meaning = "how a reward is drawn around f(x)",
                .otherwise = "`{ kind = \"uniform\", half_width = 0.1 }`; `none` for `external`",
                .field = Of::written([](const auto&, const auto& problem) {
                  return component_toml(problem.noise);
                })}}};
}

SectionSpec arm_section() {
  using Of = FieldsOf<ArmEntry>;
  return {.path = "arm",
          .summary = "the arms of functional bandits",
          .array = true,
          .has_parameters = true,
          .keys = {{.name = "kind",
                    .type = KeyType::kind,
                    .meaning = "a family of arms; `rewards` are for the algorithms for heavy tails",
                    .otherwise = "must be given",
                    .required = true,
                    .field = Of::written([](const auto&, const auto& entry) {
                      return toml_string(entry.arms.kind);
                    })}}};
}

SectionSpec budget_section() {
  using Of = FieldsOf<Scenario>;
  return {.path = "budget",
          .summary = "evaluations or pulls",
          .keys = {{.name = "evaluations_per_client",
                    .type = KeyType::whole,
                    .meaning = "evaluations of the objective by each client",
                    .otherwise = "must be given with `[objective]`",
                    .min = 1,
                    .max = 1e12,
                    .field = Of::written([](const auto&, const auto& s) {
                      return s.problem ? fmt::format("{}", s.problem->budget) : "";
                    })},
                   {.name = "pulls",
                    .type = KeyType::whole,
                    .meaning = "pulls of all arms together",
                    .otherwise = "must be given with `[[arm]]`",
                    .min = 1,
                    .max = 1e12,
                    .field = Of::written([](const auto&, const auto& s) {
                      return s.arms ? fmt::format("{}", s.arms->budget) : "";
                    })}}};
}

SectionSpec limits_section() {
  using Of = FieldsOf<Limits>;
  return {.path = "limits",
          .summary = "when a run is given up",
          .keys = {{.name = "virtual_time",
                    .type = KeyType::duration,
                    .meaning = "virtual time",
                    .otherwise = "none",
                    .field = Of::if_unusual(Of::value(&Limits::virtual_time))},
                   {.name = "events",
                    .type = KeyType::whole,
                    .meaning = "events of the simulation",
                    .otherwise = "none",
                    .min = 1,
                    .field = Of::if_unusual(Of::value(&Limits::events))},
                   {.name = "wall_time",
                    .type = KeyType::duration,
                    .meaning = "real time, with the preparation of a run; pauses do not count",
                    .otherwise = "none",
                    .field = Of::if_unusual(Of::value(&Limits::wall_seconds))}}};
}

SectionSpec inputs_section() {
  return {.path = "inputs",
          .summary = "input files that the scenario holds itself",
          .any_key = true,
          .keys = {}};
}

SectionSpec thresholds_section() {
  return {.path = "thresholds",
          .summary = "what the results must keep to",
          .any_key = true,
          .keys = {}};
}

SectionSpec sweep_section() {
  return {.path = "sweep",
          .summary = "keys that vary: for `posse sweep`",
          .any_key = true,
          .keys = {{.name = "lock_step",
                    .type = KeyType::lists,
                    .meaning = "keys that advance together, instead of in all combinations",
                    .values = "lists of keys with equally many values",
                    .otherwise = "none"},
                   {.name = "constraint",
                    .type = KeyType::text,
                    .meaning = "keeps the settings for which it is true (not 0)",
                    .values = "an expression",
                    .otherwise = "all"},
                   {.name = "exclude",
                    .type = KeyType::tables,
                    .meaning = "algorithms that some settings are without",
                    .values = "tables",
                    .otherwise = "none"},
                   {.name = "named",
                    .type = KeyType::table,
                    .meaning = "names for the values of several keys",
                    .values = "tables",
                    .otherwise = "none"}}};
}

SectionSpec exclude_section() {
  return {.path = "sweep.exclude",
          .summary = "algorithms that some settings of a sweep are without",
          .array = true,
          .keys = {{.name = "algorithm",
                    .type = KeyType::labels,
                    .meaning = "which ones",
                    .values = "labels or kinds: one, or a list",
                    .otherwise = "all, and with them the settings"},
                   {.name = "where",
                    .meaning = "the settings",
                    .values = "an expression as in `constraint`, or a table of swept keys, each "
                              "with a value or a list of values",
                    .otherwise = "must be given",
                    .required = true}}};
}

SectionSpec range_section() {
  return {.path = "sweep.*",
          .summary = "a range of values",
          .keys = {{.name = "from",
                    .type = KeyType::amount,
                    .meaning = "the first and the last value",
                    .values = "numbers, or texts with units of one kind",
                    .otherwise = "must be given",
                    .required = true},
                   {.name = "to",
                    .type = KeyType::amount,
                    .meaning = "the first and the last value",
                    .values = "numbers, or texts with units of one kind",
                    .otherwise = "must be given",
                    .required = true},
                   {.name = "steps",
                    .type = KeyType::whole,
                    .meaning = "the number of values",
                    .otherwise = "must be given",
                    .min = 2,
                    .max = 1e5,
                    .required = true},
                   {.name = "scale",
                    .type = KeyType::choice,
                    .meaning = "even steps, or equal ratios",
                    .otherwise = "`\"linear\"`",
                    .choices = {"linear", "log"}},
                   {.name = "whole",
                    .type = KeyType::boolean,
                    .meaning = "rounds to whole numbers, and leaves out repeated ones",
                    .otherwise = "`false`"}}};
}

/// What the key's field knows, if the row says nothing else.
void fill_in(KeySpec& key) {
  if (key.choices.empty()) key.choices = key.field->choices;
  if (!key.otherwise.empty()) return;
  const auto text = key.field->default_toml(key);
  if (!text.empty()) key.otherwise = fmt::format("`{}`", text);
}

}  // namespace

const std::vector<SectionSpec>& scenario_sections() {
  static const std::vector<SectionSpec> all = [] {
    std::vector<SectionSpec> sections{top_section(),
                                      algorithm_section(),
                                      population_section(),
                                      objective_section(),
                                      arm_section(),
                                      budget_section()};
    for (auto& section : network_sections()) sections.push_back(std::move(section));
    for (auto& section : compute_sections()) sections.push_back(std::move(section));
    for (auto* make : {fault_section,
                       limits_section,
                       inputs_section,
                       thresholds_section,
                       sweep_section,
                       exclude_section,
                       range_section})
      sections.push_back(make());
    for (auto& section : sections)
      for (auto& key : section.keys)
        if (key.field) fill_in(key);
    return sections;
  }();
  return all;
}

}  // namespace posse
