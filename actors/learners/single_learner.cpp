// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/single_learner.hpp"

#include <utility>

#include "actors/common/common_measurements.hpp"
#include "actors/common/star.hpp"
#include "actors/common/traffic.hpp"
#include "actors/learners/central_learner.hpp"
#include "actors/learners/local_learner.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kMostSteps = 1'000'000'000;  // of a central learner; each step is a round
constexpr MessageFormat kQueryFormat{Query::kName, Direction::down, {.bytes = 16, .values = 1}};
constexpr MessageFormat kRewardFormat{Reward::kName, Direction::up, {.bytes = 12, .values = 1}};

class SingleLearner final : public Protocol {
 public:
  SingleLearner(std::unique_ptr<const LearnerKind> kind,
                Placement placement,
                const ProtocolContext& context)
      : kind_(std::move(kind)),
        central_(placement == Placement::central),
        setup_{context.problem, kind_.get(), context.clients, context.policy} {}

  std::vector<NodeGroup> groups() const override {
    if (central_) return {{"learner", 1, false}, {"environment", setup_.clients, true}};
    return {{"client", setup_.clients, true}};
  }

  std::unique_ptr<Role> make_role(NodeId node) const override {
    if (!central_) return std::make_unique<LocalLearner>(setup_, node.value);
    if (node.value == 0) return std::make_unique<CentralLearner>(setup_);
    return std::make_unique<Environment>(setup_, node.value - 1);
  }

  bool can_lose_state(NodeId node) const override { return !central_ || node != kServer; }
  std::unique_ptr<Role> make_role_anew(NodeId node, std::uint64_t evaluations) const override {
    if (!central_) return std::make_unique<LocalLearner>(setup_, node.value, evaluations);
    return std::make_unique<Environment>(setup_, node.value - 1, evaluations);
  }

  std::optional<Topology> topology() const override {
    return central_ ? Topology::star : Topology::none;
  }

  ComparisonFacts comparison_facts() const override { return kind_->comparison_facts(); }

  std::string_view why_order_matters(NodeId node) const override {
    return central_ && node == kServer ? posse::why_order_matters(setup_.policy)
                                       : std::string_view{};
  }
  bool waits_for_all() const override { return central_ && setup_.policy.kind == PolicyKind::all; }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    std::vector<Measurement> measurements;
    add_communication(outcome, measurements);
    add_regrets(*setup_.problem, outcome, kind_->regret_bound(outcome), measurements);
    for (auto& measurement : measurements)
      if (measurement.name == "simple regret") measurement.bound = kind_->loss_bound(outcome);
    add_tree_size(*kind_, outcome, measurements);
    return measurements;
  }

  Forecast forecast() const override {
    return {
        setup_.clients * steps(), central_ ? steps() : 0, traffic().messages(), traffic().bytes()};
  }

 private:
  double steps() const { return static_cast<double>(setup_.problem->budget()); }

  Traffic traffic() const {
    const double each = central_ ? setup_.clients * steps() : 0;
    return {{kQueryFormat, each}, {kRewardFormat, each}};
  }

  /// The counts are known before the run. Under a quorum or a deadline, however, environments may
  /// miss queries.
  void add_communication(const RunOutcome& outcome, std::vector<Measurement>& measurements) const {
    const bool finished = outcome.status == RunStatus::finished;
    const bool all = finished && !may_answer_twice(outcome) &&
                     (!central_ || setup_.policy.kind == PolicyKind::all);
    const auto note = [&](std::string_view text) { return central_ ? text : "no communication"; };
    measurements.push_back(identity("rounds",
                                    "",
                                    outcome.complete_rounds,
                                    central_ ? steps() : 0,
                                    std::string(note("n: one per step")),
                                    finished));
    traffic().measure(
        outcome, {.messages = note("2 M n"), .payload_up = note("12 M n")}, all, measurements);
    traffic().measure(outcome, {.payload_down = note("16 M n")}, finished, measurements);
  }

  std::unique_ptr<const LearnerKind> kind_;
  bool central_;
  LearnerSetup setup_;
};

}  // namespace

namespace detail {

ParameterSpec placement_parameter() {
  return {.name = kPlacement,
          .type = ParameterType::text,
          .default_value = std::string(to_string(Placement::central)),
          .help =
              "central: one learner at the server, which learns from the mean of all clients' "
              "rewards at every step; local: one learner at every client, no messages",
          .choices = {to_string(Placement::central), to_string(Placement::local)}};
}

Placement placement_of(const Parameters& parameters) {
  return parameters.text(kPlacement) == to_string(Placement::local) ? Placement::local
                                                                    : Placement::central;
}

std::vector<const MessageType*> learner_messages(Placement placement) {
  if (placement == Placement::local) return {};
  return {&kMessageType<Query>, &kMessageType<Reward>};
}

std::unique_ptr<Protocol> host(std::unique_ptr<const LearnerKind> kind,
                               Placement placement,
                               const ProtocolContext& context) {
  return std::make_unique<SingleLearner>(std::move(kind), placement, context);
}

std::vector<std::string> validate_host(Placement placement, const ProtocolContext& context) {
  const auto budget = context.problem->budget();
  if (placement == Placement::local || budget <= kMostSteps) return {};
  return {fmt::format(
      "at most {} evaluations per client with a central learner (each is a round), given {}",
      kMostSteps,
      budget)};
}

}  // namespace detail
}  // namespace posse
