// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/checks.hpp"

#include <algorithm>

#include "program/base/quantities.hpp"

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
    spec.choices.push_back(kQuantities[q].name);
  return spec;
}

ParameterSpec share_parameter(std::string_view name, double usual, std::string_view help) {
  return {.name = name, .default_value = usual, .help = help, .min = 0, .max = 1, .max_open = true};
}
ParameterSpec after_share() {
  return share_parameter(
      "after", 0.5, "share of the run's evaluations or pulls after which it is looked at");
}

}  // namespace

// The order is that of docs/claims.md.
const std::vector<CheckSpec>& check_specs() {
  static const std::vector<CheckSpec> all{
      {.kind = "below",
       .summary = "the first algorithm has less than the second",
       .parameters = {any_measure(), label_of_less(), label_of_more()},
       .make = [](const Parameters& p) -> Check {
         return Below{p.text("measure"), p.text("first"), p.text("second")};
       }},
      {.kind = "smallest",
       .summary = "the algorithm has less than every other",
       .parameters = {any_measure(), label_parameter()},
       .make = [](const Parameters& p) -> Check {
         return Smallest{p.text("measure"), p.text("algorithm")};
       }},
      {.kind = "similar",
       .summary = "the two differ by at most a share of the larger mean",
       .parameters = {any_measure(),
                      label_of_two("first"),
                      label_of_two("second"),
                      {.name = "share",
                       .default_value = Similar{}.share,
                       .help = "of the larger mean",
                       .min = 0,
                       .max = 1}},
       .make = [](const Parameters& p) -> Check {
         return Similar{p.text("measure"), p.text("first"), p.text("second"), p.real("share")};
       }},
      {.kind = "lower-curve",
       .summary = "over the whole run, by the geometric mean over logarithmic time, the first "
                  "algorithm has less regret than the second",
       .parameters = {any_regret(), label_of_less(), label_of_more()},
       .make = [](const Parameters& p) -> Check {
         return LowerCurve{p.text("measure"), p.text("first"), p.text("second")};
       }},
      {.kind = "sublinear",
       .summary =
           "over the last decade of evaluations the regret grows as a power of these with an "
           "exponent below 0.9",
       .parameters = {any_regret(), label_parameter()},
       .make = [](const Parameters& p) -> Check {
         return Sublinear{p.text("measure"), p.text("algorithm")};
       }},
      {.kind = "fewer-evaluations",
       .summary =
           "the first algorithm needs fewer evaluations per client than the second to end the "
           "deepest round that both end in every repetition",
       .parameters = {label_of_less(),
                      label_of_more(),
                      {.name = "factor",
                       .default_value = FewerEvaluations{}.factor,
                       .help = "at least this many times fewer",
                       .min = 0,
                       .min_open = true}},
       .make = [](const Parameters& p) -> Check {
         return FewerEvaluations{p.text("first"), p.text("second"), p.real("factor")};
       }},
      {.kind = "keeps-sending",
       .summary = "in every repetition messages are sent after a share of the budget",
       .parameters = {label_parameter(), after_share()},
       .make = [](const Parameters& p) -> Check {
         return SendsLate{p.text("algorithm"), true, p.real("after")};
       }},
      {.kind = "stops-sending",
       .summary = "in no repetition is a message sent after a share of the budget",
       .parameters = {label_parameter(), after_share()},
       .make = [](const Parameters& p) -> Check {
         return SendsLate{p.text("algorithm"), false, p.real("after")};
       }},
      {.kind = "within-bound",
       .summary = "a measurement is within its theoretical bound in every repetition",
       .parameters = {required_text("measurement",
                                    "its name as a run prints it, such as simple regret"),
                      label_parameter()},
       .make = [](const Parameters& p) -> Check {
         return WithinBound{p.text("measurement"), p.text("algorithm")};
       }},
      {.kind = "plateau",
       .summary =
           "after a given share of the pulls a functional bandit's regret grows by at most a "
           "given share of its final value",
       .parameters = {any_regret(),
                      label_parameter(),
                      after_share(),
                      share_parameter("share", Plateau{}.share, "of the regret at the end")},
       .make = [](const Parameters& p) -> Check {
         return Plateau{p.text("measure"), p.text("algorithm"), p.real("after"), p.real("share")};
       },
       .of_arms = true},
      {.kind = "most-pulled",
       .summary =
           "a functional bandit gives the arm more pulls than any other, or more than a share",
       .parameters = {label_parameter(),
                      arm_parameter(),
                      share_parameter("share", 0, "of all pulls; 0: more than any other arm")},
       .make = [](const Parameters& p) -> Check {
         return MostPulled{p.text("algorithm"), p.text("arm"), p.real("share")};
       },
       .of_arms = true},
      {.kind = "answers",
       .summary = "the arm is a functional bandit's answer in every repetition",
       .parameters = {label_parameter(), arm_parameter()},
       .make = [](const Parameters& p) -> Check {
         return Answers{p.text("algorithm"), p.text("arm")};
       },
       .of_arms = true},
      {.kind = "reaches",
       .summary = "the value of a functional bandit's answer is at most this",
       .parameters = {label_parameter(),
                      {.name = "value",
                       .default_value = 0.0,
                       .help = "the largest value that agrees",
                       .required = true}},
       .make = [](const Parameters& p) -> Check {
         return Reaches{p.text("algorithm"), p.real("value")};
       },
       .of_arms = true},
      {.kind = "lower-rank",
       .summary = "the answers of the first functional bandit have the better mean rank",
       .parameters = {label_parameter("first", "label of the algorithm with the better answers"),
                      label_parameter("second", "label of the other")},
       .make = [](const Parameters& p) -> Check {
         return LowerRank{p.text("first"), p.text("second")};
       },
       .of_arms = true},
      {.kind = "logarithmic-rounds",
       .summary = "over the settings of a sweep, rounds grow as the logarithm of the evaluations",
       .parameters = {label_parameter(),
                      {.name = "per_client",
                       .type = ParameterType::boolean,
                       .default_value = Logarithmic{}.per_client,
                       .help = "of the evaluations per client, not of those of all clients"}},
       .make = [](const Parameters& p) -> Check {
         return Logarithmic{p.text("algorithm"), p.boolean("per_client")};
       },
       .of_settings = true},
      {.kind = "power-law",
       .summary =
           "over the settings of a sweep, a measure grows at most as a power of a key, give or "
           "take 0.1 in the exponent",
       .parameters = {any_measure(),
                      label_parameter(),
                      required_text("key", "a swept key with numbers, such as budget.pulls"),
                      {.name = "exponent",
                       .default_value = 0.0,
                       .help = "of the power; below 0 for a fall",
                       .required = true}},
       .make = [](const Parameters& p) -> Check {
         return PowerLaw{p.text("measure"), p.text("algorithm"), p.text("key"), p.real("exponent")};
       },
       .of_settings = true},
  };
  return all;
}

const CheckSpec* find_check_spec(std::string_view kind) {
  const auto& all = check_specs();
  const auto it = std::find_if(
      all.begin(), all.end(), [&](const CheckSpec& spec) { return spec.kind == kind; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace posse
