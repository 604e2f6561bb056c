// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/checks.hpp"

#include <algorithm>

#include "program/base/quantities.hpp"
#include "program/reproduce/judging.hpp"

namespace posse {
namespace {

ParameterSpec required_text(std::string_view name, std::string_view help) {
  return {.name = name,
          .type = ParameterType::text,
          .default_value = std::string(),
          .help = help,
          .required = true};
}

ParameterSpec label_parameter(std::string_view name = "algorithm",
                              std::string_view help = "label of an algorithm") {
  return required_text(name, help);
}
ParameterSpec label_of_less() {
  return label_parameter("first", "label of the algorithm with less");
}
ParameterSpec label_of_more() {
  return label_parameter("second", "label of the algorithm with more");
}
ParameterSpec label_of_two(std::string_view name) {
  return label_parameter(name, "label of one of the two algorithms");
}
ParameterSpec arm_parameter() { return required_text("arm", "name of an arm"); }

ParameterSpec any_measure() {
  auto spec = required_text("measure", "measure, at the end of the runs");
  for (const auto& known : kQuantities) spec.choices.push_back(known.name);
  return spec;
}
/// One of those that have curves over a run.
ParameterSpec any_regret() {
  auto spec = required_text("measure", "regret, over the whole run");
  for (std::size_t q = 0; q < kQuantitiesWithCurves; ++q)
    spec.choices.push_back(quantity_at(q).name);
  return spec;
}

ParameterSpec swept_key() {
  return required_text("key",
                       "a swept key with numbers, such as budget.pulls, or with lists, which count "
                       "by their lengths");
}

ParameterSpec share_parameter(std::string_view name, double usual, std::string_view help) {
  return {.name = name, .default_value = usual, .help = help, .min = 0, .max = 1, .max_open = true};
}
ParameterSpec after_share() {
  return share_parameter(
      "after", 0.5, "share of the run's evaluations or pulls after which it is looked at");
}

/// A check of a single run.
template <Judgement (*judge)(const Parameters&, const RunData&)>
Judgement of_run(const Parameters& check, const Settings& settings) {
  return judge(check, settings.front());
}

}  // namespace

// The order is that of docs/claims.md.
const std::vector<CheckSpec>& check_specs() {
  static const std::vector<CheckSpec> all{
      {.kind = "below",
       .summary = "the first algorithm has less than the second",
       .parameters = {any_measure(), label_of_less(), label_of_more()},
       .judge = of_run<judge_below>},
      {.kind = "smallest",
       .summary = "the algorithm has less than every other",
       .parameters = {any_measure(), label_parameter()},
       .judge = of_run<judge_smallest>},
      {.kind = "similar",
       .summary = "the two differ by at most a share of the larger mean",
       .parameters = {any_measure(),
                      label_of_two("first"),
                      label_of_two("second"),
                      {.name = "share",
                       .default_value = 0.1,
                       .help = "of the larger mean",
                       .min = 0,
                       .max = 1}},
       .judge = of_run<judge_similar>},
      {.kind = "lower-curve",
       .summary = "over the whole run, by the geometric mean over logarithmic time, the first "
                  "algorithm has less regret than the second",
       .parameters = {any_regret(), label_of_less(), label_of_more()},
       .judge = of_run<judge_lower_curve>},
      {.kind = "sublinear",
       .summary =
           "over the last decade of evaluations the regret grows as a power of these with an "
           "exponent below 0.9",
       .parameters = {any_regret(), label_parameter()},
       .judge = of_run<judge_sublinear>},
      {.kind = "fewer-evaluations",
       .summary =
           "the first algorithm needs fewer evaluations per client than the second to end the "
           "deepest round that both end in every repetition",
       .parameters = {label_of_less(),
                      label_of_more(),
                      {.name = "factor",
                       .default_value = 0.0,
                       .help = "at least this many times fewer",
                       .min = 1,
                       .min_open = true,
                       .required = true}},
       .judge = of_run<judge_fewer_evaluations>},
      {.kind = "keeps-sending",
       .summary = "in every repetition messages are sent after a share of the budget",
       .parameters = {label_parameter(), after_share()},
       .judge = of_run<judge_keeps_sending>},
      {.kind = "stops-sending",
       .summary = "in no repetition is a message sent after a share of the budget",
       .parameters = {label_parameter(), after_share()},
       .judge = of_run<judge_stops_sending>},
      {.kind = "within-bound",
       .summary = "a measurement is within its theoretical bound in every repetition",
       .parameters = {required_text("measurement",
                                    "its name as a run prints it, such as simple regret"),
                      label_parameter()},
       .judge = of_run<judge_within_bound>},
      {.kind = "plateau",
       .summary =
           "after a given share of the pulls a functional bandit's regret grows by at most a "
           "given share of its final value",
       .parameters = {any_regret(),
                      label_parameter(),
                      after_share(),
                      share_parameter("share", 0.05, "of the regret at the end")},
       .judge = of_run<judge_plateau>,
       .of_arms = true},
      {.kind = "most-pulled",
       .summary = "a functional bandit gives the arm at least a share of its pulls",
       .parameters = {label_parameter(),
                      arm_parameter(),
                      {.name = "share",
                       .default_value = 0.0,
                       .help = "of all pulls",
                       .min = 0,
                       .max = 1,
                       .min_open = true,
                       .max_open = true,
                       .required = true}},
       .judge = of_run<judge_most_pulled>,
       .of_arms = true},
      {.kind = "answers",
       .summary = "the arm is a functional bandit's answer in every repetition",
       .parameters = {label_parameter(), arm_parameter()},
       .judge = of_run<judge_answers>,
       .of_arms = true},
      {.kind = "reaches",
       .summary = "the value of a functional bandit's answer is at most this, and at least another",
       .parameters = {label_parameter(),
                      {.name = "value",
                       .default_value = 0.0,
                       .help = "the largest value that agrees",
                       .required = true},
                      {.name = "least",
                       .default_value = {},
                       .help =
                           "the smallest value that agrees, such as the smallest minimum; auto: "
                           "any"}},
       .judge = of_run<judge_reaches>,
       .of_arms = true},
      {.kind = "lower-rank",
       .summary = "the answers of the first functional bandit have the better mean rank",
       .parameters = {label_parameter("first", "label of the algorithm with the better answers"),
                      label_parameter("second", "label of the other")},
       .judge = of_run<judge_lower_rank>,
       .of_arms = true},
      {.kind = "logarithmic-rounds",
       .summary =
           "over the settings of a sweep, rounds grow as the logarithm of the evaluations, or of a "
           "key: by between 0 and a given number per unit, over the half of its range with more "
           "rounds",
       .parameters = {label_parameter(),
                      {.name = "slope",
                       .default_value = 0.0,
                       .help = "the largest number of rounds per unit that agrees, such as the "
                               "slope of the paper's ceiling; below 0 for a fall",
                       .required = true},
                      {.name = "key",
                       .type = ParameterType::text,
                       .default_value = {},
                       .help = "a swept key with numbers; auto: the evaluations"},
                      {.name = "per_client",
                       .type = ParameterType::boolean,
                       .default_value = false,
                       .help = "of the evaluations per client, not of those of all clients"}},
       .judge = judge_logarithmic_rounds,
       .of_settings = true},
      {.kind = "power-law",
       .summary =
           "over the settings of a sweep, a measure grows at most as a power of a key, give or "
           "take a little in the exponent, and at least as another",
       .parameters = {any_measure(),
                      label_parameter(),
                      swept_key(),
                      {.name = "exponent",
                       .default_value = 0.0,
                       .help = "of the power; below 0 for a fall",
                       .required = true},
                      {.name = "least",
                       .default_value = 0.0,
                       .help =
                           "the smallest exponent that agrees: below it the settings show another "
                           "rate than the claimed one, although its bound holds",
                       .required = true},
                      {.name = "tolerance",
                       .default_value = 0.1,
                       .help = "what the exponent may be above the claimed one",
                       .min = 0},
                      {.name = "lower",
                       .default_value = {},
                       .help = "exponent of the paper's lower bound, a line in the picture; auto: "
                               "none"}},
       .judge = judge_power_law,
       .of_settings = true},
      {.kind = "rises",
       .summary =
           "over the settings of a sweep, a measure at the largest value of a key is at least a "
           "given number of times that at the smallest",
       .parameters = {any_measure(),
                      label_parameter(),
                      swept_key(),
                      {.name = "factor",
                       .default_value = 1.0,
                       .help = "the smallest ratio that agrees",
                       .min = 0,
                       .min_open = true}},
       .judge = judge_rises,
       .of_settings = true},
  };
  return all;
}

Judgement judge(const Check& check, const std::vector<RunData>& settings) {
  return check.spec->judge(check.parameters, settings);
}

const CheckSpec* find_check_spec(std::string_view kind) {
  const auto& all = check_specs();
  const auto it = std::find_if(
      all.begin(), all.end(), [&](const CheckSpec& spec) { return spec.kind == kind; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace posse
