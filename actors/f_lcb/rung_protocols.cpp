// SPDX-License-Identifier: Apache-2.0
// Successive halving, Hyperband and ASHA: arms advance by rungs.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "actors/f_lcb/allocation/asha.hpp"
#include "actors/f_lcb/allocation/rung_allocation.hpp"
#include "actors/f_lcb/functional_bandit.hpp"
#include "actors/f_lcb/protocol.hpp"

namespace posse {
namespace {

ParameterSpec parallel_parameter(std::int64_t default_value) {
  return {.name = "parallel",
          .type = ParameterType::integer,
          .default_value = default_value,
          .help = "pulls under way at once, of different arms or instances",
          .min = 1,
          .max = 65536};
}

ParameterSpec eta_parameter(ParameterType type, ParameterValue default_value, double min) {
  return {.name = "eta",
          .type = type,
          .default_value = std::move(default_value),
          .help = "one in eta arms of a rung is promoted to the next",
          .min = min,
          .max = 1000};
}

ParameterSpec least_parameter() {
  return {.name = "least",
          .type = ParameterType::integer,
          .default_value = std::monostate{},
          .help = "pulls at the lowest rung, r; auto: 1",
          .min = 1,
          .max = 1e15};
}

ParameterSpec longest_parameter(std::string_view help) {
  return {.name = "longest",
          .type = ParameterType::integer,
          .default_value = std::monostate{},
          .help = help,
          .min = 1,
          .max = 1e15};
}

std::uint32_t parallel_of(const Parameters& parameters) {
  return static_cast<std::uint32_t>(parameters.integer("parallel"));
}

/// Halving and Hyperband.
class RungBandit final : public FunctionalBandit {
 public:
  RungBandit(const ArmSet& arms, const RungPlan& plan, std::uint32_t parallel, Seed seed)
      : FunctionalBandit(arms,
                         plan.pulls(),
                         PullPace::steady(parallel),
                         [&arms, plan, parallel, seed] {
                           return std::make_unique<RungAllocation>(
                               arms.size(), plan, parallel, seed);
                         }),
        plan_(plan) {}

  std::string allocation() const override { return plan_.text(); }

 private:
  RungPlan plan_;
};
std::uint64_t least_of(const Parameters& parameters) {
  return parameters.is_auto("least") ? 1 : static_cast<std::uint64_t>(parameters.integer("least"));
}

/// least and longest, where longest is given.
std::optional<std::pair<std::uint64_t, std::uint64_t>> rungs_of(const Parameters& parameters) {
  if (parameters.is_auto("longest")) return std::nullopt;
  return std::pair(least_of(parameters), static_cast<std::uint64_t>(parameters.integer("longest")));
}

std::optional<std::string> wrong_rungs(const Parameters& parameters) {
  const auto rungs = rungs_of(parameters);
  if (!rungs || rungs->first <= rungs->second) return std::nullopt;
  return fmt::format(
      "least = {} is more than longest = {}; allowed: at most that", rungs->first, rungs->second);
}

RungPlan halving_plan(const Parameters& parameters, const ArmSet& arms) {
  const auto rungs = rungs_of(parameters);
  if (!rungs) return halving_of_budget(arms.size(), arms.budget);
  const double eta = parameters.is_auto("eta") ? 2.0 : parameters.real("eta");
  return halving_to(arms.size(), eta, rungs->first, rungs->second);
}

std::vector<std::string> validate_halving(const Parameters& parameters,
                                          const ProtocolContext& context) {
  auto problems = require_functions(parameters, context);
  const ArmSet& arms = *context.arms;
  if (!rungs_of(parameters)) {
    for (const auto* key : {"eta", "least"})
      if (!parameters.is_auto(key))
        problems.push_back(fmt::format("{} has no effect without longest", key));
  } else if (const auto wrong = wrong_rungs(parameters)) {
    problems.push_back(*wrong);
  } else if (const auto plan = halving_plan(parameters, arms); plan.pulls() > arms.budget) {
    problems.push_back(
        fmt::format("the rungs take {} pulls ({}), budget.pulls = {}; allowed: a budget of at "
                    "least {}, or a smaller longest",
                    plan.pulls(),
                    plan.text(),
                    arms.budget,
                    plan.pulls()));
  }
  return problems;
}

bool is_of_2025(const Parameters& parameters) { return parameters.text("schedule") == "dorn2025"; }

/// Nothing if no round of brackets fits in the budget.
std::optional<RungPlan> hyperband_plan(const Parameters& parameters, std::uint64_t budget) {
  const double eta = parameters.real("eta");
  if (is_of_2025(parameters)) return hyperband_of_2025(eta, budget);
  if (const auto rungs = rungs_of(parameters))
    return hyperband_to(eta, rungs->first, rungs->second, budget);
  const std::uint64_t least = least_of(parameters);
  const auto longest = hyperband_longest(eta, least, budget);
  if (!longest) return std::nullopt;
  return hyperband_to(eta, least, *longest, budget);
}

/// What is wrong with a budget in which no round of brackets fits.
std::string wrong_budget(const Parameters& parameters, std::uint64_t budget) {
  const double eta = parameters.real("eta");
  const std::uint64_t least = least_of(parameters);
  const auto longest =
      parameters.is_auto("longest") ? hyperband_shortest(eta, least) : rungs_of(parameters)->second;
  const auto needed = hyperband_to(eta, least, longest, 0).pulls();
  auto problem = fmt::format(
      "a round of brackets up to {} pulls of an instance takes {} pulls, "
      "budget.pulls = {}; allowed: at least {}",
      longest,
      needed,
      budget,
      needed);
  if (const auto fits = hyperband_longest(eta, least, budget))
    problem += fmt::format(
        ", or longest = {} ({} pulls)", *fits, hyperband_to(eta, least, *fits, 0).pulls());
  return problem;
}

std::vector<std::string> validate_hyperband(const Parameters& parameters,
                                            const ProtocolContext& context) {
  auto problems = require_functions(parameters, context);
  const std::uint64_t budget = context.arms->budget;
  if (is_of_2025(parameters)) {
    for (const auto* key : {"least", "longest"})
      if (!parameters.is_auto(key))
        problems.push_back(fmt::format("{} has no effect with schedule = \"dorn2025\"", key));
    const std::uint64_t pulls = hyperband_plan(parameters, budget)->pulls();
    if (pulls > 2 * budget)
      problems.push_back(fmt::format(
          "with eta = {} and a budget of {} pulls the brackets take {}: raise eta or the budget",
          parameters.real("eta"),
          budget,
          pulls));
  } else if (const auto wrong = wrong_rungs(parameters)) {
    problems.push_back(*wrong);
  } else if (const auto plan = hyperband_plan(parameters, budget);
             !plan || plan->pulls() > budget) {
    problems.push_back(wrong_budget(parameters, budget));
  }
  return problems;
}
}  // namespace

const AlgorithmSpec& successive_halving_algorithm() {
  static const AlgorithmSpec spec = [] {
    auto eta = eta_parameter(ParameterType::real, std::monostate{}, 1.1);
    eta.help = "one in eta arms of a rung reaches the next; auto: 2";
    AlgorithmSpec s = functional_spec(
        "successive-halving",
        "functional bandit: rungs of equal pulls, after each the worse half of the arms is dropped",
        "Jamieson & Talwalkar (2016), as Dorn et al. (2025), section 5.4, run it",
        {std::move(eta),
         least_parameter(),
         longest_parameter(
             "pulls at the highest rung, R; auto: every rung has an equal share of the "
             "budget, and the last arm what is left"),
         parallel_parameter(1)},
        [](const Parameters& parameters,
           const ProtocolContext& context) -> std::unique_ptr<Protocol> {
          return std::make_unique<RungBandit>(*context.arms,
                                              halving_plan(parameters, *context.arms),
                                              parallel_of(parameters),
                                              context.seed);
        });
    s.validate = validate_halving;
    return s;
  }();
  return spec;
}

const AlgorithmSpec& hyperband_algorithm() {
  static const AlgorithmSpec spec = [] {
    AlgorithmSpec s = functional_spec(
        "hyperband",
        "functional bandit: brackets of successive halving, from many short runs to few long ones",
        "Li, Jamieson, DeSalvo, Rostamizadeh & Talwalkar (2018)",
        {eta_parameter(ParameterType::real, 2.0, 1.1),
         least_parameter(),
         longest_parameter("pulls at the highest rung, R; auto: the most with which a round of "
                           "brackets fits in the budget"),
         {.name = "schedule",
          .type = ParameterType::text,
          .default_value = std::string("whole-rounds"),
          .help = "whole-rounds: as many rounds of all brackets as fit in the budget; dorn2025: "
                  "one round, as Dorn et al. (2025), section 5.4, ran it, which may exceed the "
                  "budget",
          .choices = {"whole-rounds", "dorn2025"}},
         parallel_parameter(1)},
        [](const Parameters& parameters,
           const ProtocolContext& context) -> std::unique_ptr<Protocol> {
          const ArmSet& arms = *context.arms;
          return std::make_unique<RungBandit>(arms,
                                              *hyperband_plan(parameters, arms.budget),
                                              parallel_of(parameters),
                                              context.seed);
        });
    s.validate = validate_hyperband;
    return s;
  }();
  return spec;
}

const AlgorithmSpec& asha_algorithm() {
  static const AlgorithmSpec spec = functional_spec(
      "asha",
      "functional bandit: asynchronous successive halving",
      "Li, Jamieson, Rostamizadeh et al., A system for massively parallel hyperparameter tuning "
      "(MLSys 2020)",
      {eta_parameter(ParameterType::integer, std::int64_t{2}, 2), parallel_parameter(4)},
      [](const Parameters& parameters,
         const ProtocolContext& context) -> std::unique_ptr<Protocol> {
        const ArmSet& arms = *context.arms;
        const auto parallel = parallel_of(parameters);
        const auto eta = static_cast<std::uint32_t>(parameters.integer("eta"));
        return std::make_unique<FunctionalBandit>(
            arms, arms.budget, PullPace::steady(parallel), [=, &arms] {
              return std::make_unique<Asha>(arms.size(), arms.budget, eta, parallel);
            });
      });
  return spec;
}
}  // namespace posse
