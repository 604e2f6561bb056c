// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_ucb/protocol.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "actors/common/common_measurements.hpp"
#include "actors/common/make_from_setup.hpp"
#include "actors/common/star_protocol.hpp"
#include "actors/common/traffic.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/fed_ucb/bounds.hpp"
#include "actors/fed_ucb/client.hpp"
#include "actors/fed_ucb/messages.hpp"
#include "actors/fed_ucb/server.hpp"
#include "core/role/outcome.hpp"

namespace posse {
namespace {

constexpr MessageFormat kActiveArmsFormat{
    ActiveArms::kName, Direction::down, {.bytes = 12, .values = 1}, {.bytes = 4, .values = 1}};
constexpr MessageFormat kJoinFormat{
    Join::kName, Direction::down, {.bytes = 16, .values = 1}, {.bytes = 4, .values = 1}};
constexpr MessageFormat kArmMeansFormat{
    ArmMeans::kName, Direction::up, {.bytes = 8}, {.bytes = 8, .values = 1}};

template <bool joining>
FedUcbSetup make_fed_ucb_setup(const Parameters& parameters, const ProtocolContext& context) {
  const Problem& problem = *context.problem;
  return {
      .problem = &problem,
      .arms = ArmPoints(problem.domain(), arm_options(parameters), context.seed),
      .clients = context.clients,
      .budget = problem.budget(),
      .pulls_per_phase = parameters.is_auto("pulls_per_phase")
                             ? theory::fed1_ucb_pulls(problem.budget())
                             : static_cast<std::uint64_t>(parameters.integer("pulls_per_phase")),
      .sigma = parameters.real("sigma"),
      .sigma_c = joining ? parameters.real("sigma_c") : 0,
      .joining = joining,
      .policy = joining ? Policy{} : context.policy,
  };
}

class FedUcb final : public StarProtocol<FedUcbSetup, FedUcbServer, FedUcbClient> {
 public:
  using StarProtocol::StarProtocol;

  ComparisonFacts comparison_facts() const override { return {.widths = Widths::theory}; }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    const auto& phases = outcome.rounds;
    std::vector<Measurement> measurements;
    measurements.push_back(rounds_within(
        outcome, ceiling(static_cast<double>(phases_ceiling()), "1 + floor((T - K f) / (2 f))")));
    measurements.push_back({"arms left", "", arms_left(phases), std::nullopt});
    if (setup_.joining)
      measurements.push_back(
          {"clients joined", "", static_cast<double>(members(last_phase(outcome))), std::nullopt});
    add_communication(outcome, measurements);
    add_regrets(*setup_.problem,
                outcome,
                regret_floor_of_arms(*setup_.problem, setup_.arms, outcome),
                measurements);
    return measurements;
  }

  Forecast forecast() const override {
    const double clients = setup_.clients;
    const double arms = setup_.arms.size();
    const double phases = static_cast<double>(phases_ceiling());
    const auto budget = static_cast<double>(setup_.budget);
    // A complete phase pulls every arm f times within T.
    const double most =
        std::min(phases * arms, budget / static_cast<double>(setup_.pulls_per_phase));
    Forecast forecast;
    forecast.evaluations = clients * budget;
    forecast.rounds = phases;
    forecast.messages = (2 * phases + 1) * clients;
    forecast.bytes =
        clients * (phases * (kActiveArmsFormat.bytes(0) + kArmMeansFormat.bytes(0)) + 12 * most +
                   kActiveArmsFormat.bytes(arms) +
                   (setup_.joining ? kJoinFormat.bytes(0) - kActiveArmsFormat.bytes(0) : 0));
    return forecast;
  }

 private:
  std::uint64_t phases_ceiling() const {
    return theory::fed_ucb_phases_ceiling(
        setup_.budget, setup_.arms.size(), setup_.pulls_per_phase);
  }

  /// M(p).
  std::uint64_t members(std::uint64_t phase) const {
    return setup_.joining
               ? theory::fed2_ucb_joined(setup_.clients, static_cast<std::uint32_t>(phase))
               : setup_.clients;
  }

  /// Number of the last phase in which clients could join: one with more than one active arm.
  std::uint64_t last_phase(const RunOutcome& outcome) const {
    const auto& phases = outcome.rounds;
    if (phases.empty()) return 1;
    const bool went_on = phases.back().steps < setup_.budget && phases.back().kept_cells > 1;
    return phases.size() + (went_on ? 1 : 0);
  }

  double arms_left(const std::vector<RoundRecord>& phases) const {
    return phases.empty() ? setup_.arms.size() : static_cast<double>(phases.back().kept_cells);
  }

  /// The counts follow from the phases if every client answers every plan. Under a quorum or a
  /// deadline they do not: late uploads are sent, too.
  void add_communication(const RunOutcome& outcome, std::vector<Measurement>& measurements) const {
    const auto& phases = outcome.rounds;
    TypeTraffic plans(kActiveArmsFormat);
    TypeTraffic joins(kJoinFormat);
    TypeTraffic answers(kArmMeansFormat);
    auto before = static_cast<double>(members(1));  // clients of the phase before
    const auto add_plans = [&](double clients, double arms) {
      plans.add(before, before * arms);
      joins.add(clients - before, (clients - before) * arms);
      before = clients;
    };
    for (std::size_t p = 0; p < phases.size(); ++p) {
      const auto clients = static_cast<double>(members(p + 1));
      const auto arms = static_cast<double>(phases[p].active_cells);
      add_plans(clients, arms);
      answers.add(clients, clients * arms);
    }
    if (phases.empty() || phases.back().steps < setup_.budget)  // the cut phase
      add_plans(static_cast<double>(members(last_phase(outcome))), arms_left(phases));
    Traffic{plans, joins, answers}.measure(
        outcome,
        {.messages = "2 M(p) per complete phase, M(p) for a cut one",
         .values_up = "sum of M(p) n over complete phases",
         .values_down = "sum of M(p) (n + 1), including the cut phase",
         .payload_up = "sum of M(p) (8 + 8 n) over complete phases",
         .payload_down = "sum of M(p) (12 + 4 n), including the cut phase; 4 more for each client "
                         "that joins after phase 1"},
        all_answered(outcome),
        measurements);
  }
};

ParameterSpec sigma_parameter() {
  return {.name = "sigma",
          .default_value = 0.5,
          .help = "sub-Gaussian constant of the noise, used in the confidence radius",
          .min = 1e-100,
          .max = 1e100};
}

ParameterSpec pulls_parameter(ParameterValue default_value, std::string_view help) {
  return {.name = "pulls_per_phase",
          .type = ParameterType::integer,
          .default_value = std::move(default_value),
          .help = help,
          .min = 1,
          .max = static_cast<double>(kLargestBudget)};
}

std::vector<ParameterSpec> with_arms(std::vector<ParameterSpec> specs) {
  append(specs, arm_parameters());
  return specs;
}

}  // namespace

const AlgorithmSpec& fed1_ucb_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "fed1-ucb",
      .summary = "federated multi-armed bandit on random arms: phased elimination by all clients",
      .source = "Shi & Shen, Federated multi-armed bandits (AAAI 2021), Fed1-UCB",
      .parameters = with_arms({sigma_parameter(),
                               pulls_parameter(std::monostate{},
                                               "f(p), pulls per client and active arm in a phase; "
                                               "auto: floor(10 ln T)")}),
      .topology = Topology::star,
      .uses_policy = true,
      .averages = true,
      .state_loss =
          "a client that lost its state takes part again with the next phase; its means are then "
          "of its rewards since",
      .messages = {&kMessageType<ActiveArms>, &kMessageType<ArmMeans>},
      .make = &make_from_setup<FedUcb, make_fed_ucb_setup<false>>,
      .validate = [](const Parameters&, const ProtocolContext& context) {
        return budget_errors("fed1-ucb", context);
      }};
  return spec;
}

const AlgorithmSpec& fed2_ucb_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "fed2-ucb",
      .summary =
          "federated multi-armed bandit on random arms: phased elimination, clients join phase by "
          "phase",
      .source = "Shi & Shen, Federated multi-armed bandits (AAAI 2021), Fed2-UCB",
      .parameters = with_arms(
          {sigma_parameter(),
           {.name = "sigma_c",
            .default_value = 0.02,
            .help = "sub-Gaussian constant of a client's deviation from the global mean",
            .min = 0,
            .max = 1e100},
           pulls_parameter(std::int64_t{100}, "f, pulls per client and active arm in a phase")}),
      .topology = Topology::star,
      .state_loss =
          "no client can lose its state: only the message with which it joined said how long it "
          "plays",
      .messages = {&kMessageType<ActiveArms>, &kMessageType<Join>, &kMessageType<ArmMeans>},
      .make = &make_from_setup<FedUcb, make_fed_ucb_setup<true>>,
      .validate = [](const Parameters&, const ProtocolContext& context) {
        return budget_errors("fed2-ucb", context);
      }};
  return spec;
}

}  // namespace posse
