// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/stroquool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "actors/common/common_measurements.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/learners/deterministic_learner.hpp"
#include "actors/learners/single_learner.hpp"
#include "core/learner/stroquool.hpp"
#include "core/theory/optimistic.hpp"

namespace posse {
namespace {

class StroquOolKind final : public DeterministicLearnerKind {
 public:
  static constexpr std::string_view kName = "stroquool";

  StroquOolKind(const Parameters& parameters, const ProtocolContext& context)
      : DeterministicLearnerKind(parameters, context),
        options_{.horizon = parameters.is_auto("horizon")
                                ? budget()
                                : static_cast<std::uint64_t>(parameters.integer("horizon"))},
        max_depth_(theory::stroquool_depth(options_.horizon, partition().children_per_cell())) {}

  std::unique_ptr<Learner> make(std::string_view) const override {
    return std::make_unique<StroquOol>(partition(), options_);
  }

  std::optional<Bound> depth_bound() const override {
    return depth_ceiling(1 + static_cast<double>(max_depth_), "1 + h_max");
  }

  std::optional<Bound> cells_bound() const override {
    return ceiling(1 + static_cast<double>(budget()), "1 + n: at most a cell for each evaluation");
  }

  std::optional<Bound> loss_bound(const RunOutcome& outcome) const override {
    const auto known = this->known();
    if (problem().noise().range_width() > 0)
      return Bound{theory::stroquool_loss_rate(budget(), known ? known->near.dimension : 0),
                   BoundKind::rate,
                   BoundStrength::order_only,
                   false,
                   fmt::format("of order (ln^4(n) / n)^(1/(d+2)) for near-optimality dimension d = "
                               "{}; the constant is unknown",
                               known ? known->near.dimension : 0)};
    if (!known) return std::nullopt;
    const auto deepest = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(max_depth_, partition().max_depth() - 1));
    const auto& [nu, rho] = known->smoothness;
    const auto depth = theory::stroquool_loss_depth(max_depth_, deepest, known->near, rho);
    const double evaluations =
        theory::stroquool_evaluations(max_depth_, deepest, partition().children_per_cell());
    return without_noise(
        outcome,
        depth,
        fmt::format("without noise: nu rho^(h + 1) for the largest h with 1 + sum_(l <= h) (C "
                    "rho^(-d l) - 1) <= floor(h_max / h), h_max = {}; d = {}, C = {}",
                    max_depth_,
                    known->near.dimension,
                    known->near.constant),
        nu,
        rho,
        evaluations <= static_cast<double>(budget())
            ? ""
            : fmt::format("the schedule may need {} evaluations", evaluations));
  }

  static std::vector<ParameterSpec> parameters() {
    std::vector<ParameterSpec> specs{
        {.name = "horizon",
         .type = ParameterType::integer,
         .default_value = std::monostate{},
         .help = "n of the paper, for which the schedule is made; auto: the budget",
         .min = 1,
         .max = 1e15}};
    append(specs, partition_parameters());
    return specs;
  }

 private:
  StroquOolOptions options_;
  std::uint64_t max_depth_;
};

}  // namespace

const AlgorithmSpec& stroquool_algorithm() {
  static const auto spec = single_learner<StroquOolKind>(
      {"stroquool",
       "StroquOOL: opens the best cells of one depth after the other, the best ones most often, "
       "and "
       "validates the finds; needs neither smoothness constants nor the range of the noise",
       "Bartlett, Gabillon & Valko, A simple parameter-free and adaptive approach to optimization "
       "under a minimal local smoothness assumption (ALT 2019)"});
  return spec;
}

}  // namespace posse
