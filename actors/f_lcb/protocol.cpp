// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/protocol.hpp"

#include <fmt/format.h>

#include "actors/f_lcb/allocation/f_lcb.hpp"
#include "actors/f_lcb/allocation/simple_allocations.hpp"
#include "actors/f_lcb/bounds.hpp"
#include "actors/f_lcb/functional_bandit.hpp"

namespace posse {
namespace {

constexpr std::string_view kPaper =
    "Dorn, Katrutsa, Latypov & Soboleva, \"Functional multi-armed bandit and the best function "
    "identification problems\" (2025)";

class FLcbBandit final : public FunctionalBandit {
 public:
  FLcbBandit(const ArmSet& arms, const FLcbOptions& options)
      : FunctionalBandit(
            arms,
            arms.budget,
            PullPace{options.order, options.parallel},
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
    options.parallel = static_cast<std::uint32_t>(
        parameters.is_auto("parallel") ? arms : parameters.integer("parallel"));
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
            arms, arms.budget, PullPace{}, [&arms, seed = context.seed] {
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
              PullPace{},
              [&arms, seed = context.seed, epsilon = parameters.real("epsilon")] {
                return std::make_unique<GreedyAllocation>(arms.size(), arms.budget, epsilon, seed);
              });
        });
    s.validate = require_bounds;
    return s;
  }();
  return spec;
}
}  // namespace posse
