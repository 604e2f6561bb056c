// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/vroom.hpp"

#include <memory>

#include "actors/common/tree_parameters.hpp"
#include "actors/learners/single_learner.hpp"
#include "actors/learners/tree_learner.hpp"
#include "core/learner/vroom.hpp"

namespace posse {
namespace {

class VroomKind final : public TreeLearnerKind {
 public:
  static constexpr std::string_view kName = "vroom";

  VroomKind(const Parameters& parameters, const ProtocolContext& context)
      : TreeLearnerKind(parameters, context),
        options_{.horizon = context.problem->budget(),
                 .noise = parameters.real("b"),
                 .reward_bound = parameters.real("f_max"),
                 .seed = context.seed} {
    if (!parameters.is_auto("max_depth"))
      options_.max_depth = static_cast<std::uint32_t>(parameters.integer("max_depth"));
  }

  std::unique_ptr<Learner> make(std::string_view name) const override {
    auto options = options_;
    options.name = name;
    return std::make_unique<Vroom>(partition(), options);
  }

  static std::vector<ParameterSpec> parameters() {
    std::vector<ParameterSpec> specs{
        {.name = "max_depth",
         .type = ParameterType::integer,
         .default_value = std::monostate{},
         .help =
             "deepest depth of cells that are ranked; at most 65536 cells of a depth are; auto: "
             "floor(log_k n) (PyXAB: 100)",
         .min = 1,
         .max = 1e6},
        {.name = "b",
         .default_value = 1.0,
         .help = "range of the noise, for the confidence 4 b / (f_max sqrt n)",
         .min = 1e-100,
         .max = 1e100},
        {.name = "f_max",
         .default_value = 1.0,
         .help = "bound on the rewards' absolute values",
         .min = 1e-100,
         .max = 1e100}};
    append(specs, partition_parameters());
    return specs;
  }

 private:
  VroomOptions options_;
};

}  // namespace

const AlgorithmSpec& vroom_algorithm() {
  static const auto spec = single_learner<VroomKind>(
      {"vroom",
       "VROOM: evaluates random points, more of them in cells of high rank, and outputs a point of "
       "the cell with the best lower bound; robust to rewards that change over time",
       "Bou Ammar, Gabillon, Tutunov & Valko, Derivative-free & order-robust optimisation (AISTATS "
       "2020)"});
  return spec;
}

}  // namespace posse
