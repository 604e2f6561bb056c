// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "actors/common/bound_conditions.hpp"
#include "actors/common/common_measurements.hpp"
#include "actors/common/make_from_setup.hpp"
#include "actors/common/star_protocol.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/fed_pne/bounds.hpp"
#include "actors/pf_pne/client.hpp"
#include "actors/pf_pne/first_stage.hpp"
#include "actors/pf_pne/messages.hpp"
#include "actors/pf_pne/server.hpp"
#include "actors/pf_pne/setup.hpp"
#include "core/role/outcome.hpp"
#include "core/theory/assumption_a.hpp"
#include "core/theory/smoothness.hpp"

namespace posse {
namespace {

PfPneSetup make_pf_pne_setup(const Parameters& parameters, const ProtocolContext& context) {
  auto setup = make_first_stage_setup(parameters, context);
  setup.theory.safe = parameters.boolean("safe");
  return setup;
}

class PfPne final : public StarProtocol<PfPneSetup, PfPneServer, PfPneClient> {
 public:
  using StarProtocol::StarProtocol;

  ComparisonFacts comparison_facts() const override {
    return {.widths = federated_widths(setup_.theory.federation.c)};
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    std::vector<Measurement> measurements;
    add_first_stage(setup_, outcome, all_answered(outcome), measurements);
    add_personal_regrets(*setup_.problem, outcome, regret_certificate(outcome), measurements);
    add_own_searches(*setup_.problem,
                     setup_.partition,
                     outcome,
                     "last complete level of a client, mean",
                     measurements);
    return measurements;
  }

  Forecast forecast() const override { return first_stage_forecast(setup_); }

 private:
  Bound regret_certificate(const RunOutcome& outcome) const {
    const auto& p = setup_.theory;
    double value = 0;
    std::uint64_t steps = 0;
    std::uint32_t depth = 0;
    bool all_arrived = true;
    for (const auto& level : outcome.rounds) {
      value += static_cast<double>(level.steps - steps) * theory::pf_pne_shared_regret(p, depth);
      steps = level.steps;
      ++depth;
      all_arrived = all_arrived && level.arrived == level.expected;
    }
    if (setup_.shared_depth && depth <= *setup_.shared_depth)  // the cut level
      value += static_cast<double>(setup_.budget - steps) * theory::pf_pne_shared_regret(p, depth);
    double alone = 0;
    std::uint32_t deepest = depth;
    for (const auto& search : outcome.own_searches) {
      alone += search.certified_regret;
      deepest = std::max(deepest, search.depth);
    }
    value += alone / static_cast<double>(setup_.clients);

    Bound bound{
        value,
        BoundKind::derived,
        BoundStrength::with_probability,
        false,
        fmt::format("stage 1: sum over levels of pulls times min(1, 12 nu1 rho^(h-1) + Delta); "
                    "stage 2: per pull min(1, {} nu1 rho^(h-1)) for children of unprotected cells, "
                    "1 for others (the constant of the paper's Assumption 4 is unknown); w.p. 1 - "
                    "2 delta/T^6 under the paper's Assumptions 2 and 3; ",
                    p.safe ? 26 : 24) +
            theory::smoothness_verdict(
                *setup_.problem, setup_.partition, p.federation.nu1, p.federation.rho, deepest)};
    check_conditions(outcome, all_arrived, deepest, bound);
    return bound;
  }

  void check_conditions(const RunOutcome& outcome,
                        bool all_arrived,
                        std::uint32_t deepest,
                        Bound& bound) const {
    const auto& p = setup_.theory;
    const auto& f = p.federation;
    const Problem& problem = *setup_.problem;
    if (!theory::pf_pne_constants_apply(p))
      does_not_apply(
          bound,
          fmt::format(
              "the theory needs c >= 2 and c1 >= (2M^2)^(1/8), not c = {}, c1 = {}", f.c, f.c1));
    require_unit_range(problem, bound);
    require_unit_regret(problem, outcome, bound);
    if (!all_arrived) does_not_apply(bound, "levels were closed without the means of some clients");
    const double difference = true_delta(problem);
    if (difference > p.max_difference)
      does_not_apply(
          bound,
          fmt::format(
              "the true Delta is {:.4g}, above max_difference = {}", difference, p.max_difference));
    for (std::size_t m = 0; m < problem.clients() && !p.safe; ++m) {
      if (problem.local_maximum(m).value >= problem.mean_maximum().value) continue;
      does_not_apply(
          bound, "the maximum of a client is below that of the mean objective and `safe` is off");
      break;
    }
    if (!require_fixed_points(setup_.partition, bound)) return;
    if (theory::assumption_a_fails_at(problem, setup_.partition, f.nu1, f.rho, deepest)) {
      does_not_apply(bound, "assumption (A) fails for the mean objective");
      return;
    }
    std::size_t failing = 0;
    for (std::size_t m = 0; m < problem.clients(); ++m)
      if (theory::local_assumption_a_fails_at(problem, setup_.partition, f.nu1, f.rho, deepest, m))
        ++failing;
    if (failing > 0)
      does_not_apply(bound, fmt::format("assumption (A) fails for {} clients", failing));
  }
};

std::vector<ParameterSpec> pf_pne_parameters() {
  auto specs = smoothness_parameters();
  append(specs,
         confidence_parameters(
             "constant in Lambda = ln(c1 T / delta); the theory needs c1 >= (2M^2)^(1/8)"));
  specs.push_back(max_difference_parameter());
  specs.push_back(
      {.name = "safe",
       .type = ParameterType::boolean,
       .default_value = false,
       .help = "add Delta where the mean of a client is compared with a global mean; not in "
               "the paper"});
  append(specs, partition_parameters());
  return specs;
}

std::vector<std::string> validate_pf_pne(const Parameters& parameters,
                                         const ProtocolContext& context) {
  return validate_first_stage("pf-pne", parameters, context);
}

}  // namespace

const AlgorithmSpec& pf_pne_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "pf-pne",
      .summary = "personalized federated X-armed bandit: elimination together, then alone",
      .source =
          "Li, Song and Honorio, Personalized federated X-armed bandit (AISTATS 2024), Algorithms "
          "1 "
          "to 3",
      .parameters = pf_pne_parameters(),
      .topology = Topology::star,
      .uses_policy = true,
      .averages = true,
      .state_loss =
          "a client that lost its state takes part again with the next depth of stage 1, without "
          "its samples of earlier depths; it doesn't know when stage 2 has begun: what it has not "
          "searched by then, it never will",
      .messages = {&kMessageType<LocalMeans>, &kMessageType<Survivors>},
      .make = &make_from_setup<PfPne, make_pf_pne_setup>,
      .validate = &validate_pf_pne};
  return spec;
}

}  // namespace posse
