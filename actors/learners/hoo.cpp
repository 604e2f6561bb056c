// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/hoo.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "actors/common/common_measurements.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/learners/single_learner.hpp"
#include "actors/learners/tree_learner.hpp"
#include "core/learner/tree_learners.hpp"
#include "core/theory/smoothness.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse {
namespace {

template <TreeKind kind>
class HooKind final : public TreeLearnerKind {
 public:
  static constexpr std::string_view kName = to_string(kind);
  static constexpr bool kTruncated = kind == TreeKind::t_hoo;

  HooKind(const Parameters& parameters, const ProtocolContext& context)
      : TreeLearnerKind(parameters, context),
        options_{.nu = parameters.real("nu1"),
                 .rho = parameters.real("rho"),
                 .horizon = context.problem->budget(),
                 .depth_slack =
                     kTruncated ? static_cast<std::uint32_t>(parameters.integer("depth_slack")) : 0,
                 .choices = learner_choices(parameters, context.seed, {})} {}

  std::unique_ptr<Learner> make(std::string_view name) const override {
    auto options = options_;
    options.choices.name = name;
    return make_tree_learner(kind, partition(), options);
  }

  ComparisonFacts comparison_facts() const override {
    return comparison_facts_of(Widths::theory, options_.choices);
  }

  std::optional<Bound> depth_bound() const override {
    if (kTruncated)
      return depth_ceiling(
          static_cast<double>(theory::t_hoo_depth(budget(), options_.nu, options_.rho)) +
              options_.depth_slack,
          "ceil((ln(n) / 2 - ln(1/nu)) / ln(1/rho)) + depth_slack");
    return depth_ceiling(static_cast<double>(budget()), "n");
  }

  std::optional<Bound> cells_bound() const override {
    double cells = static_cast<double>(budget());
    const double k = partition().children_per_cell();
    double full = 0;  // k + k^2 + … + k^D
    for (double h = 0; h < depth_bound()->value && full < cells; ++h) full = k * (full + 1);
    return ceiling(1 + std::min(cells, full), "1 + min(n, k + k^2 + … + k^D)");
  }

  std::optional<Bound> regret_bound(const RunOutcome&) const override {
    const auto near = theory::near_optimality_of(problem(), partition(), options_.nu, options_.rho);
    if (!near) return std::nullopt;
    return Bound{
        theory::hoo_regret_rate(budget(), near->dimension),
        BoundKind::rate,
        BoundStrength::order_only,
        false,
        fmt::format("expected regret of order n^((d+1)/(d+2)) ln(n)^(1/(d+2)) with d = {}; the "
                    "constant is unknown; needs weak Lipschitz continuity, (A) alone is "
                    "not sufficient",
                    near->dimension)};
  }

  static std::vector<ParameterSpec> parameters() {
    auto specs = smoothness_parameters();
    if (kTruncated)
      specs.push_back(
          {.name = "depth_slack",
           .type = ParameterType::integer,
           .default_value = std::int64_t{0},
           .help = "number of depths below D that are expanded, too: 0, or 1 as in PyXAB",
           .min = 0,
           .max = 1000});
    append(specs, learner_choice_parameters());
    append(specs, partition_parameters());
    return specs;
  }

 private:
  TreeLearnerOptions options_;
};

constexpr std::string_view kSource =
    "Bubeck, Munos, Stoltz & Szepesvári, X-armed bandits (JMLR 2011)";

}  // namespace

const AlgorithmSpec& hoo_algorithm() {
  static const auto spec = single_learner<HooKind<TreeKind::hoo>>(
      {"hoo", "HOO: optimistic tree search that expands every cell it evaluates", kSource});
  return spec;
}

const AlgorithmSpec& t_hoo_algorithm() {
  static const auto spec = single_learner<HooKind<TreeKind::t_hoo>>(
      {"t-hoo",
       "T-HOO: HOO with a tree truncated at a depth that follows from the budget",
       kSource});
  return spec;
}

}  // namespace posse
