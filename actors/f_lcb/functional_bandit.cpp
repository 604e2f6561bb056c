// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/functional_bandit.hpp"

#include <fmt/format.h>

#include <utility>

#include "actors/common/bound_conditions.hpp"
#include "actors/common/common_measurements.hpp"
#include "actors/common/restarted.hpp"
#include "actors/common/star.hpp"
#include "actors/common/traffic.hpp"
#include "actors/f_lcb/agent.hpp"
#include "actors/f_lcb/arm.hpp"
#include "actors/f_lcb/messages.hpp"
#include "core/role/outcome.hpp"

namespace posse {
namespace {

constexpr MessageFormat kStepFormat{Step::kName, Direction::down, {.bytes = 4, .values = 1}};
constexpr MessageFormat kSteppedFormat{Stepped::kName, Direction::up, {.bytes = 28, .values = 2}};

Traffic traffic_of_pulls(double pulls) { return {{kStepFormat, pulls}, {kSteppedFormat, pulls}}; }

}  // namespace

std::vector<NodeGroup> FunctionalBandit::groups() const {
  return {{"agent", 1, false}, {"arm", static_cast<std::uint32_t>(arms_->size()), true, 1}};
}

std::unique_ptr<Role> FunctionalBandit::make_role(NodeId node) const {
  if (node == kAgent) return std::make_unique<FunctionalAgent>(*arms_, make_());
  return std::make_unique<FunctionalArm>(*arms_, node.value - 1);
}

std::string_view FunctionalBandit::why_order_matters(NodeId node) const {
  return node == kAgent && pace_.order == PullOrder::asynchronous
             ? "each reply starts the next pull"
             : "";
}

bool FunctionalBandit::can_lose_state(NodeId node) const { return node != kAgent; }

std::unique_ptr<Role> FunctionalBandit::make_role_anew(NodeId node,
                                                       std::uint64_t evaluations) const {
  auto arm = std::make_unique<FunctionalArm>(*arms_, node.value - 1);
  arm->go_on_after(evaluations);
  return arm;
}

Forecast FunctionalBandit::forecast() const {
  const auto pulls = static_cast<double>(pulls_);
  const Traffic traffic = traffic_of_pulls(pulls);
  return {pulls, pulls, traffic.messages(), traffic.bytes()};
}

std::vector<Measurement> FunctionalBandit::measurements(const RunOutcome& outcome) const {
  const ArmsSummary& arms = outcome.arms;
  const bool complete = outcome.status == RunStatus::finished;
  std::vector<Measurement> measurements;
  add_regret(outcome, measurements);
  if (arms.answer)
    if (const auto rank = arms_->rank_of(*arms.answer))
      measurements.push_back({"rank of the answer", "", *rank, std::nullopt});
  Bound most = pulls_bound();
  if (outcome.total(&TypeAccount::sent, Restarted::kName) > 0 &&
      most.value < static_cast<double>(pulls_))
    does_not_apply(most, "an arm lost its optimizer's state");
  measurements.push_back({"evaluations", "", static_cast<double>(arms.pulls), std::move(most)});
  Measurement rounds = identity("rounds",
                                "",
                                outcome.complete_rounds,
                                static_cast<double>(arms.pulls),
                                "one per pull",
                                complete && pace_.order == PullOrder::sequential);
  if (pace_.order != PullOrder::sequential)
    rounds.bound =
        ceiling(static_cast<double>(pulls_), "one per decision, which starts one pull or more");
  measurements.push_back(std::move(rounds));
  traffic_of_pulls(static_cast<double>(arms.pulls))
      .measure(outcome,
               {.messages = "a request and a reply per pull",
                .payload_up = "28 per pull",
                .payload_down = "4 per pull"},
               complete && outcome.total(&TypeAccount::sent, Restarted::kName) == 0,
               measurements);
  return measurements;
}

void FunctionalBandit::add_regret(const RunOutcome& outcome,
                                  std::vector<Measurement>& measurements) const {
  add_measured_regret(outcome, std::nullopt, measurements);
}

Bound FunctionalBandit::pulls_bound() const {
  return ceiling(static_cast<double>(pulls_),
                 pulls_ == arms_->budget ? "T" : "the pulls of all rungs");
}

void FunctionalBandit::add_measured_regret(const RunOutcome& outcome,
                                           std::optional<Bound> simple,
                                           std::vector<Measurement>& measurements) {
  const auto& regret = outcome.regret;
  if (!regret.simple) return;
  measurements.push_back({"cumulative regret", "", regret.cumulative, std::nullopt});
  measurements.push_back({"simple regret", "", *regret.simple, std::move(simple)});
}

std::vector<std::string> require_functions(const Parameters&, const ProtocolContext& context) {
  const Arm* arm = context.arms->first_with_rewards(true);
  if (arm == nullptr) return {};
  return {fmt::format(
      "arm {} gives rewards and has no function to minimise; allowed: arms of another kind, or an "
      "algorithm for arms with rewards, such as sgd-ucb-smom",
      arm->name)};
}

AlgorithmSpec functional_spec(std::string_view kind,
                              std::string_view summary,
                              std::string_view source,
                              std::vector<ParameterSpec> parameters,
                              decltype(AlgorithmSpec::make) make) {
  return {.kind = kind,
          .summary = summary,
          .source = source,
          .parameters = std::move(parameters),
          .topology = Topology::star,
          .needs_problem = false,
          .needs_arms = true,
          .state_loss = kArmsLoseState,
          .messages = {&kMessageType<Step>, &kMessageType<Stepped>, &kMessageType<Restarted>},
          .make = make,
          .validate = require_functions};
}

}  // namespace posse
