// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/hct_kind.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "actors/common/common_measurements.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/learners/hct_parameters.hpp"
#include "core/theory/smoothness.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse {

HctKind::HctKind(bool variance,
                 const Parameters& parameters,
                 const ProtocolContext& context,
                 bool resplit)
    : TreeLearnerKind(parameters, context),
      options_{hct_constants(parameters, context.problem->budget()),
               variance ? std::optional(parameters.real("range")) : std::nullopt,
               resplit,
               learner_choices(parameters, context.seed, {})} {}

Hct HctKind::make_hct(std::string_view name) const {
  auto options = options_;
  options.choices.name = name;
  return Hct(partition(), options);
}

ComparisonFacts HctKind::comparison_facts() const {
  return comparison_facts_of(hct_widths(options_.constants), options_.choices);
}

std::optional<Bound> HctKind::depth_bound() const {
  if (options_.range)
    return depth_ceiling(static_cast<double>(theory::vhct_depth_bound(
                             options_.constants, *options_.range, budget())),
                         "1 + the largest h with tau_h <= n for the smallest variance");
  auto bound =
      depth_ceiling(static_cast<double>(theory::hct_depth_bound(options_.constants, budget())),
                    "1 + floor(ln(n nu^2 / (c^2 L(1))) / (2 ln(1/rho)))");
  if (theory::hct_depth_paper_applies(options_.constants))
    bound.note += fmt::format("; Lemma 4 of Shang, Kaufmann & Valko: {}",
                              theory::hct_depth_paper(options_.constants, budget()));
  return bound;
}

std::optional<Bound> HctKind::cells_bound() const {
  return ceiling(theory::hct_cells_bound(options_.constants,
                                         options_.range,
                                         budget(),
                                         partition().children_per_cell(),
                                         partition().max_depth()),
                 "1 + k (1 + sum over h of min(k^h, n / tau_h)) for the smallest tau_h");
}

std::optional<Bound> HctKind::regret_bound(const RunOutcome& outcome) const {
  const auto& p = options_.constants;
  const auto near = theory::near_optimality_of(problem(), partition(), p.nu, p.rho);
  if (options_.range || !near) return std::nullopt;
  std::string why_not;
  if (!theory::hct_constants_apply(p))
    why_not = fmt::format(
        "the constants are not the theory's (c = {}; it needs c >= 2 / sqrt(1 - rho))", p.c);
  return given_smoothness(
      outcome,
      theory::hct_regret_bound(p, budget(), near->dimension, near->constant),
      fmt::format("sqrt(n) + sqrt(2 n ln(4 n^2 / delta)) + 24 nu (4 C rho^d L_n / ((1-rho)^2 "
                  "nu^2))^(1/(d+2)) n^((d+1)/(d+2)) with d = {}, C = {}, w.p. 1 - delta for each "
                  "learner",
                  near->dimension,
                  near->constant),
      p.nu,
      p.rho,
      std::move(why_not));
}

std::vector<ParameterSpec> HctKind::parameters(bool variance) {
  auto specs = smoothness_parameters();
  append(specs, hct_constant_parameters());
  if (variance) specs.push_back(vhct_range_parameter());
  append(specs, learner_choice_parameters());
  append(specs, partition_parameters());
  return specs;
}

}  // namespace posse
