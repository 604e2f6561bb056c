#include "actors/fed_pne/setup.hpp"

#include <fmt/format.h>

#include <utility>

#include "actors/common/star.hpp"
#include "actors/common/tree_parameters.hpp"

namespace posse {

theory::FedPneParameters fed_pne_theory_parameters(const Parameters& parameters,
                                                   const ProtocolContext& context) {
  return {
      .clients = context.clients,
      .horizon = context.problem->budget(),
      .nu1 = parameters.real("nu1"),
      .rho = parameters.real("rho"),
      .c = parameters.real("c"),
      .c1 = parameters.real("c1"),
      .delta = parameters.real_or("delta", 1.0 / context.clients),
  };
}

FedPneSetup make_fed_pne_setup(const Parameters& parameters, const ProtocolContext& context) {
  const Problem& problem = *context.problem;
  const bool compact = parameters.boolean("compact_plan");
  FedPneSetup setup{
      .problem = &problem,
      .partition = make_partition(parameters, problem.domain(), context.seed),
      .clients = context.clients,
      .budget = problem.budget(),
      .theory = fed_pne_theory_parameters(parameters, context),
      .privacy = {},
      .trim_last_plan = compact || parameters.boolean("trim_last_plan"),
      .compact_plan = compact,
      .policy = context.policy,
  };
  setup.theory.children_per_cell = setup.partition.children_per_cell();
  return setup;
}

std::vector<ParameterSpec> fed_pne_parameters() {
  auto specs = smoothness_parameters();
  append(specs,
         confidence_parameters(
             "constant in Lambda = ln(c1 T / delta); the theory needs c1 >= (2M)^(1/8)"));
  specs.push_back(
      {.name = "trim_last_plan",
       .type = ParameterType::boolean,
       .default_value = true,
       .help =
           "send only the cells of a cut plan that can still be pulled; decisions are the same"});
  specs.push_back(
      {.name = "compact_plan",
       .type = ParameterType::boolean,
       .default_value = false,
       .help =
           "send one bit for each cell of the previous phase (kept or not) instead of the list of "
           "cells; decisions are the same; needs the server policy \"all\""});
  append(specs, partition_parameters());
  return specs;
}

std::vector<std::string> validate_plans(std::string_view kind,
                                        const Parameters& parameters,
                                        const ProtocolContext& context) {
  std::vector<std::string> problems;
  if (context.problem == nullptr) return problems;
  const auto refuse = [&](std::string problem) {
    problems.push_back(fmt::format("{}: {}", kind, problem));
  };
  if (context.problem->budget() > kLargestBudget)
    refuse(
        fmt::format("at most {} evaluations per client (a number of pulls has 4 bytes), given {}",
                    kLargestBudget,
                    context.problem->budget()));
  for (auto& problem : validate_partition(parameters, context.problem->domain()))
    refuse(std::move(problem));
  return problems;
}

std::vector<std::string> validate_phases(std::string_view kind,
                                         const Parameters& parameters,
                                         const ProtocolContext& context) {
  auto problems = validate_plans(kind, parameters, context);
  if (context.problem == nullptr) return problems;
  const double log_term = theory::fed_pne_log_term(fed_pne_theory_parameters(parameters, context));
  if (!(log_term >= 0))
    problems.push_back(fmt::format(
        "{}: ln(c1 T / delta) must not be negative, it is {}; increase c1", kind, log_term));
  return problems;
}

std::vector<std::string> validate_fed_pne(std::string_view kind,
                                          const Parameters& parameters,
                                          const ProtocolContext& context) {
  auto problems = validate_phases(kind, parameters, context);
  if (parameters.boolean("compact_plan") && context.policy.kind != PolicyKind::all)
    problems.push_back(fmt::format(
        "{}: compact_plan needs the server policy \"all\", not \"{}\": a client that missed a plan "
        "cannot decode the next one",
        kind,
        to_string(context.policy.kind)));
  return problems;
}

}  // namespace posse
