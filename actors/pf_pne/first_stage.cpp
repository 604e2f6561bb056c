// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne/first_stage.hpp"

#include <algorithm>
#include <cstdint>

#include "actors/common/common_measurements.hpp"
#include "actors/common/traffic.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/fed_pne/bounds.hpp"
#include "actors/fed_pne/setup.hpp"
#include "actors/pf_pne/messages.hpp"

namespace posse {
namespace {

constexpr MessageFormat kSurvivorsFormat{
    Survivors::kName, Direction::down, {.bytes = 16}, {.bytes = 16, .values = 2}};
constexpr MessageFormat kPfPneMeansFormat{
    LocalMeans::kName, Direction::up, {.bytes = 8}, {.bytes = 8, .values = 1}};

std::uint64_t rounds_ceiling(const PfPneSetup& setup) {
  return theory::pf_pne_rounds_ceiling(setup.theory, setup.partition.max_depth());
}

}  // namespace

PfPneSetup make_first_stage_setup(const Parameters& parameters, const ProtocolContext& context) {
  const Problem& problem = *context.problem;
  PfPneSetup setup{
      .problem = &problem,
      .partition = make_partition(parameters, problem.domain(), context.seed),
      .clients = context.clients,
      .budget = problem.budget(),
      .theory = {.federation = fed_pne_theory_parameters(parameters, context),
                 .max_difference = parameters.real("max_difference")},
      .shared_depth = std::nullopt,
      .policy = context.policy,
  };
  setup.theory.federation.children_per_cell = setup.partition.children_per_cell();
  setup.shared_depth = theory::pf_pne_shared_depth(setup.theory, setup.partition.max_depth());
  return setup;
}

ParameterSpec max_difference_parameter() {
  return {.name = "max_difference",
          .default_value = 0.01,
          .help =
              "Delta: known bound on the difference between the maximum of a client and that "
              "of the mean; clients search together while nu1 rho^h >= Delta",
          .min = 0,
          .max = 1e100};
}

std::vector<std::string> validate_first_stage(std::string_view kind,
                                              const Parameters& parameters,
                                              const ProtocolContext& context) {
  auto problems = lambda_errors(kind, parameters, context);
  append(problems, partition_errors(kind, parameters, context));
  return problems;
}

void add_first_stage(const PfPneSetup& setup,
                     const RunOutcome& outcome,
                     bool all_answered,
                     std::vector<Measurement>& measurements) {
  measurements.push_back(
      rounds_within(outcome,
                    ceiling(static_cast<double>(rounds_ceiling(setup)),
                            "min(H0 + 1, floor(ln(T M nu1^2 / (k c^2 Lambda)) / (2 "
                            "ln(1/rho))) + 1, 1 + (T - 1) / k)")));
  measurements.push_back({"H0, deepest depth searched together",
                          "",
                          setup.shared_depth ? static_cast<double>(*setup.shared_depth) : -1,
                          std::nullopt});
  const double clients = setup.clients;
  TypeTraffic means(kPfPneMeansFormat);
  TypeTraffic survivors(kSurvivorsFormat);
  for (const auto& level : outcome.rounds) {
    means.add(clients, clients * static_cast<double>(level.active_cells));
    survivors.add(clients, clients * static_cast<double>(level.kept_cells));
  }
  Traffic{means, survivors}.measure(
      outcome,
      {.messages = "2 M per complete level of stage 1, none in stage 2",
       .values_up = "M sum |K^h| over stage 1",
       .values_down = "2 M sum |kept cells| over stage 1",
       .payload_up = "M sum (8 + 8 |K^h|) over stage 1",
       .payload_down = "M sum (16 + 16 |kept cells|) over stage 1"},
      all_answered,
      measurements);
}

Forecast first_stage_forecast(const PfPneSetup& setup) {
  const double clients = setup.clients;
  const double budget = static_cast<double>(setup.budget);
  Forecast forecast;
  forecast.evaluations = clients * budget;
  forecast.rounds = static_cast<double>(rounds_ceiling(setup));
  forecast.messages = 2 * clients * forecast.rounds;
  double level = 1;  // k^h
  double cells = 0;  // of all complete levels
  for (std::uint64_t h = 0; h < rounds_ceiling(setup); ++h) {
    // A complete level pulls every cell t_h >= 1 times within T.
    cells += std::min(level,
                      budget / static_cast<double>(theory::fed_pne_pulls(
                                   setup.theory.federation, static_cast<std::uint32_t>(h))));
    level *= setup.partition.children_per_cell();
  }
  cells = std::min(cells, budget);
  forecast.bytes =
      clients *
      (forecast.rounds * (kSurvivorsFormat.bytes(0) + kPfPneMeansFormat.bytes(0)) + 24 * cells);
  return forecast;
}

}  // namespace posse
