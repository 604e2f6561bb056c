// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/hct_parameters.hpp"

#include <string>

namespace posse {

std::vector<ParameterSpec> hct_constant_parameters() {
  return {
      {.name = "constants",
       .type = ParameterType::text,
       .default_value = std::string("practical"),
       .help = "defaults of c and delta: practical, 0.1 and 0.01 as in PyXAB, or theory, 2 / "
               "sqrt(1 - rho) and 1/n",
       .choices = {"practical", "theory"}},
      {.name = "c",
       .default_value = std::monostate{},
       .help = "confidence width; auto: given by `constants`",
       .min = 1e-100,
       .max = 1e100},
      {.name = "delta",
       .default_value = std::monostate{},
       .help = "probability that the guarantees fail; auto: given by `constants`",
       .min = 1e-100,
       .max = 1},
  };
}

ParameterSpec vhct_range_parameter() {
  return {.name = "range",
          .default_value = 1.0,
          .help = "b, width of the range of rewards",
          .min = 1e-100,
          .max = 1e100};
}

theory::HctParameters hct_constants(const Parameters& parameters,
                                    std::uint64_t n,
                                    double nu,
                                    double rho) {
  const bool theory = parameters.text("constants") == "theory";
  return {.nu = nu,
          .rho = rho,
          .c = parameters.real_or("c", theory ? theory::hct_theory_c(rho) : 0.1),
          .delta = parameters.real_or("delta", theory ? 1.0 / static_cast<double>(n) : 0.01)};
}

}  // namespace posse
