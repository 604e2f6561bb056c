// SPDX-License-Identifier: Apache-2.0
#include "actors/fn_ucb/protocol.hpp"

#include <limits>
#include <memory>
#include <utility>

#include "actors/common/common_measurements.hpp"
#include "actors/common/make_from_setup.hpp"
#include "actors/common/star_protocol.hpp"
#include "actors/common/traffic.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/fn_ucb/bounds.hpp"
#include "actors/fn_ucb/client.hpp"
#include "actors/fn_ucb/messages.hpp"
#include "actors/fn_ucb/server.hpp"
#include "core/role/outcome.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kMostFeatures = 512;          // p: a message of 4 MB
constexpr std::uint64_t kMostGradients = 1ULL << 24;  // K p: 128 MB
constexpr double kReportBytes = 4;                    // StepDone, SendUpdate, NextStep

// The elements are the numbers of a state.
constexpr MessageFormat kAgentUpdateFormat{
    AgentUpdate::kName, Direction::up, {.bytes = 16}, {.bytes = 8, .values = 1}};
constexpr MessageFormat kSyncedModelFormat{
    SyncedModel::kName, Direction::down, {.bytes = 16}, {.bytes = 8, .values = 1}};

FnUcbOptions options(const Parameters& parameters) {
  const auto count = [&](std::string_view name) {
    return static_cast<std::uint64_t>(parameters.integer(name));
  };
  return {.lambda = parameters.real("lambda"),
          .nu = parameters.real("nu"),
          .nu2 = parameters.real("nu2"),
          .sync_threshold = parameters.real("sync_threshold"),
          .exact_det = parameters.boolean("exact_det"),
          .train_steps = static_cast<std::uint32_t>(count("train_steps")),
          .rate = parameters.real("rate"),
          .train_until = count("train_until"),
          .ramp = count("ramp")};
}

FnUcbSetup make_fn_ucb_setup(const Parameters& parameters, const ProtocolContext& context) {
  const Problem& problem = *context.problem;
  const ArmPoints arms(problem.domain(), arm_options(parameters), context.seed);
  return {.problem = &problem,
          .arms = arms,
          .features = ReluFeatures(
              arms, static_cast<std::uint32_t>(parameters.integer("width")), context.seed),
          .clients = context.clients,
          .budget = problem.budget(),
          .options = options(parameters)};
}

class FnUcb final : public StarProtocol<FnUcbSetup, FnUcbServer, FnUcbClient> {
 public:
  using StarProtocol::StarProtocol;

  bool waits_for_all() const override { return false; }  // a round begins with the first upload

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    std::vector<Measurement> measurements;
    measurements.push_back(
        rounds_within(outcome,
                      ceiling(static_cast<double>(syncs_ceiling()),
                              "T - 1, and sqrt((T - 1) R / D) with R = p ln(1 + M T max|g|^2 / "
                              "(lambda p)) for D > 0")));
    add_communication(outcome, measurements);
    add_regrets(*setup_.problem,
                outcome,
                regret_floor_of_arms(*setup_.problem, setup_.arms, outcome),
                measurements);
    return measurements;
  }

  Forecast forecast() const override {
    const double clients = setup_.clients;
    const auto steps = static_cast<double>(setup_.budget);
    const auto syncs = static_cast<double>(syncs_ceiling());
    // In a step with a synchronisation, all agents but one may send StepDone and get SendUpdate.
    const double reports = syncs * 2 * (clients - 1) + (steps - syncs) * 2 * clients;
    const Traffic states = state_traffic(syncs, syncs);
    return {.evaluations = clients * steps,
            .rounds = syncs,
            .messages = states.messages() + reports,
            .bytes = states.bytes() + reports * kReportBytes,
            .last_round = steps + 1};  // messages number steps
  }

 private:
  std::uint64_t syncs_ceiling() const {
    return theory::fn_ucb_syncs_ceiling({.agents = setup_.clients,
                                         .steps = setup_.budget,
                                         .features = setup_.features.size(),
                                         .lambda = setup_.options.lambda,
                                         .largest_square = setup_.features.largest_square(),
                                         .sync_threshold = setup_.options.sync_threshold});
  }

  /// Traffic of `updates` uploads of every agent and `models` broadcasts.
  Traffic state_traffic(double updates, double models) const {
    const double clients = setup_.clients;
    const auto p = static_cast<double>(setup_.features.size());
    const double numbers = 2 * p * p + 2 * p;
    return {{kAgentUpdateFormat, clients * updates, clients * updates * numbers},
            {kSyncedModelFormat, clients * models, clients * models * numbers}};
  }

  void add_communication(const RunOutcome& outcome, std::vector<Measurement>& measurements) const {
    const bool exact = all_answered(outcome);
    const auto steps = static_cast<double>(setup_.budget);
    const auto syncs = static_cast<double>(outcome.complete_rounds);
    const bool synced_last =
        !outcome.rounds.empty() && outcome.rounds.back().steps == setup_.budget;
    const Traffic states = state_traffic(syncs, syncs - (synced_last ? 1 : 0));
    states.measure(outcome,
                   {.messages = "2 M per synchronisation, M after the last step; messages that "
                                "keep step are not included"},
                   exact,
                   measurements);
    const auto sent = [&](std::string_view type) {
      return outcome.total(&TypeAccount::sent, type);
    };
    measurements.push_back(identity(
        "messages that keep step",
        "",
        sent(StepDone::kName) + sent(SendUpdate::kName) + sent(NextStep::kName),
        2 * static_cast<double>(sent(SendUpdate::kName)) +
            setup_.clients * (2 * (steps - syncs) - (synced_last ? 0 : 1)),
        "2 M per step without synchronisation (M after the last step), 2 per requested update; "
        "4 bytes each",
        exact));
    states.measure(
        outcome,
        {.values_up = "M (2 p^2 + 2 p) per synchronisation",
         .values_down = "M (2 p^2 + 2 p) per synchronisation, except after the last step",
         .payload_up = "M (16 + 16 p^2 + 16 p) per synchronisation",
         .payload_down = "M (16 + 16 p^2 + 16 p) per synchronisation, except after the last step"},
        exact,
        measurements);
  }
};

std::vector<ParameterSpec> fn_ucb_parameters() {
  const auto number = [](std::string_view name,
                         double value,
                         std::string_view help,
                         double min = 0) -> ParameterSpec {
    return {.name = name, .default_value = value, .help = help, .min = min, .max = 1e6};
  };
  const auto count = [](std::string_view name,
                        std::int64_t value,
                        std::string_view help,
                        double min,
                        double max) -> ParameterSpec {
    return {.name = name,
            .type = ParameterType::integer,
            .default_value = value,
            .help = help,
            .min = min,
            .max = max};
  };
  std::vector<ParameterSpec> specs{
      count("width", 20, "w, units of the hidden layer; p = w (d + 2) weights", 1, 256),
      number(
          "lambda", 0.1, "regularisation of the linear scores, and weight decay of the nets", 1e-9),
      number("nu", 0.1, "weight of the bonus of the linear scores, UCB2"),
      number("nu2", 0.1, "weight of the bonus of the neural scores, UCB1"),
      number("sync_threshold",
             0,
             "D: synchronise when (t - t_last) ln(det V / det V_last) > D for some agent; 0: at "
             "every step, as in the published code"),
      {.name = "exact_det",
       .type = ParameterType::boolean,
       .default_value = false,
       .help = "compare determinants instead of the products of the diagonals (published code)"},
      count("train_steps", 30, "gradient steps of each net at a synchronisation", 0, 10'000),
      number("rate", 0.01, "learning rate of the nets"),
      count("train_until", 2000, "step from which on the nets are no longer trained", 0, 4e9),
      count(
          "ramp", 700, "steps over which the weight of the scores moves from UCB2 to UCB1", 1, 4e9),
  };
  append(specs, arm_parameters());
  return specs;
}

std::vector<std::string> validate_fn_ucb(const Parameters& parameters,
                                         const ProtocolContext& context) {
  auto problems = budget_errors("fn-ucb", context);
  if (context.problem == nullptr) return problems;
  const std::size_t d = context.problem->domain().dimension();
  const auto features = static_cast<std::uint64_t>(parameters.integer("width")) * (d + 2);
  const std::uint64_t arms = arm_count(arm_options(parameters), d);
  if (features > kMostFeatures)
    problems.push_back(
        fmt::format("fn-ucb: at most {} weights (a message holds p^2 numbers), given width (d + 2) "
                    "= {}: lower width",
                    kMostFeatures,
                    features));
  if (features * arms > kMostGradients)
    problems.push_back(fmt::format(
        "fn-ucb: the features of {} arms with {} weights each exceed {} numbers: lower {}",
        arms,
        features,
        kMostGradients,
        d > 2 ? "random_arms" : "arms_per_dimension"));
  return problems;
}

}  // namespace

const AlgorithmSpec& fn_ucb_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "fn-ucb",
      .summary =
          "federated neural bandit on random arms: linear model on gradient features, averaged "
          "nets",
      .source =
          "Dai, Shu, Verma, Fan, Low & Jaillet, Federated neural bandits (ICLR 2023), FN-UCB with "
          "less "
          "communication",
      .parameters = fn_ucb_parameters(),
      .topology = Topology::star,
      .messages = {&kMessageType<AgentUpdate>,
                   &kMessageType<SyncedModel>,
                   &kMessageType<StepDone>,
                   &kMessageType<SendUpdate>,
                   &kMessageType<NextStep>},
      .make = &make_from_setup<FnUcb, make_fn_ucb_setup>,
      .validate = &validate_fn_ucb};
  return spec;
}

}  // namespace posse
