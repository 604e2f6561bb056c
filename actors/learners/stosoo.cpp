// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/stosoo.hpp"

#include <algorithm>
#include <memory>

#include "actors/common/common_measurements.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/learners/single_learner.hpp"
#include "actors/learners/tree_learner.hpp"
#include "core/learner/stosoo.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse {
namespace {

template <class Number>
std::optional<Number> given(const Parameters& parameters, std::string_view name) {
  if (parameters.is_auto(name)) return std::nullopt;
  return static_cast<Number>(parameters.integer(name));
}

class StoSooKind final : public TreeLearnerKind {
 public:
  static constexpr std::string_view kName = "stosoo";

  StoSooKind(const Parameters& parameters, const ProtocolContext& context)
      : TreeLearnerKind(parameters, context),
        options_{.horizon = context.problem->budget(),
                 .kappa = given<std::uint64_t>(parameters, "pulls"),
                 .delta = parameters.is_auto("delta") ? std::nullopt
                                                      : std::optional(parameters.real("delta")),
                 .max_depth = given<std::uint32_t>(parameters, "max_depth")} {}

  std::unique_ptr<Learner> make(std::string_view) const override {
    return std::make_unique<StoSoo>(partition(), options_);
  }

  ComparisonFacts comparison_facts() const override { return {.widths = Widths::theory}; }

  std::optional<Bound> depth_bound() const override {
    const auto kappa = options_.kappa.value_or(theory::stosoo_pulls(budget()));
    return depth_ceiling(1.0 + options_.max_depth.value_or(theory::stosoo_depth(budget(), kappa)),
                         "1 + h_max");
  }

  std::optional<Bound> cells_bound() const override {
    const auto kappa = options_.kappa.value_or(theory::stosoo_pulls(budget()));
    const std::uint64_t expansions = budget() / kappa;
    return ceiling(1 + partition().children_per_cell() * static_cast<double>(expansions),
                   "1 + k n / kappa");
  }

  std::optional<Bound> loss_bound(const RunOutcome&) const override {
    return Bound{
        theory::stosoo_loss_rate(budget()),
        BoundKind::rate,
        BoundStrength::order_only,
        false,
        "of order ln^2(n) / sqrt(n) for near-optimality dimension 0; the constant is unknown"};
  }

  static std::vector<ParameterSpec> parameters() {
    std::vector<ParameterSpec> specs{
        {.name = "pulls",
         .type = ParameterType::integer,
         .default_value = std::monostate{},
         .help = "kappa, pulls of a cell before it is expanded; auto: ceil(n / ln^3 n)",
         .min = 1,
         .max = 1e15},
        {.name = "delta",
         .default_value = std::monostate{},
         .help = "probability that the confidence bounds fail; auto: 1 / sqrt(n)",
         .min = 1e-100,
         .max = 1},
        {.name = "max_depth",
         .type = ParameterType::integer,
         .default_value = std::monostate{},
         .help =
             "h_max, the largest depth of cells that are expanded; auto: floor(sqrt(n / kappa)) "
             "(PyXAB: 100)",
         .min = 0,
         .max = 1e6}};
    append(specs, partition_parameters());
    return specs;
  }

 private:
  StoSooOptions options_;
};

}  // namespace

const AlgorithmSpec& stosoo_algorithm() {
  static const auto spec = single_learner<StoSooKind>(
      {"stosoo",
       "StoSOO: expands the best leaf of every depth, needs no smoothness constants",
       "Valko, Carpentier & Munos, Stochastic simultaneous optimistic optimization (ICML 2013)"});
  return spec;
}

}  // namespace posse
