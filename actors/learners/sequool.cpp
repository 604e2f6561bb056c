// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/sequool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "actors/common/common_measurements.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/learners/deterministic_learner.hpp"
#include "actors/learners/single_learner.hpp"
#include "core/learner/sequool.hpp"
#include "core/theory/optimistic.hpp"

namespace posse {
namespace {

class SequOolKind final : public DeterministicLearnerKind {
 public:
  static constexpr std::string_view kName = "sequool";

  SequOolKind(const Parameters& parameters, const ProtocolContext& context)
      : DeterministicLearnerKind(parameters, context),
        options_{.openings =
                     parameters.is_auto("openings")
                         ? std::max<std::uint64_t>(1, budget() / partition().children_per_cell())
                         : static_cast<std::uint64_t>(parameters.integer("openings"))},
        max_depth_(theory::sequool_depth(options_.openings)) {}

  std::unique_ptr<Learner> make(std::string_view) const override {
    return std::make_unique<SequOol>(partition(), options_);
  }

  std::optional<Bound> depth_bound() const override {
    const std::uint64_t k = partition().children_per_cell();
    return depth_ceiling(static_cast<double>(std::min(1 + max_depth_, (budget() + k - 1) / k)),
                         "1 + h_max, ceil(n / k)");
  }

  std::optional<Bound> cells_bound() const override {
    return ceiling(1 + static_cast<double>(budget()), "1 + n: a cell for each evaluation");
  }

  std::optional<Bound> loss_bound(const RunOutcome& outcome) const override {
    const auto known = this->known();
    if (!known) return std::nullopt;
    // Only depths whose openings are certain to be within the budget count.
    const auto deepest = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(max_depth_, partition().max_depth() - 1));
    std::uint32_t reached = 0;
    while (reached < deepest && theory::sequool_openings(max_depth_, reached + 1) <=
                                    budget() / partition().children_per_cell())
      ++reached;
    const auto& [nu, rho] = known->smoothness;
    const auto depth = theory::sequool_loss_depth(max_depth_, reached, known->near, rho);
    const bool root_opened = budget() >= partition().children_per_cell();
    return without_noise(
        outcome,
        depth,
        fmt::format("nu rho^(h + 1) for the largest h with floor(h_max / h) >= C rho^(-d h), h_max "
                    "= {} (Bartlett, Gabillon & Valko 2019); d = {}, C = {}",
                    max_depth_,
                    known->near.dimension,
                    known->near.constant),
        nu,
        rho,
        root_opened ? "" : "the budget is smaller than k");
  }

  static std::vector<ParameterSpec> parameters() {
    std::vector<ParameterSpec> specs{
        {.name = "openings",
         .type = ParameterType::integer,
         .default_value = std::monostate{},
         .help =
             "n of the paper, the number of cells that may be opened, k evaluations each; auto: "
             "the budget divided by k (PyXAB: the budget)",
         .min = 1,
         .max = 1e15}};
    append(specs, partition_parameters());
    return specs;
  }

 private:
  SequOolOptions options_;
  std::uint64_t max_depth_;
};

}  // namespace

const AlgorithmSpec& sequool_algorithm() {
  static const auto spec = single_learner<SequOolKind>(
      {"sequool",
       "SequOOL: opens the best cells of one depth after the other, fewer at each, one evaluation "
       "per cell; for functions without noise, needs no smoothness constants",
       "Bartlett, Gabillon & Valko, A simple parameter-free and adaptive approach to optimization "
       "under a minimal local smoothness assumption (ALT 2019)"});
  return spec;
}

}  // namespace posse
