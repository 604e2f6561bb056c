// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/soo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "actors/common/common_measurements.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/learners/deterministic_learner.hpp"
#include "actors/learners/single_learner.hpp"
#include "core/learner/soo.hpp"
#include "core/theory/optimistic.hpp"

namespace posse {
namespace {

class SooKind final : public DeterministicLearnerKind {
 public:
  static constexpr std::string_view kName = "soo";

  SooKind(const Parameters& parameters, const ProtocolContext& context)
      : DeterministicLearnerKind(parameters, context) {
    if (!parameters.is_auto("max_depth"))
      options_.max_depth = static_cast<std::uint32_t>(parameters.integer("max_depth"));
  }

  std::unique_ptr<Learner> make(std::string_view) const override {
    return std::make_unique<Soo>(partition(), options_);
  }

  std::optional<Bound> depth_bound() const override {
    // Each expansion adds at most one depth.
    const double expansions = static_cast<double>(started_expansions());
    if (options_.max_depth)
      return depth_ceiling(std::min(1.0 + *options_.max_depth, expansions),
                           "1 + h_max, ceil((n - 1) / k)");
    return depth_ceiling(expansions, "ceil((n - 1) / k)");
  }

  std::optional<Bound> cells_bound() const override {
    return ceiling(static_cast<double>(budget()), "n: a cell for each evaluation");
  }

  std::optional<Bound> loss_bound(const RunOutcome& outcome) const override {
    const auto known = this->known();
    if (!known) return std::nullopt;
    const std::uint64_t expansions = (budget() - 1) / partition().children_per_cell();
    const std::uint32_t max_depth =
        std::min(options_.max_depth.value_or(theory::soo_depth(1 + expansions)),
                 partition().max_depth() - 1);
    const auto& [nu, rho] = known->smoothness;
    const auto depth = theory::soo_loss_depth(expansions, max_depth, known->near, rho);
    return without_noise(
        outcome,
        depth,
        fmt::format("Theorem 2 of Munos 2011: nu rho^min(h, h_max + 1) with the smallest h for "
                    "which h_max sum_(l <= h) C rho^(-d l) >= {} expansions; d = {}, C = {}",
                    expansions,
                    known->near.dimension,
                    known->near.constant),
        nu,
        rho);
  }

  static std::vector<ParameterSpec> parameters() {
    std::vector<ParameterSpec> specs{
        {.name = "max_depth",
         .type = ParameterType::integer,
         .default_value = std::monostate{},
         .help = "h_max, the largest depth of cells that are expanded; auto: sqrt(t) after t - 1 "
                 "expansions, as in the paper's experiments (PyXAB: 100)",
         .min = 0,
         .max = 1e6}};
    append(specs, partition_parameters());
    return specs;
  }

 private:
  std::uint64_t started_expansions() const {
    const std::uint64_t k = partition().children_per_cell();
    return (budget() - 1 + k - 1) / k;
  }

  SooOptions options_;
};

}  // namespace

const AlgorithmSpec& soo_algorithm() {
  static const auto spec = single_learner<SooKind>(
      {"soo",
       "SOO: expands the best leaf of every depth, one evaluation per cell; for functions without "
       "noise, needs no smoothness constants",
       "Munos, Optimistic optimization of a deterministic function without the knowledge of its "
       "smoothness (NIPS 2011)"});
  return spec;
}

}  // namespace posse
