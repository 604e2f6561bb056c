// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne_variance/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "actors/common/bound_conditions.hpp"
#include "actors/common/common_measurements.hpp"
#include "actors/common/local_moments.hpp"
#include "actors/common/make_from_setup.hpp"
#include "actors/common/star_protocol.hpp"
#include "actors/common/traffic.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/fed_pne/setup.hpp"
#include "actors/fed_pne_variance/client.hpp"
#include "actors/fed_pne_variance/messages.hpp"
#include "actors/fed_pne_variance/server.hpp"
#include "actors/fed_pne_variance/setup.hpp"
#include "core/role/outcome.hpp"
#include "core/theory/smoothness.hpp"

namespace posse {
namespace {

constexpr MessageFormat kVariancePlanFormat{
    VariancePlan::kName, Direction::down, {.bytes = 16}, {.bytes = 12, .values = 2}};
constexpr MessageFormat kLocalMomentsFormat{
    LocalMoments::kName, Direction::up, {.bytes = 12}, {.bytes = 16, .values = 2}};

FedPneVarianceSetup make_fed_pne_variance_setup(const Parameters& parameters,
                                                const ProtocolContext& context) {
  const Problem& problem = *context.problem;
  FedPneVarianceSetup setup{
      .problem = &problem,
      .partition = make_partition(parameters, problem.domain(), context.seed),
      .clients = context.clients,
      .budget = problem.budget(),
      .theory = fed_pne_theory_parameters(parameters, context),
      .variance = {.range = parameters.real("range"), .floor = parameters.real("variance_floor")},
  };
  setup.theory.children_per_cell = setup.partition.children_per_cell();
  return setup;
}

class FedPneVariance final
    : public StarProtocol<FedPneVarianceSetup, FedPneVarianceServer, FedPneVarianceClient> {
 public:
  using StarProtocol::StarProtocol;

  ComparisonFacts comparison_facts() const override {
    return {.widths = federated_widths(setup_.theory.c)};
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    const auto& rounds = outcome.rounds;
    const auto phases = phases_of(rounds);
    std::vector<Measurement> measurements;
    measurements.push_back(rounds_within(
        outcome,
        ceiling(static_cast<double>(rounds_ceiling()),
                "min(sum over depths of the exchanges if each adds a quarter of the pulls, T)")));
    measurements.push_back(
        {"phases", "", rounds.empty() ? 0.0 : static_cast<double>(phases.size()), std::nullopt});
    measurements.push_back(
        {"deepest phase",
         "",
         rounds.empty() ? 0.0 : rounds.back().best->depth,
         ceiling(depth_ceiling(),
                 "deepest h at which k cells of the smallest variance get their pulls "
                 "within T")});
    add_communication(outcome, measurements);
    add_regrets(*setup_.problem, outcome, regret_certificate(outcome, phases), measurements);
    return measurements;
  }

  Forecast forecast() const override {
    const double clients = setup_.clients;
    const double budget = static_cast<double>(setup_.budget);
    double level = 1;  // k^h
    double most = 0;   // cells of all exchanges
    for (std::uint32_t h = 1; h <= depth_ceiling(); ++h) {
      level *= setup_.partition.children_per_cell();
      most += level * static_cast<double>(exchanges_at(h));
    }
    most = std::min(most, budget);  // each takes at least one pull
    const double rounds = static_cast<double>(rounds_ceiling());
    const Traffic traffic{
        {kVariancePlanFormat, clients * (rounds + 1), clients * (most + budget + 1)},
        {kLocalMomentsFormat, clients * rounds, clients * most}};
    return {clients * budget, rounds, traffic.messages(), traffic.bytes()};
  }

 private:
  std::uint64_t exchanges_at(std::uint32_t depth) const {
    return theory::fed_pne_variance_exchanges(setup_.theory, setup_.variance, depth);
  }
  std::uint32_t depth_ceiling() const {
    return theory::fed_pne_variance_depth_ceiling(
        setup_.theory, setup_.variance, setup_.partition.max_depth());
  }
  std::uint64_t rounds_ceiling() const {
    std::uint64_t exchanges = 0;
    for (std::uint32_t h = 1; h <= depth_ceiling(); ++h) exchanges += exchanges_at(h);
    return std::min(exchanges, setup_.budget);
  }

  /// One entry per depth, with the pulls of all its exchanges. Pulls after the last exchange count
  /// for the last phase, which may be incomplete.
  std::vector<theory::FedPnePhase> phases_of(const std::vector<RoundRecord>& rounds) const {
    std::vector<theory::FedPnePhase> phases;
    std::uint64_t steps = 0;
    for (const auto& round : rounds) {
      if (phases.empty() || phases.back().depth != round.best->depth)
        phases.push_back({round.best->depth, 0});
      phases.back().pulls_per_client += round.steps - steps;
      steps = round.steps;
    }
    if (phases.empty()) phases.push_back({});
    phases.back().pulls_per_client += setup_.budget - steps;
    return phases;
  }

  void add_communication(const RunOutcome& outcome, std::vector<Measurement>& measurements) const {
    const double clients = setup_.clients;
    const bool exact = all_answered(outcome);
    const auto exchanges = static_cast<double>(outcome.complete_rounds);
    const bool cut = outcome.rounds.empty() || outcome.rounds.back().steps < setup_.budget;
    const auto cells = static_cast<double>(outcome.active_cells);
    // The cells of a cut plan are not known here, so those of all plans are the ones counted.
    const auto named =
        static_cast<double>(outcome.total(&TypeAccount::values, VariancePlan::kName));
    const Traffic traffic{{kVariancePlanFormat, clients * (exchanges + (cut ? 1 : 0)), named / 2},
                          {kLocalMomentsFormat, clients * exchanges, clients * cells}};
    traffic.measure(
        outcome,
        {.messages = "2 M per complete exchange + M for a cut one",
         .values_up = "2 M times the cells of complete exchanges: one mean and one variance each"},
        exact,
        measurements);
    measurements.push_back({"values down", "", named, std::nullopt});
    traffic.measure(outcome,
                    {.payload_up = "M sum (12 + 16 n) over complete exchanges",
                     .payload_down = "16 per plan and 12 per cell, which counts as 2 values"},
                    exact,
                    measurements);
  }

  Bound regret_certificate(const RunOutcome& outcome,
                           const std::vector<theory::FedPnePhase>& phases) const {
    const auto& p = setup_.theory;
    const std::uint32_t deepest = outcome.rounds.empty() ? 0 : outcome.rounds.back().best->depth;
    Bound bound{
        theory::fed_pne_certificate(p, phases),
        BoundKind::derived,
        BoundStrength::with_probability,
        false,
        "sum over phases of their pulls times min(1, 12 nu1 rho^h of the previous phase), w.p. 1 "
        "- delta/T^6 under the paper's Assumption 2; " +
            theory::smoothness_verdict(*setup_.problem, setup_.partition, p.nu1, p.rho, deepest)};
    if (!theory::fed_pne_constants_apply(p))
      does_not_apply(
          bound,
          fmt::format(
              "the theory needs c >= 2 and c1 >= (2M)^(1/8), not c = {}, c1 = {}", p.c, p.c1));
    const double width = setup_.problem->noise().range_width();
    if (width > setup_.variance.range)
      does_not_apply(
          bound,
          fmt::format(
              "the noise has range {}, more than `range` = {}", width, setup_.variance.range));
    require_unit_regret(*setup_.problem, outcome, bound);
    require_assumption_a(*setup_.problem, setup_.partition, p.nu1, p.rho, deepest, bound);
    return bound;
  }
};

std::vector<ParameterSpec> fed_pne_variance_parameters() {
  auto specs = smoothness_parameters();
  append(specs,
         confidence_parameters(
             "constant in Lambda = ln(c1 T / delta); the theory needs c1 >= (2M)^(1/8)"));
  specs.push_back({.name = "range",
                   .default_value = 1.0,
                   .help = "b: width of the range of the rewards at one point",
                   .min = 1e-6,
                   .max = 1e6});
  specs.push_back({.name = "variance_floor",
                   .default_value = 1e-3,
                   .help = "smaller variance estimates are raised to this value (VHCT)",
                   .min = 1e-12,
                   .max = 1e12});
  append(specs, partition_parameters());
  return specs;
}

}  // namespace

const AlgorithmSpec& fed_pne_variance_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "fed-pne-variance",
      .summary = "Fed-PNE with variance-aware radii (experimental)",
      .source =
          "Posse's own: Fed-PNE (Li, Song, Honorio and Lin, AAAI 2024) with the radii of VHCT (Li, "
          "Wang, Cheng and Song 2023)",
      .parameters = fed_pne_variance_parameters(),
      .topology = Topology::star,
      .messages = {&kMessageType<VariancePlan>, &kMessageType<LocalMoments>},
      .make = &make_from_setup<FedPneVariance, make_fed_pne_variance_setup>,
      .validate = [](const Parameters& parameters, const ProtocolContext& context) {
        return validate_phases("fed-pne-variance", parameters, context);
      }};
  return spec;
}

}  // namespace posse
