// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/hct.hpp"

#include "actors/learners/hct_kind.hpp"
#include "actors/learners/single_learner.hpp"

namespace posse {
namespace {

template <bool variance>
class PlacedHct final : public HctKind {
 public:
  static constexpr std::string_view kName = variance ? "vhct" : "hct";

  PlacedHct(const Parameters& parameters, const ProtocolContext& context)
      : HctKind(variance, parameters, context, parameters.boolean("resplit")) {}

  static std::vector<ParameterSpec> parameters() {
    auto specs = HctKind::parameters(variance);
    specs.push_back(
        {.name = "resplit",
         .type = ParameterType::boolean,
         .default_value = false,
         .help =
             "an expanded cell that is pulled until its threshold, which grows, is reached again "
             "is expanded anew, and all cells below it are forgotten: not the published "
             "algorithm, but PyXAB's, which the figures of Fed-PNE and PF-PNE were made with"});
    return specs;
  }
};

using HctIid = PlacedHct<false>;
using Vhct = PlacedHct<true>;

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
