// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "actors/common/bound_conditions.hpp"
#include "actors/common/common_measurements.hpp"
#include "actors/common/restarted.hpp"
#include "actors/common/star.hpp"
#include "actors/common/traffic.hpp"
#include "actors/f_lcb/agent.hpp"
#include "actors/f_lcb/allocation/asha.hpp"
#include "actors/f_lcb/allocation/f_lcb.hpp"
#include "actors/f_lcb/allocation/rung_allocation.hpp"
#include "actors/f_lcb/allocation/simple_allocations.hpp"
#include "actors/f_lcb/arm.hpp"
#include "actors/f_lcb/bounds.hpp"
#include "actors/f_lcb/messages.hpp"
#include "core/role/outcome.hpp"

namespace posse {
namespace {

constexpr MessageFormat kStepFormat{Step::kName, Direction::down, {.bytes = 4, .values = 1}};
constexpr MessageFormat kSteppedFormat{Stepped::kName, Direction::up, {.bytes = 28, .values = 2}};

Traffic traffic_of_pulls(double pulls) { return {{kStepFormat, pulls}, {kSteppedFormat, pulls}}; }

class FunctionalBandit : public Protocol {
 public:
  using MakeAllocation = std::function<std::unique_ptr<Allocation>()>;
  /// `pulls`: the largest number of pulls that the allocation makes. `order`: sequential if each
  /// pull is a round, batched if the agent decides when all replies are there.
  FunctionalBandit(const ArmSet& arms, std::uint64_t pulls, PullOrder order, MakeAllocation make)
      : arms_(&arms), pulls_(pulls), order_(order), make_(std::move(make)) {}

  std::vector<NodeGroup> groups() const override {
    return {{"agent", 1, false}, {"arm", static_cast<std::uint32_t>(arms_->size()), true, 1}};
  }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    if (node == NodeId{0}) return std::make_unique<FunctionalAgent>(*arms_, make_());
    return std::make_unique<FunctionalArm>(*arms_, node.value - 1);
  }
  std::string_view why_order_matters(NodeId node) const override {
    return node == kAgent && order_ == PullOrder::asynchronous ? "each reply starts the next pull"
                                                               : "";
  }
  bool can_lose_state(NodeId node) const override { return node != kAgent; }
  std::unique_ptr<Role> make_role_anew(NodeId node, std::uint64_t evaluations) const override {
    auto arm = std::make_unique<FunctionalArm>(*arms_, node.value - 1);
    arm->go_on_after(evaluations);
    return arm;
  }
  Forecast forecast() const override {
    const auto pulls = static_cast<double>(pulls_);
    const Traffic traffic = traffic_of_pulls(pulls);
    return {pulls, pulls, traffic.messages(), traffic.bytes()};
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
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
                                  complete && order_ == PullOrder::sequential);
    if (order_ != PullOrder::sequential)
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

 protected:
  /// Adds the measurements of regret. F-LCB has more of them.
  virtual void add_regret(const RunOutcome& outcome, std::vector<Measurement>& measurements) const {
    add_measured_regret(outcome, std::nullopt, measurements);
  }
  virtual Bound pulls_bound() const {
    return ceiling(static_cast<double>(pulls_),
                   pulls_ == arms_->budget ? "T" : "the pulls of all rungs");
  }

  static void add_measured_regret(const RunOutcome& outcome,
                                  std::optional<Bound> simple,
                                  std::vector<Measurement>& measurements) {
    const auto& regret = outcome.regret;
    if (!regret.simple) return;
    measurements.push_back({"cumulative regret", "", regret.cumulative, std::nullopt});
    measurements.push_back({"simple regret", "", *regret.simple, std::move(simple)});
  }

  const ArmSet& arms() const { return *arms_; }
  std::uint64_t pulls() const { return pulls_; }

 private:
  const ArmSet* arms_;
  std::uint64_t pulls_;
  PullOrder order_;
  MakeAllocation make_;
};

class FLcbBandit final : public FunctionalBandit {
 public:
  FLcbBandit(const ArmSet& arms, const FLcbOptions& options)
      : FunctionalBandit(
            arms,
            arms.budget,
            options.order,
            [&arms, options] { return std::make_unique<FLcb>(arms.size(), arms.budget, options); }),
        options_(options) {}

 private:
  void add_regret(const RunOutcome& outcome,
                  std::vector<Measurement>& measurements) const override {
    const auto strength = certainty();
    std::optional<Bound> answered;
    // There is no guarantee if the budget ended the run, or if it did not finish.
    if (options_.epsilon > 0 && strength && outcome.status == RunStatus::finished &&
        outcome.arms.pulls < arms().budget)
      answered = Bound{options_.epsilon,
                       BoundKind::exact,
                       *strength,
                       false,
                       "epsilon: guarantee of best function identification"};
    add_measured_regret(outcome, std::move(answered), measurements);
    if (options_.order != PullOrder::sequential || !outcome.regret.simple) return;
    Measurement at_selection{options_.last_value ? "regret at selection, last values"
                                                 : "regret at selection, smallest values",
                             "",
                             options_.last_value ? outcome.arms.last_regret_at_selection
                                                 : outcome.arms.best_regret_at_selection,
                             std::nullopt};
    // Bounds the rounding error of the sums, which have one term per pull.
    const double slack = 1e-9 * (1 + outcome.arms.bounds_at_selection);
    at_selection.bound = Bound{outcome.arms.bounds_at_selection + slack,
                               strength ? BoundKind::exact : BoundKind::does_not_apply,
                               strength.value_or(BoundStrength::always),
                               false,
                               "Lemma 1: the sum of the bounds g at selection, without the first "
                               "pulls of arms; needs valid g"};
    measurements.push_back(std::move(at_selection));
  }

  Bound pulls_bound() const override {
    const auto strength = certainty();
    if (options_.epsilon > 0 && strength && options_.order == PullOrder::sequential) {
      // The ceiling runs the optimizers again, so the number of steps is limited.
      const auto most = std::min<std::uint64_t>(pulls(), 1'000'000);
      if (const auto ceiling = theory::bfi_pulls_ceiling(arms(), options_.epsilon, most);
          ceiling && *ceiling <= pulls())
        return {static_cast<double>(*ceiling),
                BoundKind::exact,
                *strength,
                false,
                "Theorem 4: 1 + sum over arms of the pulls until g_i <= max(f_i* - f* - epsilon/2, "
                "epsilon/2)"};
    }
    return FunctionalBandit::pulls_bound();
  }

  /// The strength of the weakest of the arms' bounds; nothing if some bound is not proven.
  std::optional<BoundStrength> certainty() const {
    BoundStrength strength = BoundStrength::always;
    for (const auto& arm : arms().arms) {
      if (arm.certificate == Certificate::guess) return std::nullopt;
      if (arm.certificate == Certificate::likely) strength = BoundStrength::with_probability;
    }
    return strength;
  }

  FLcbOptions options_;
};

ParameterSpec parallel_parameter(std::int64_t default_value) {
  return {.name = "parallel",
          .type = ParameterType::integer,
          .default_value = default_value,
          .help = "pulls under way at once, of different arms or instances",
          .min = 1,
          .max = 65536};
}

ParameterSpec eta_parameter(ParameterType type, ParameterValue default_value, double min) {
  return {.name = "eta",
          .type = type,
          .default_value = std::move(default_value),
          .help = "one in eta arms of a rung is promoted to the next",
          .min = min,
          .max = 1000};
}

ParameterSpec least_parameter() {
  return {.name = "least",
          .type = ParameterType::integer,
          .default_value = std::monostate{},
          .help = "pulls at the lowest rung, r; auto: 1",
          .min = 1,
          .max = 1e15};
}

ParameterSpec longest_parameter(std::string_view help) {
  return {.name = "longest",
          .type = ParameterType::integer,
          .default_value = std::monostate{},
          .help = help,
          .min = 1,
          .max = 1e15};
}

std::uint32_t parallel_of(const Parameters& parameters) {
  return static_cast<std::uint32_t>(parameters.integer("parallel"));
}

/// Of allocations that start a pull whenever fewer than `parallel` are under way.
PullOrder order_of(std::uint32_t parallel) {
  return parallel == 1 ? PullOrder::sequential : PullOrder::asynchronous;
}

/// Halving and Hyperband.
class RungBandit final : public FunctionalBandit {
 public:
  RungBandit(const ArmSet& arms, const RungPlan& plan, std::uint32_t parallel, Seed seed)
      : FunctionalBandit(arms,
                         plan.pulls(),
                         order_of(parallel),
                         [&arms, plan, parallel, seed] {
                           return std::make_unique<RungAllocation>(
                               arms.size(), plan, parallel, seed);
                         }),
        plan_(plan) {}

  std::string allocation() const override { return plan_.text(); }

 private:
  RungPlan plan_;
};

std::vector<std::string> require_functions(const Parameters&, const ProtocolContext& context) {
  const Arm* arm = context.arms->first_with_rewards(true);
  if (arm == nullptr) return {};
  return {fmt::format(
      "arm {} gives rewards and has no function to minimise; allowed: arms of another kind, or an "
      "algorithm for arms with rewards, such as sgd-ucb-smom",
      arm->name)};
}

/// Of algorithms that compare bounds.
std::vector<std::string> require_bounds(const Parameters& parameters,
                                        const ProtocolContext& context) {
  auto problems = require_functions(parameters, context);
  const auto without = std::ranges::find_if(context.arms->arms,
                                            [](const Arm& arm) { return !arm.no_bound.empty(); });
  if (without != context.arms->arms.end())
    problems.push_back(fmt::format(
        "needs a bound g of every arm; arm {} has none: {}", without->name, without->no_bound));
  return problems;
}

FLcbOptions f_lcb_options(const Parameters& parameters, std::size_t arms) {
  FLcbOptions options;
  options.last_value = parameters.text("value") == "last";
  options.epsilon = parameters.real("epsilon");
  const auto& order = parameters.text("order");
  options.order = order == "batched"        ? PullOrder::batched
                  : order == "asynchronous" ? PullOrder::asynchronous
                                            : PullOrder::sequential;
  if (options.order != PullOrder::sequential)
    options.parallel =
        parameters.is_auto("parallel") ? static_cast<std::uint32_t>(arms) : parallel_of(parameters);
  return options;
}

std::vector<std::string> validate_f_lcb(const Parameters& parameters,
                                        const ProtocolContext& context) {
  auto problems = require_bounds(parameters, context);
  if (parameters.is_auto("parallel")) return problems;
  const auto parallel = parameters.integer("parallel");
  if (parameters.text("order") == "sequential")
    problems.emplace_back("parallel has no effect with order = \"sequential\"");
  else if (parallel > static_cast<std::int64_t>(context.arms->size()))
    problems.push_back(
        fmt::format("parallel = {} is more than the {} arms", parallel, context.arms->size()));
  return problems;
}

std::uint64_t least_of(const Parameters& parameters) {
  return parameters.is_auto("least") ? 1 : static_cast<std::uint64_t>(parameters.integer("least"));
}

/// least and longest, where longest is given.
std::optional<std::pair<std::uint64_t, std::uint64_t>> rungs_of(const Parameters& parameters) {
  if (parameters.is_auto("longest")) return std::nullopt;
  return std::pair(least_of(parameters), static_cast<std::uint64_t>(parameters.integer("longest")));
}

std::optional<std::string> wrong_rungs(const Parameters& parameters) {
  const auto rungs = rungs_of(parameters);
  if (!rungs || rungs->first <= rungs->second) return std::nullopt;
  return fmt::format(
      "least = {} is more than longest = {}; allowed: at most that", rungs->first, rungs->second);
}

RungPlan halving_plan(const Parameters& parameters, const ArmSet& arms) {
  const auto rungs = rungs_of(parameters);
  if (!rungs) return halving_of_budget(arms.size(), arms.budget);
  const double eta = parameters.is_auto("eta") ? 2.0 : parameters.real("eta");
  return halving_to(arms.size(), eta, rungs->first, rungs->second);
}

std::vector<std::string> validate_halving(const Parameters& parameters,
                                          const ProtocolContext& context) {
  auto problems = require_functions(parameters, context);
  const ArmSet& arms = *context.arms;
  if (!rungs_of(parameters)) {
    for (const auto* key : {"eta", "least"})
      if (!parameters.is_auto(key))
        problems.push_back(fmt::format("{} has no effect without longest", key));
  } else if (const auto wrong = wrong_rungs(parameters)) {
    problems.push_back(*wrong);
  } else if (const auto plan = halving_plan(parameters, arms); plan.pulls() > arms.budget) {
    problems.push_back(
        fmt::format("the rungs take {} pulls ({}), budget.pulls = {}; allowed: a budget of at "
                    "least {}, or a smaller longest",
                    plan.pulls(),
                    plan.text(),
                    arms.budget,
                    plan.pulls()));
  }
  return problems;
}

bool is_of_2025(const Parameters& parameters) { return parameters.text("schedule") == "dorn2025"; }

/// Nothing if no round of brackets fits in the budget.
std::optional<RungPlan> hyperband_plan(const Parameters& parameters, std::uint64_t budget) {
  const double eta = parameters.real("eta");
  if (is_of_2025(parameters)) return hyperband_of_2025(eta, budget);
  if (const auto rungs = rungs_of(parameters))
    return hyperband_to(eta, rungs->first, rungs->second, budget);
  const std::uint64_t least = least_of(parameters);
  const auto longest = hyperband_longest(eta, least, budget);
  if (!longest) return std::nullopt;
  return hyperband_to(eta, least, *longest, budget);
}

/// What is wrong with a budget in which no round of brackets fits.
std::string wrong_budget(const Parameters& parameters, std::uint64_t budget) {
  const double eta = parameters.real("eta");
  const std::uint64_t least = least_of(parameters);
  const auto longest =
      parameters.is_auto("longest") ? hyperband_shortest(eta, least) : rungs_of(parameters)->second;
  const auto needed = hyperband_to(eta, least, longest, 0).pulls();
  auto problem = fmt::format(
      "a round of brackets up to {} pulls of an instance takes {} pulls, "
      "budget.pulls = {}; allowed: at least {}",
      longest,
      needed,
      budget,
      needed);
  if (const auto fits = hyperband_longest(eta, least, budget))
    problem += fmt::format(
        ", or longest = {} ({} pulls)", *fits, hyperband_to(eta, least, *fits, 0).pulls());
  return problem;
}

std::vector<std::string> validate_hyperband(const Parameters& parameters,
                                            const ProtocolContext& context) {
  auto problems = require_functions(parameters, context);
  const std::uint64_t budget = context.arms->budget;
  if (is_of_2025(parameters)) {
    for (const auto* key : {"least", "longest"})
      if (!parameters.is_auto(key))
        problems.push_back(fmt::format("{} has no effect with schedule = \"dorn2025\"", key));
    const std::uint64_t pulls = hyperband_plan(parameters, budget)->pulls();
    if (pulls > 2 * budget)
      problems.push_back(fmt::format(
          "with eta = {} and a budget of {} pulls the brackets take {}: raise eta or the budget",
          parameters.real("eta"),
          budget,
          pulls));
  } else if (const auto wrong = wrong_rungs(parameters)) {
    problems.push_back(*wrong);
  } else if (const auto plan = hyperband_plan(parameters, budget);
             !plan || plan->pulls() > budget) {
    problems.push_back(wrong_budget(parameters, budget));
  }
  return problems;
}

/// All functional bandits have the same nodes and messages.
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

constexpr std::string_view kPaper =
    "Dorn, Katrutsa, Latypov & Soboleva, \"Functional multi-armed bandit and the best function "
    "identification problems\" (2025)";

}  // namespace

const AlgorithmSpec& f_lcb_algorithm() {
  static const AlgorithmSpec spec = [] {
    AlgorithmSpec s = functional_spec(
        "f-lcb",
        "functional bandit: pulls the arm with the smallest lower confidence bound on its minimum",
        kPaper,
        {{.name = "value",
          .type = ParameterType::text,
          .default_value = std::string("best"),
          .help = "value of an arm in LCB = value - g: best, the smallest one seen, or last, the "
                  "latest one",
          .choices = {"best", "last"}},
         {.name = "epsilon",
          .type = ParameterType::real,
          .default_value = 0.0,
          .help = "best function identification: stop when the selected arm has g <= epsilon/2; 0: "
                  "use the whole budget",
          .min = 0},
         {.name = "order",
          .type = ParameterType::text,
          .default_value = std::string("sequential"),
          .help =
              "sequential: one pull at a time; batched: the arms of lowest LCB at once, then wait "
              "for all of them; asynchronous: always `parallel` arms in flight",
          .choices = {"sequential", "batched", "asynchronous"}},
         {.name = "parallel",
          .type = ParameterType::integer,
          .default_value = std::monostate{},
          .help = "arms at once, if batched or asynchronous; auto: all arms",
          .min = 1,
          .max = 65536}},
        [](const Parameters& parameters,
           const ProtocolContext& context) -> std::unique_ptr<Protocol> {
          return std::make_unique<FLcbBandit>(*context.arms,
                                              f_lcb_options(parameters, context.arms->size()));
        });
    s.validate = validate_f_lcb;
    return s;
  }();
  return spec;
}

const AlgorithmSpec& uniform_allocation_algorithm() {
  static const AlgorithmSpec spec = functional_spec(
      "uniform",
      "functional bandit: pulls every arm in turn",
      "Posse's own baseline",
      {},
      [](const Parameters&, const ProtocolContext& context) -> std::unique_ptr<Protocol> {
        const ArmSet& arms = *context.arms;
        return std::make_unique<FunctionalBandit>(
            arms, arms.budget, PullOrder::sequential, [&arms, seed = context.seed] {
              return std::make_unique<GreedyAllocation>(
                  arms.size(), arms.budget, std::nullopt, seed);
            });
      });
  return spec;
}

const AlgorithmSpec& epsilon_greedy_algorithm() {
  static const AlgorithmSpec spec = [] {
    AlgorithmSpec s = functional_spec(
        "epsilon-greedy",
        "functional bandit: pulls the arm of lowest LCB, with probability epsilon a random arm",
        "Posse's own baseline",
        {{.name = "epsilon",
          .type = ParameterType::real,
          .default_value = 0.1,
          .help = "probability of a uniformly drawn arm",
          .min = 0,
          .max = 1}},
        [](const Parameters& parameters,
           const ProtocolContext& context) -> std::unique_ptr<Protocol> {
          const ArmSet& arms = *context.arms;
          return std::make_unique<FunctionalBandit>(
              arms,
              arms.budget,
              PullOrder::sequential,
              [&arms, seed = context.seed, epsilon = parameters.real("epsilon")] {
                return std::make_unique<GreedyAllocation>(arms.size(), arms.budget, epsilon, seed);
              });
        });
    s.validate = require_bounds;
    return s;
  }();
  return spec;
}

const AlgorithmSpec& successive_halving_algorithm() {
  static const AlgorithmSpec spec = [] {
    auto eta = eta_parameter(ParameterType::real, std::monostate{}, 1.1);
    eta.help = "one in eta arms of a rung reaches the next; auto: 2";
    AlgorithmSpec s = functional_spec(
        "successive-halving",
        "functional bandit: rungs of equal pulls, after each the worse half of the arms is dropped",
        "Jamieson & Talwalkar (2016), as Dorn et al. (2025), section 5.4, run it",
        {std::move(eta),
         least_parameter(),
         longest_parameter(
             "pulls at the highest rung, R; auto: every rung has an equal share of the "
             "budget, and the last arm what is left"),
         parallel_parameter(1)},
        [](const Parameters& parameters,
           const ProtocolContext& context) -> std::unique_ptr<Protocol> {
          return std::make_unique<RungBandit>(*context.arms,
                                              halving_plan(parameters, *context.arms),
                                              parallel_of(parameters),
                                              context.seed);
        });
    s.validate = validate_halving;
    return s;
  }();
  return spec;
}

const AlgorithmSpec& hyperband_algorithm() {
  static const AlgorithmSpec spec = [] {
    AlgorithmSpec s = functional_spec(
        "hyperband",
        "functional bandit: brackets of successive halving, from many short runs to few long ones",
        "Li, Jamieson, DeSalvo, Rostamizadeh & Talwalkar (2018)",
        {eta_parameter(ParameterType::real, 2.0, 1.1),
         least_parameter(),
         longest_parameter("pulls at the highest rung, R; auto: the most with which a round of "
                           "brackets fits in the budget"),
         {.name = "schedule",
          .type = ParameterType::text,
          .default_value = std::string("whole-rounds"),
          .help = "whole-rounds: as many rounds of all brackets as fit in the budget; dorn2025: "
                  "one round, as Dorn et al. (2025), section 5.4, ran it, which may exceed the "
                  "budget",
          .choices = {"whole-rounds", "dorn2025"}},
         parallel_parameter(1)},
        [](const Parameters& parameters,
           const ProtocolContext& context) -> std::unique_ptr<Protocol> {
          const ArmSet& arms = *context.arms;
          return std::make_unique<RungBandit>(arms,
                                              *hyperband_plan(parameters, arms.budget),
                                              parallel_of(parameters),
                                              context.seed);
        });
    s.validate = validate_hyperband;
    return s;
  }();
  return spec;
}

const AlgorithmSpec& asha_algorithm() {
  static const AlgorithmSpec spec = functional_spec(
      "asha",
      "functional bandit: asynchronous successive halving",
      "Li, Jamieson, Rostamizadeh et al., A system for massively parallel hyperparameter tuning "
      "(MLSys 2020)",
      {eta_parameter(ParameterType::integer, std::int64_t{2}, 2), parallel_parameter(4)},
      [](const Parameters& parameters,
         const ProtocolContext& context) -> std::unique_ptr<Protocol> {
        const ArmSet& arms = *context.arms;
        const auto parallel = parallel_of(parameters);
        const auto eta = static_cast<std::uint32_t>(parameters.integer("eta"));
        return std::make_unique<FunctionalBandit>(
            arms, arms.budget, order_of(parallel), [=, &arms] {
              return std::make_unique<Asha>(arms.size(), arms.budget, eta, parallel);
            });
      });
  return spec;
}

}  // namespace posse
