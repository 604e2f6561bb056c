// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne_reuse/protocol.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>

#include "actors/common/common_measurements.hpp"
#include "actors/common/make_from_setup.hpp"
#include "actors/common/star_protocol.hpp"
#include "actors/common/traffic.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/fed_pne/setup.hpp"
#include "actors/pf_pne_reuse/client.hpp"
#include "actors/pf_pne_reuse/messages.hpp"
#include "actors/pf_pne_reuse/server.hpp"
#include "actors/pf_pne_reuse/setup.hpp"
#include "core/role/outcome.hpp"

namespace posse {
namespace {

constexpr MessageFormat kReusePlanFormat{
    PhasePlan::kName, Direction::down, {.bytes = 16}, {.bytes = 8, .values = 2}};
constexpr MessageFormat kSpreadMeansFormat{
    SpreadMeans::kName, Direction::up, {.bytes = 16, .values = 1}, {.bytes = 8, .values = 1}};

PfPneReuseSetup make_pf_pne_reuse_setup(const Parameters& parameters,
                                        const ProtocolContext& context) {
  const Problem& problem = *context.problem;
  return {.problem = &problem,
          .partition = make_partition(parameters, problem.domain(), context.seed),
          .clients = context.clients,
          .budget = problem.budget(),
          .theory = {.clients = context.clients,
                     .horizon = problem.budget(),
                     .nu1 = parameters.real("nu1"),
                     .rho = parameters.real("rho"),
                     .c = parameters.real("c"),
                     .confidence = parameters.text("confidence") == "level"
                                       ? theory::Confidence::level
                                       : theory::Confidence::horizon,
                     .c1 = parameters.real("c1"),
                     .delta = parameters.real_or("delta", 1.0 / context.clients)},
          .together = parameters.boolean("together")};
}

class PfPneReuse final : public StarProtocol<PfPneReuseSetup, PfPneReuseServer, PfPneReuseClient> {
 public:
  using StarProtocol::StarProtocol;

  ComparisonFacts comparison_facts() const override {
    return {.widths = federated_widths(setup_.theory.c)};
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    const auto& rounds = outcome.rounds;
    const double depth = rounds.empty() ? 0 : rounds.back().best->depth;
    std::vector<Measurement> measurements;
    measurements.push_back(rounds_within(
        outcome,
        ceiling(rounds_ceiling(), "min(T / 2, sum over depths of 1 + ceil(log2 t_h)), t_h <= T")));
    measurements.push_back({"deepest depth searched together", "", depth, std::nullopt});
    add_communication(outcome, measurements);
    add_personal_regrets(*setup_.problem, outcome, std::nullopt, measurements);
    add_own_searches(*setup_.problem,
                     setup_.partition,
                     outcome,
                     "deepest cell that a client split, mean",
                     measurements);
    return measurements;
  }

  Forecast forecast() const override {
    // Every cell of a plan costs at least one pull, except in the last plan.
    const auto budget = static_cast<double>(setup_.budget);
    const double rounds = rounds_ceiling();
    const Traffic most = traffic(rounds, budget, budget);
    return {setup_.clients * budget, rounds, most.messages(), most.bytes()};
  }

 private:
  /// A round pulls at least two cells and doubles the pulls per cell of its level.
  double rounds_ceiling() const {
    if (!setup_.together || setup_.clients == 1) return 0;
    double rounds = 0;
    for (std::uint32_t h = 1; h <= setup_.partition.max_depth(); ++h) {
      const std::uint64_t tau = theory::reuse_tau(setup_.theory, theory::Stake::together, h);
      const std::uint64_t pulls = std::min(setup_.budget, 1 + (tau - 1) / setup_.clients);
      rounds += static_cast<double>(1 + std::bit_width(pulls - 1));
    }
    return std::min(rounds, std::floor(static_cast<double>(setup_.budget) / 2));
  }

  /// `cells`: of all rounds. `last`: of the plan after them, 0 if there is none.
  Traffic traffic(double rounds, double cells, double last) const {
    const double clients = setup_.clients;
    const double plans = rounds + (last > 0 ? 1 : 0);
    return {{kReusePlanFormat, clients * plans, clients * (cells + last)},
            {kSpreadMeansFormat, clients * rounds, clients * cells}};
  }

  void add_communication(const RunOutcome& outcome, std::vector<Measurement>& measurements) const {
    const auto cells = static_cast<double>(outcome.active_cells);
    const auto last = outcome.counts.find(kLastPlanCells);
    traffic(static_cast<double>(outcome.complete_rounds),
            cells,
            last == outcome.counts.end() ? 0 : static_cast<double>(last->second))
        .measure(outcome,
                 {.messages = "2 M per round + M for the last plan, none afterwards",
                  .values_up = "M sum (1 + cells) over rounds",
                  .values_down = "2 M sum of cells, including the last plan",
                  .payload_up = "M sum (16 + 8 cells)",
                  .payload_down = "M sum (16 + 8 cells), including the last plan"},
                 all_answered(outcome),
                 measurements);
  }
};

std::vector<ParameterSpec> pf_pne_reuse_parameters() {
  auto specs = smoothness_parameters();
  append(specs,
         confidence_parameters("constant in ln(c1 T / delta); only for confidence = \"horizon\""));
  specs.push_back({.name = "confidence",
                   .type = ParameterType::text,
                   .default_value = std::string("level"),
                   .help =
                       "logarithm in the radii: \"level\", ln(N (nu1 rho^h)^2) at depth h with N "
                       "evaluations in all; \"horizon\", ln(c1 T / delta) at every depth, as in "
                       "PF-PNE",
                   .choices = {"level", "horizon"}});
  specs.push_back(
      {.name = "together",
       .type = ParameterType::boolean,
       .default_value = true,
       .help = "search together while the clients look alike; false: alone from the root"});
  append(specs, partition_parameters());
  return specs;
}

std::vector<std::string> validate_pf_pne_reuse(const Parameters& parameters,
                                               const ProtocolContext& context) {
  // Lambda can be negative with the confidence "horizon" only.
  const bool horizon = parameters.text("confidence") == "horizon";
  return (horizon ? validate_phases : validate_plans)("pf-pne-reuse", parameters, context);
}

}  // namespace

const AlgorithmSpec& pf_pne_reuse_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "pf-pne-reuse",
      .summary =
          "PF-PNE that separates the clients when they differ and reuses samples (experimental)",
      .source =
          "Posse's own, after Li, Song and Honorio, Personalized federated X-armed bandit (AISTATS "
          "2024)",
      .parameters = pf_pne_reuse_parameters(),
      .topology = Topology::star,
      .messages = {&kMessageType<PhasePlan>, &kMessageType<SpreadMeans>},
      .make = &make_from_setup<PfPneReuse, make_pf_pne_reuse_setup>,
      .validate = &validate_pf_pne_reuse};
  return spec;
}

}  // namespace posse
