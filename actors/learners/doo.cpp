// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/doo.hpp"

#include <fmt/format.h>

#include <memory>

#include "actors/common/common_measurements.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/learners/deterministic_learner.hpp"
#include "actors/learners/single_learner.hpp"
#include "core/learner/doo.hpp"
#include "core/theory/assumption_a.hpp"
#include "core/theory/optimistic.hpp"

namespace posse {
namespace {

class DooKind final : public DeterministicLearnerKind {
 public:
  static constexpr std::string_view kName = "doo";

  DooKind(const Parameters& parameters, const ProtocolContext& context)
      : DeterministicLearnerKind(parameters, context),
        options_{.nu = parameters.real("nu1"), .rho = parameters.real("rho")} {}

  std::unique_ptr<Learner> make(std::string_view) const override {
    return std::make_unique<Doo>(partition(), options_);
  }

  std::optional<Bound> depth_bound() const override {
    const std::uint64_t k = partition().children_per_cell();
    return depth_ceiling(static_cast<double>((budget() - 1 + k - 1) / k), "ceil((n - 1) / k)");
  }

  std::optional<Bound> cells_bound() const override {
    return ceiling(static_cast<double>(budget()), "n: a cell for each evaluation");
  }

  /// Every cell that was expanded while (A) held has f(x) >= f* - delta(h), so the deepest one
  /// bounds the loss, without knowledge of C and d. By Theorem 1 its depth is at least
  /// doo_loss_depth. If (A) fails at a depth, as it does at last for want of digits, the depth
  /// above it counts: there the cell on the way to the deepest one, or that of the maximiser, was
  /// expanded in time.
  std::optional<Bound> loss_bound(const RunOutcome& outcome) const override {
    const auto count = outcome.counts.find(kTreeDepth);
    const auto reached =
        count == outcome.counts.end() ? 0 : static_cast<std::uint32_t>(count->second);
    std::uint32_t depth = reached > 0 ? reached - 1 : 0;
    if (const auto fails =
            theory::assumption_a_fails_at(problem(), partition(), options_.nu, options_.rho, depth))
      depth = *fails > 0 ? *fails - 1 : 0;
    auto note = fmt::format(
        "nu rho^h, h = {} a depth of which a cell was expanded, down to which (A) holds", depth);
    if (const auto near =
            theory::near_optimality_of(problem(), partition(), options_.nu, options_.rho))
      note += fmt::format("; Theorem 1 of Munos 2011: h >= {} for d = {}, C = {}",
                          theory::doo_loss_depth((budget() - 1) / partition().children_per_cell(),
                                                 partition().max_depth() - 1,
                                                 *near,
                                                 options_.rho),
                          near->dimension,
                          near->constant);
    return without_noise(outcome, depth, std::move(note), options_.nu, options_.rho);
  }

  static std::vector<ParameterSpec> parameters() {
    auto specs = smoothness_parameters();
    append(specs, partition_parameters());
    return specs;
  }

 private:
  DooOptions options_;
};

}  // namespace

const AlgorithmSpec& doo_algorithm() {
  static const auto spec = single_learner<DooKind>(
      {"doo",
       "DOO: expands the leaf with the largest optimistic value, one evaluation per cell; for "
       "functions without noise of known smoothness",
       "Munos, Optimistic optimization of a deterministic function without the knowledge of its "
       "smoothness (NIPS 2011)"});
  return spec;
}

}  // namespace posse
