// SPDX-License-Identifier: Apache-2.0
#include "actors/reward_bandit/protocol.hpp"

#include <fmt/format.h>

#include <functional>

#include "actors/common/common_measurements.hpp"
#include "actors/common/restarted.hpp"
#include "actors/common/star.hpp"
#include "actors/common/traffic.hpp"
#include "actors/reward_bandit/agent.hpp"
#include "actors/reward_bandit/arm.hpp"
#include "actors/reward_bandit/messages.hpp"
#include "actors/reward_bandit/policy/rucb_median.hpp"
#include "actors/reward_bandit/policy/sgd_ucb_smom.hpp"
#include "core/role/outcome.hpp"

namespace posse {
namespace {

constexpr MessageFormat kDrawFormat{Draw::kName, Direction::down, {.bytes = 4, .values = 1}};
constexpr MessageFormat kRewardsFormat{
    Rewards::kName, Direction::up, {}, {.bytes = 8, .values = 1}};

class RewardBandit final : public Protocol {
 public:
  using MakePolicy = std::function<std::unique_ptr<RewardPolicy>()>;
  RewardBandit(const ArmSet& arms, const RewardPolicy::Plan& plan, MakePolicy make)
      : arms_(&arms),
        rewards_(static_cast<double>(plan.budget)),
        decisions_(static_cast<double>(plan.decisions())),
        make_(std::move(make)) {}

  std::vector<NodeGroup> groups() const override {
    return {{"agent", 1, false}, {"arm", static_cast<std::uint32_t>(arms_->size()), true, 1}};
  }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    if (node == NodeId{0}) return std::make_unique<RewardAgent>(*arms_, make_());
    return std::make_unique<RewardArm>(*arms_, node.value - 1);
  }
  /// One message is under way at a time.
  std::string_view why_order_matters(NodeId) const override { return {}; }
  bool can_lose_state(NodeId node) const override { return node != kAgent; }
  std::unique_ptr<Role> make_role_anew(NodeId node, std::uint64_t evaluations) const override {
    auto arm = std::make_unique<RewardArm>(*arms_, node.value - 1);
    arm->go_on_after(evaluations);
    return arm;
  }
  Forecast forecast() const override {
    return {rewards_, decisions_, traffic().messages(), traffic().bytes()};
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    const bool complete = outcome.status == RunStatus::finished;
    const auto& regret = outcome.regret;
    std::vector<Measurement> measurements;
    if (regret.simple) {
      measurements.push_back({"cumulative regret", "", regret.cumulative, std::nullopt});
      measurements.push_back({"simple regret", "", *regret.simple, std::nullopt});
    }
    if (outcome.arms.answer)
      if (const auto rank = arms_->rank_of(*outcome.arms.answer))
        measurements.push_back({"rank of the answer", "", *rank, std::nullopt});
    measurements.push_back(
        identity("evaluations", "", outcome.arms.pulls, rewards_, "T", complete));
    measurements.push_back(
        identity("rounds", "", outcome.complete_rounds, decisions_, "one per decision", complete));
    traffic().measure(outcome,
                      {.messages = "a request and a reply per decision",
                       .payload_up = "8 per reward",
                       .payload_down = "4 per decision"},
                      complete && outcome.total(&TypeAccount::sent, Restarted::kName) == 0,
                      measurements);
    return measurements;
  }

 private:
  Traffic traffic() const {
    return {{kDrawFormat, decisions_}, {kRewardsFormat, decisions_, rewards_}};
  }

  const ArmSet* arms_;
  double rewards_;
  double decisions_;
  MakePolicy make_;
};

std::vector<std::string> validate_rewards(const ProtocolContext& context, std::uint32_t first) {
  const ArmSet& arms = *context.arms;
  std::vector<std::string> problems;
  if (const Arm* arm = arms.first_with_rewards(false))
    problems.push_back(
        fmt::format("arm {} is a function to minimise and gives no rewards; allowed: arms of kind "
                    "rewards, or an algorithm for functional arms, such as f-lcb",
                    arm->name));
  if (arms.budget < first * arms.size())
    problems.push_back(
        fmt::format("budget.pulls = {} is too small: each of the {} arms needs {} rewards to start "
                    "from; allowed: at least {}",
                    arms.budget,
                    arms.size(),
                    first,
                    first * arms.size()));
  return problems;
}

SmomOptions smom_options(const Parameters& parameters, SmomIndex index) {
  SmomOptions options;
  options.m = static_cast<std::uint32_t>(parameters.integer("m"));
  options.n = static_cast<std::uint32_t>(parameters.integer("n"));
  options.theta = parameters.real("theta");
  options.clip = parameters.real("clip");
  if (!parameters.is_auto("step")) options.step = parameters.real("step");
  options.c = parameters.real("c");
  options.index = index;
  return options;
}

std::unique_ptr<Protocol> make_smom(const ProtocolContext& context, const SmomOptions& options) {
  const ArmSet& arms = *context.arms;
  return std::make_unique<RewardBandit>(arms,
                                        SgdUcbSmom::plan_of(arms.size(), arms.budget, options),
                                        [&arms, options, seed = context.seed] {
                                          return std::make_unique<SgdUcbSmom>(
                                              arms.size(), arms.budget, options, seed);
                                        });
}

std::vector<ParameterSpec> smom_parameters(double c, std::string_view c_help) {
  return {
      {.name = "m",
       .type = ParameterType::integer,
       .default_value = std::int64_t{1},
       .help = "a decision takes the median of 2m + 1 means; an arm starts from the median of "
               "2m + 1 rewards",
       .min = 0,
       .max = 1000},
      {.name = "n",
       .type = ParameterType::integer,
       .default_value = std::int64_t{2},
       .help = "rewards in a mean",
       .min = 1,
       .max = 100000},
      {.name = "theta",
       .default_value = 0.001,
       .help = "standard deviation of the normal noise that smooths each mean",
       .min = 0},
      {.name = "clip",
       .default_value = 0.9,
       .help = "r, clipping level of the gradient: an update moves an estimate by at most step * r",
       .min = 0,
       .min_open = true},
      {.name = "step",
       .default_value = std::monostate{},
       .help = "gamma, step size; auto: 1/ln(4 (T + 1) T^2)",
       .min = 0,
       .max = 1,
       .min_open = true},
      {.name = "c", .default_value = c, .help = c_help, .min = 0}};
}

AlgorithmSpec reward_spec(std::string_view kind,
                          std::string_view summary,
                          std::string_view source,
                          std::vector<ParameterSpec> parameters,
                          decltype(AlgorithmSpec::make) make,
                          decltype(AlgorithmSpec::validate) validate) {
  return {.kind = kind,
          .summary = summary,
          .source = source,
          .parameters = std::move(parameters),
          .topology = Topology::star,
          .needs_problem = false,
          .needs_arms = true,
          .state_loss = kArmsLoseState,
          .messages = {&kMessageType<Draw>, &kMessageType<Rewards>, &kMessageType<Restarted>},
          .make = make,
          .validate = validate};
}

std::vector<std::string> validate_smom(const Parameters& parameters,
                                       const ProtocolContext& context) {
  return validate_rewards(context, static_cast<std::uint32_t>(2 * parameters.integer("m") + 1));
}

}  // namespace

const AlgorithmSpec& sgd_ucb_smom_algorithm() {
  static const AlgorithmSpec spec = reward_spec(
      "sgd-ucb-smom",
      "heavy-tailed rewards: clipped gradient steps towards smoothed medians of means",
      "Dorn, Katrutsa, Latypov & Pudovikov (2024), as Appendix D of Dorn et al. (2025) runs it",
      smom_parameters(0.1, "index: x + c sqrt(ln t / n_i)"),
      [](const Parameters& parameters, const ProtocolContext& context) {
        return make_smom(context, smom_options(parameters, SmomIndex::estimate));
      },
      validate_smom);
  return spec;
}

const AlgorithmSpec& sgd_ucb_smom_f_algorithm() {
  static const AlgorithmSpec spec = [] {
    auto parameters = smom_parameters(1, "C; index: -f + C/sqrt(n_i), f = -x^2/2");
    parameters.push_back({.name = "index",
                          .type = ParameterType::text,
                          .default_value = std::string("functional"),
                          .help =
                              "functional: -f + C/sqrt(n_i); printed: f + C/sqrt(n_i), as printed "
                              "in the paper, with linear regret",
                          .choices = {"functional", "printed"}});
    return reward_spec(
        "sgd-ucb-smom-f",
        "sgd-ucb-smom as a functional bandit: arms are (x - mu)^2/2 - mu^2/2",
        "Dorn, Katrutsa, Latypov & Soboleva (2025), Appendix D, with the sign corrected",
        std::move(parameters),
        [](const Parameters& p, const ProtocolContext& context) {
          return make_smom(
              context,
              smom_options(
                  p, p.text("index") == "printed" ? SmomIndex::printed : SmomIndex::functional));
        },
        validate_smom);
  }();
  return spec;
}

const AlgorithmSpec& rucb_median_algorithm() {
  static const AlgorithmSpec spec = reward_spec(
      "rucb-median",
      "heavy-tailed rewards: robust UCB with medians of means of all rewards of an arm",
      "Bubeck, Cesa-Bianchi & Lugosi (2013), as Appendix D of Dorn et al. (2025) runs it",
      {{.name = "epsilon",
        .default_value = 0.0,
        .help =
            "the moment of order 1 + epsilon is assumed to be finite; 0, as Dorn et al. ran it, "
            "makes the bonus constant; 1 as published",
        .min = 0,
        .max = 1},
       {.name = "v",
        .default_value = 0.9,
        .help = "bound on the moment of order 1 + epsilon; 1 as published",
        .min = 0,
        .min_open = true}},
      [](const Parameters& parameters,
         const ProtocolContext& context) -> std::unique_ptr<Protocol> {
        const ArmSet& arms = *context.arms;
        const RucbOptions options{parameters.real("epsilon"), parameters.real("v")};
        return std::make_unique<RewardBandit>(
            arms, RucbMedian::plan_of(arms.size(), arms.budget), [&arms, options] {
              return std::make_unique<RucbMedian>(arms.size(), arms.budget, options);
            });
      },
      [](const Parameters&, const ProtocolContext& context) {
        return validate_rewards(context, 2);
      });
  return spec;
}

}  // namespace posse
