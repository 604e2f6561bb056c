// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne/setup.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "actors/common/mean_parameters.hpp"
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
      .means = mean_encoding_of(parameters),
      .hierarchy = {context.clients, static_cast<std::uint32_t>(parameters.integer("edges"))},
      .sums = parameters.text("sums") == "exact" ? EdgeSummation::exact : EdgeSummation::gathered,
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
  append(specs, mean_encoding_parameters());
  specs.push_back({.name = "edges",
                   .type = ParameterType::integer,
                   .default_value = std::int64_t{0},
                   .help =
                       "edges between the server and the clients, each with a block of clients: "
                       "they hand on plans and gather uploads; 0: the server talks to the "
                       "clients; needs the server policy \"all\"",
                   .min = 0,
                   .max = 1'000'000});
  specs.push_back({.name = "sums",
                   .type = ParameterType::text,
                   .default_value = std::string("gathered"),
                   .help = "an edge sends its clients' means unsummed (gathered), and the server "
                           "adds them in the order of clients; or their exact sums, of 16 bytes a "
                           "cell. Either way gives the same decisions with any number of edges",
                   .choices = {"gathered", "exact"}});
  append(specs, partition_parameters());
  return specs;
}

std::vector<std::string> lambda_errors(std::string_view kind,
                                       const Parameters& parameters,
                                       const ProtocolContext& context) {
  if (context.problem == nullptr) return {};
  const double log_term = theory::fed_pne_log_term(fed_pne_theory_parameters(parameters, context));
  if (log_term >= 0) return {};
  return {fmt::format(
      "{}: ln(c1 T / delta) must not be negative, it is {}; increase c1", kind, log_term)};
}

std::vector<std::string> validate_plans(std::string_view kind,
                                        const Parameters& parameters,
                                        const ProtocolContext& context) {
  auto problems = budget_errors(kind, context);
  append(problems, partition_errors(kind, parameters, context));
  return problems;
}

std::vector<std::string> validate_phases(std::string_view kind,
                                         const Parameters& parameters,
                                         const ProtocolContext& context) {
  auto problems = validate_plans(kind, parameters, context);
  append(problems, lambda_errors(kind, parameters, context));
  return problems;
}

std::vector<std::string> edge_errors(std::string_view kind,
                                     const Parameters& parameters,
                                     const ProtocolContext& context) {
  std::vector<std::string> problems;
  const auto edges = parameters.integer("edges");
  if (edges > std::int64_t{context.clients})
    problems.push_back(fmt::format(
        "{}: edges = {}, but an edge needs a client: at most {}", kind, edges, context.clients));
  if (edges > 0 && context.policy.kind != PolicyKind::all)
    problems.push_back(fmt::format(
        "{}: edges need the server policy \"all\", not \"{}\": an edge waits for all its clients",
        kind,
        to_string(context.policy.kind)));
  if (parameters.text("sums") != "exact") return problems;
  if (context.policy.kind != PolicyKind::all)
    problems.push_back(
        fmt::format("{}: sums = \"exact\" needs the server policy \"all\", not \"{}\"",
                    kind,
                    to_string(context.policy.kind)));
  if (context.policy.aggregate != Aggregate::mean)
    problems.push_back(
        fmt::format("{}: sums = \"exact\" needs the aggregate \"mean\": a sum does not tell the "
                    "{}; use \"gathered\"",
                    kind,
                    to_string(context.policy.aggregate)));
  if (context.clients > kMostExactClients)
    problems.push_back(fmt::format("{}: sums = \"exact\" is made for at most {} clients, given {}",
                                   kind,
                                   kMostExactClients,
                                   context.clients));
  return problems;
}

std::vector<std::string> validate_fed_pne(std::string_view kind,
                                          const Parameters& parameters,
                                          const ProtocolContext& context) {
  auto problems = validate_phases(kind, parameters, context);
  append(problems, mean_encoding_errors(kind, parameters));
  if (parameters.boolean("compact_plan") && context.policy.kind != PolicyKind::all)
    problems.push_back(fmt::format(
        "{}: compact_plan needs the server policy \"all\", not \"{}\": a client that missed a plan "
        "cannot decode the next one",
        kind,
        to_string(context.policy.kind)));
  append(problems, edge_errors(kind, parameters, context));
  return problems;
}

}  // namespace posse
