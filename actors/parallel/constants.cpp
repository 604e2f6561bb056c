// SPDX-License-Identifier: Apache-2.0
#include "actors/parallel/constants.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "actors/common/bound_conditions.hpp"

namespace posse {

std::vector<ParameterSpec> parallel_constant_parameters() {
  return {{.name = "constants",
           .type = ParameterType::text,
           .default_value = std::string("theory"),
           .help = "default of c: theory, 1/sqrt(2), or practical, 0.1 as in the experiments on "
                   "Fed-PNE; then only the bounds that always hold apply",
           .choices = {"theory", "practical"}},
          {.name = "c",
           .default_value = std::monostate{},
           .help = "confidence width, of means c sqrt(L_h / (m T_h)); auto: given by `constants`",
           .min = 1e-100,
           .max = 1e100}};
}

double parallel_c_squared(const Parameters& parameters) {
  if (parameters.is_auto("c") && parameters.text("constants") == "theory")
    return theory::kTheoryCSquared;
  const double c = parameters.real_or("c", 0.1);
  return c * c;
}

Widths parallel_widths(const theory::ParallelParameters& p) {
  return theory::parallel_constants_apply(p) ? Widths::theory : Widths::practical;
}

void require_parallel_constants(const theory::ParallelParameters& p, Bound& bound) {
  if (!theory::parallel_constants_apply(p))
    does_not_apply(
        bound,
        fmt::format("the theory needs c >= 1/sqrt(2), not c = {:.6g}", std::sqrt(p.c_squared)));
}

}  // namespace posse
