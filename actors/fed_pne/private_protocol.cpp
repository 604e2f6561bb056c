// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne/private_protocol.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/common/tree_parameters.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_pne/setup.hpp"

namespace posse {
namespace {

std::vector<ParameterSpec> dp_fed_pne_parameters() {
  std::vector<ParameterSpec> specs{
      {.name = "epsilon",
       .default_value = 1.0,
       .help = "privacy parameter, for each single reward; smaller is more private",
       .min = 1e-6,
       .max = 1e6},
      {.name = "mechanism",
       .type = ParameterType::text,
       .default_value = std::string("laplace"),
       .help =
           "noise on each released mean: laplace (epsilon-DP), gaussian ((epsilon, delta_p)-DP for "
           "epsilon <= 1), or none (Fed-PNE)",
       .choices = {"laplace", "gaussian", "none"}},
      {.name = "delta_p",
       .default_value = 1e-5,
       .help = "delta of the (epsilon, delta)-DP of the gaussian mechanism",
       .min = 1e-100,
       .max = 1,
       .max_open = true},
      {.name = "radius",
       .type = ParameterType::text,
       .default_value = std::string("practical"),
       .help = "allowance for the noise in the confidence radius: practical (c sqrt(Lambda) "
               "standard deviations, for c near 1) or theory (a tail bound, for c >= 2)",
       .choices = {"practical", "theory"}},
  };
  append(specs, fed_pne_parameters());
  return specs;
}

theory::Privacy privacy_of(const Parameters& parameters) {
  const auto& mechanism = parameters.text("mechanism");
  if (mechanism == "none") return {};
  return {.mechanism = mechanism == "gaussian" ? theory::PrivacyMechanism::gaussian
                                               : theory::PrivacyMechanism::laplace,
          .epsilon = parameters.real("epsilon"),
          .delta = parameters.real("delta_p"),
          .theory_radius = parameters.text("radius") == "theory"};
}

std::unique_ptr<Protocol> make(const Parameters& parameters, const ProtocolContext& context) {
  FedPneSetup setup = make_fed_pne_setup(parameters, context);
  setup.privacy = privacy_of(parameters);
  return make_fed_pne(std::move(setup));
}

std::vector<std::string> validate_dp_fed_pne(const Parameters& parameters,
                                             const ProtocolContext& context) {
  auto problems = validate_fed_pne("dp-fed-pne", parameters, context);
  const double epsilon = parameters.real("epsilon");
  if (parameters.text("mechanism") == "gaussian" && epsilon > 1)
    problems.push_back(fmt::format(
        "dp-fed-pne: the gaussian mechanism is (epsilon, delta_p)-private for epsilon <= 1, "
        "given {}; use laplace",
        epsilon));
  return problems;
}

}  // namespace

const AlgorithmSpec& dp_fed_pne_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "dp-fed-pne",
      .summary = "Fed-PNE with differential privacy: clients add noise to the means they send",
      .source =
          "Posse's own mechanism for Li, Song, Honorio and Lin, Federated X-armed bandit (AAAI "
          "2024)",
      .parameters = dp_fed_pne_parameters(),
      .topology = Topology::star,
      .uses_policy = true,
      .averages = true,
      .state_loss =
          "a client that lost its state takes part again at the next phase; it can't with compact "
          "plans, which refer to earlier ones, or with edges between server and clients",
      .messages = fed_pne_algorithm().messages,
      .make = &make,
      .validate = &validate_dp_fed_pne};
  return spec;
}

}  // namespace posse
