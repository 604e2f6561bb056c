// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/gp_ts.hpp"

#include <memory>
#include <string>

#include "actors/common/common_measurements.hpp"
#include "actors/learners/single_learner.hpp"
#include "core/learner/gp_ts.hpp"

namespace posse {
namespace {

class GpTsKind final : public LearnerKind {
 public:
  static constexpr std::string_view kName = "gp-ts";

  GpTsKind(const Parameters& parameters, const ProtocolContext& context)
      : problem_(context.problem),
        arms_(context.problem->domain(), arm_options(parameters), context.seed),
        features_(arms_, parameters.real("length_scale")),
        options_(gp_ts_options(parameters, context.problem->budget(), context.seed, {})) {}

  const PointSet& points() const override { return arms_; }

  std::unique_ptr<Learner> make(std::string_view name) const override {
    auto options = options_;
    options.name = name;
    return std::make_unique<GpTs>(features_, options);
  }

  ComparisonFacts comparison_facts() const override {
    return {.widths = options_.theory_v ? Widths::theory : Widths::practical};
  }

  std::optional<Bound> regret_bound(const RunOutcome& outcome) const override {
    return regret_floor_of_arms(*problem_, arms_, outcome);
  }

  static std::vector<ParameterSpec> parameters() { return gp_ts_parameters(); }
  static std::vector<std::string> validate(const Parameters& parameters,
                                           const ProtocolContext& context) {
    return validate_gp_ts(parameters, context.problem->domain().dimension());
  }

 private:
  const Problem* problem_;
  ArmPoints arms_;
  KernelFeatures features_;
  GpTsOptions options_;
};

}  // namespace

const AlgorithmSpec& gp_ts_algorithm() {
  static const auto spec = single_learner<GpTsKind>(
      {"gp-ts",
       "GP-TS: Thompson sampling with a Gaussian process on random arms",
       "Chowdhury & Gopalan, On kernelized multi-armed bandits (ICML 2017), Algorithm 2"});
  return spec;
}

}  // namespace posse
