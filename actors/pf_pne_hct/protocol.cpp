// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne_hct/protocol.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "actors/common/common_measurements.hpp"
#include "actors/common/make_from_setup.hpp"
#include "actors/common/star_protocol.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/learners/hct_parameters.hpp"
#include "actors/pf_pne/first_stage.hpp"
#include "actors/pf_pne/messages.hpp"
#include "actors/pf_pne/server.hpp"
#include "actors/pf_pne_hct/client.hpp"
#include "actors/pf_pne_hct/setup.hpp"

namespace posse {
namespace {

/// The parameters of stage 1: c is that of HCT.
Parameters first_stage_parameters(const Parameters& parameters, const ProtocolContext& context) {
  Parameters first = parameters;
  first.set("c", hct_constants(parameters, context.problem->budget()).c);
  return first;
}

template <bool variance>
PfPneHctSetup make_pf_pne_hct_setup(const Parameters& parameters, const ProtocolContext& context) {
  return {make_first_stage_setup(first_stage_parameters(parameters, context), context),
          std::make_shared<const HctKind>(variance, parameters, context)};
}

class PfPneHct final : public StarProtocol<PfPneHctSetup, PfPneServer, PfPneHctClient> {
 public:
  using StarProtocol::StarProtocol;

  ComparisonFacts comparison_facts() const override { return setup_.kind->comparison_facts(); }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    std::vector<Measurement> measurements;
    add_first_stage(setup_, outcome, all_answered(outcome), measurements);
    add_personal_regrets(*setup_.problem, outcome, std::nullopt, measurements);
    add_tree_size(outcome, depth_bound(outcome), cells_bound(outcome), measurements);
    return measurements;
  }

  Forecast forecast() const override { return first_stage_forecast(setup_); }

 private:
  /// HCT's, or the children of the deepest cells that the server has kept.
  Bound depth_bound(const RunOutcome& outcome) const {
    auto bound = *setup_.kind->depth_bound();
    const auto levels =
        std::min<std::size_t>(outcome.complete_rounds, setup_.partition.max_depth());
    bound.value = std::max(bound.value, static_cast<double>(levels));
    bound.note += "; at least the levels of stage 1";
    return bound;
  }

  /// HCT's, and the children of the cells that the server has kept.
  Bound cells_bound(const RunOutcome& outcome) const {
    auto bound = *setup_.kind->cells_bound();
    for (const auto& level : outcome.rounds)
      bound.value += setup_.partition.children_per_cell() * static_cast<double>(level.kept_cells);
    bound.note += "; k per cell that stage 1 kept";
    return bound;
  }
};

template <bool variance>
constexpr std::string_view kPfPneHctName = variance ? "pf-pne-vhct" : "pf-pne-hct";

template <bool variance>
std::vector<std::string> validate_pf_pne_hct(const Parameters& parameters,
                                             const ProtocolContext& context) {
  if (context.problem == nullptr) return {};
  return validate_first_stage(
      kPfPneHctName<variance>, first_stage_parameters(parameters, context), context);
}

template <bool variance>
AlgorithmSpec pf_pne_hct_spec(std::string_view summary, std::string_view source) {
  std::vector<ParameterSpec> specs{
      {.name = "c1",
       .default_value = 1.0,
       .help = "constant in stage 1's Lambda = ln(c1 T / delta); the theory needs c1 >= "
               "(2M^2)^(1/8)",
       .min = 1e-100,
       .max = 1e100},
      max_difference_parameter()};
  append(specs, HctKind::parameters(variance));
  for (auto& spec : specs)
    if (spec.name == "delta")
      spec.help =
          "probability that the guarantees of a stage fail; auto: 1/M in stage 1, then given by "
          "`constants`";
  return {.kind = kPfPneHctName<variance>,
          .summary = summary,
          .source = source,
          .parameters = std::move(specs),
          .topology = Topology::star,
          .uses_policy = true,
          .averages = true,
          .state_loss =
              "a client that lost its state takes part again with the next depth of stage 1, "
              "without its samples of earlier depths; it doesn't know when stage 2 has begun: then "
              "it makes no more evaluations",
          .messages = {&kMessageType<LocalMeans>, &kMessageType<Survivors>},
          .make = &make_from_setup<PfPneHct, make_pf_pne_hct_setup<variance>>,
          .validate = &validate_pf_pne_hct<variance>};
}

}  // namespace

const AlgorithmSpec& pf_pne_hct_algorithm() {
  static const auto spec = pf_pne_hct_spec<false>(
      "PF-PNE's search together, then HCT at every client from what it knows (experimental)",
      "Posse's own: stage 1 of PF-PNE (Li, Song & Honorio 2024), then HCT (Azar, Lazaric & "
      "Brunskill 2014) at each client");
  return spec;
}

const AlgorithmSpec& pf_pne_vhct_algorithm() {
  static const auto spec = pf_pne_hct_spec<true>(
      "PF-PNE's search together, then VHCT at every client from what it knows (experimental)",
      "Posse's own: stage 1 of PF-PNE (Li, Song & Honorio 2024), then VHCT (Li, Wang, Cheng & Song "
      "2023) at each client");
  return spec;
}

}  // namespace posse
