#include "actors/learners/hct.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "actors/common/common_measurements.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/learners/hct_parameters.hpp"
#include "actors/learners/single_learner.hpp"
#include "actors/learners/tree_learner.hpp"
#include "core/learner/hct.hpp"
#include "core/theory/smoothness.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse {
namespace {

template <bool variance>
class HctKind final : public TreeLearnerKind {
 public:
  static constexpr std::string_view kName = variance ? "vhct" : "hct";

  HctKind(const Parameters& parameters, const ProtocolContext& context)
      : TreeLearnerKind(parameters, context),
        options_{hct_constants(parameters, context.problem->budget()),
                 variance ? std::optional(parameters.real("range")) : std::nullopt,
                 learner_choices(parameters, context.seed, {})} {}

  std::unique_ptr<Learner> make(std::string_view name) const override {
    auto options = options_;
    options.choices.name = name;
    return std::make_unique<Hct>(partition(), options);
  }

  ComparisonFacts comparison_facts() const override {
    return comparison_facts_of(hct_widths(options_.constants), options_.choices);
  }

  std::optional<Bound> depth_bound() const override {
    if (variance)
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

  std::optional<Bound> cells_bound() const override {
    return ceiling(theory::hct_cells_bound(options_.constants,
                                           options_.range,
                                           budget(),
                                           partition().children_per_cell(),
                                           partition().max_depth()),
                   "1 + k (1 + sum over h of min(k^h, n / tau_h)) for the smallest tau_h");
  }

  std::optional<Bound> regret_bound(const RunOutcome& outcome) const override {
    const auto& p = options_.constants;
    const auto near = theory::near_optimality_of(problem(), partition(), p.nu, p.rho);
    if (variance || !near) return std::nullopt;
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

  static std::vector<ParameterSpec> parameters() {
    auto specs = smoothness_parameters();
    append(specs, hct_constant_parameters());
    if (variance) specs.push_back(vhct_range_parameter());
    append(specs, learner_choice_parameters());
    append(specs, partition_parameters());
    return specs;
  }

  static std::vector<std::string> validate(const Parameters& parameters,
                                           const ProtocolContext& context) {
    return validate_partition(parameters, context.problem->domain());
  }

 private:
  HctOptions options_;
};

using HctIid = HctKind<false>;
using Vhct = HctKind<true>;

constexpr std::string_view kHctSource =
    "Azar, Lazaric & Brunskill, Online stochastic optimization under correlated bandit feedback "
    "(ICML 2014); Shang, Kaufmann & Valko (2018), Algorithm 1";

}  // namespace

const AlgorithmSpec& hct_algorithm() {
  static const auto spec = single_learner<HctIid>(
      {"hct",
       "HCT-iid: optimistic tree search that expands a cell once its mean is known well enough",
       kHctSource});
  return spec;
}

const AlgorithmSpec& vhct_algorithm() {
  static const auto spec = single_learner<Vhct>(
      {"vhct",
       "VHCT: HCT with variances, expands a cell earlier if its rewards vary little",
       "Li, Wang, Cheng & Song, Optimum-statistical collaboration towards general and efficient "
       "black-box optimization (TMLR 2023)"});
  return spec;
}

const AlgorithmSpec& hct_central_algorithm() {
  static const auto spec = single_learner_placed<HctIid, Placement::central>(
      {"hct-central",
       "one HCT at the server: in every step all clients evaluate the same point",
       "Li, Song, Honorio & Lin, Federated X-armed bandit (AAAI 2024), Remark 10"});
  return spec;
}

const AlgorithmSpec& hct_local_algorithm() {
  static const auto spec = single_learner_placed<HctIid, Placement::local>(
      {"hct-local",
       "every client runs HCT on its own objective, no messages",
       "Li, Song & Honorio, Personalized federated X-armed bandit (AISTATS 2024), Remark 4.1"});
  return spec;
}

}  // namespace posse
