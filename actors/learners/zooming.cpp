// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/zooming.hpp"

#include <fmt/format.h>

#include <memory>

#include "actors/common/common_measurements.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/learners/single_learner.hpp"
#include "actors/learners/tree_learner.hpp"
#include "core/learner/zooming.hpp"
#include "core/theory/optimistic.hpp"
#include "core/theory/smoothness.hpp"

namespace posse {
namespace {

class ZoomingKind final : public TreeLearnerKind {
 public:
  static constexpr std::string_view kName = "zooming";

  ZoomingKind(const Parameters& parameters, const ProtocolContext& context)
      : TreeLearnerKind(parameters, context),
        options_{.horizon = context.problem->budget(),
                 .nu = parameters.real("nu1"),
                 .rho = parameters.real("rho"),
                 .choices = recommendation_choice(parameters, context.seed)} {}

  std::unique_ptr<Learner> make(std::string_view name) const override {
    auto options = options_;
    options.choices.name = name;
    return std::make_unique<Zooming>(partition(), options);
  }

  ComparisonFacts comparison_facts() const override {
    return comparison_facts_of(Widths::theory, options_.choices);
  }

  std::optional<Bound> depth_bound() const override {
    return depth_ceiling(
        theory::zooming_depth_bound(budget(), options_.nu, options_.rho, partition().max_depth()),
        "the smallest h with 2 ln(n) / (nu rho^h)^2 > n");
  }

  std::optional<Bound> cells_bound() const override {
    return ceiling(theory::zooming_cells_bound(budget(),
                                               options_.nu,
                                               options_.rho,
                                               partition().children_per_cell(),
                                               partition().max_depth()),
                   "1 + k sum_h min(k^h, n / T_h), T_h = max(1, floor(2 ln(n) / (nu rho^h)^2))");
  }

  std::optional<Bound> regret_bound(const RunOutcome&) const override {
    const auto near = theory::near_optimality_of(problem(), partition(), options_.nu, options_.rho);
    if (!near) return std::nullopt;
    return Bound{
        theory::zooming_regret_rate(budget(), near->dimension),
        BoundKind::rate,
        BoundStrength::order_only,
        false,
        fmt::format("expected regret of order n^((d+1)/(d+2)) ln(n)^(1/(d+2)) with d = {}; the "
                    "constant is unknown; needs Lipschitz continuity, (A) alone is not sufficient",
                    near->dimension)};
  }

  static std::vector<ParameterSpec> parameters() {
    auto specs = smoothness_parameters();
    for (auto& spec : specs) {
      if (spec.name == "nu1") spec.help = "nu1 rho^h is the diameter of the cells of depth h";
      if (spec.name != "rho") continue;
      spec.help = "factor by which this diameter shrinks per depth";
      spec.default_value = 0.9;
    }
    specs.push_back(recommendation_parameter());
    append(specs, partition_parameters());
    return specs;
  }

 private:
  ZoomingOptions options_;
};

}  // namespace

const AlgorithmSpec& zooming_algorithm() {
  static const auto spec = single_learner<ZoomingKind>(
      {"zooming",
       "zooming: UCB over the points of cells, which are split when their arm's confidence radius "
       "falls below their diameter",
       "Kleinberg, Slivkins & Upfal, Multi-armed bandits in metric spaces (STOC 2008); Bandits and "
       "experts in metric spaces (JACM 2019)"});
  return spec;
}

}  // namespace posse
