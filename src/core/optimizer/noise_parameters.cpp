// SPDX-License-Identifier: Apache-2.0
#include "core/optimizer/noise_parameters.hpp"

#include <fmt/format.h>

namespace posse {

std::vector<ParameterSpec> gradient_noise_parameters(std::string kind, double sigma) {
  return {
      {.name = "noise",
       .type = ParameterType::text,
       .default_value = std::move(kind),
       .help = "noise of the gradients; gaussian: N(0, sigma^2/d) per coordinate; heavy-tail: "
               "E|noise|^alpha = sigma^alpha, no moment of order theta",
       .choices = {"gaussian", "heavy-tail", "none"}},
      {.name = "sigma", .default_value = sigma, .help = "size of the noise", .min = 0, .max = 1e6},
      {.name = "alpha",
       .default_value = std::monostate{},
       .help = "order of the moment that sigma bounds; auto: 2, or 1.5 for heavy-tail",
       .min = 1,
       .max = 2,
       .min_open = true},
      {.name = "theta",
       .default_value = std::monostate{},
       .help = "tail index of heavy-tail, above alpha; auto: alpha + 0.5",
       .min = 1,
       .max = 100,
       .min_open = true}};
}

GradientNoise parse_gradient_noise(const Parameters& p) {
  GradientNoise noise;
  const std::string& kind = p.text("noise");
  noise.sigma = kind == "none" ? 0 : p.real("sigma");
  if (kind == "gaussian") noise.kind = GradientNoiseKind::gaussian;
  if (kind != "heavy-tail") {
    if (!p.is_auto("alpha") && p.real("alpha") != 2)
      throw InputError(fmt::format("{} with noise = \"{}\", whose moment is of order 2; other "
                                   "orders need noise = \"heavy-tail\"",
                                   p.real("alpha"),
                                   kind),
                       "alpha");
    return noise;
  }
  noise.kind = GradientNoiseKind::heavy_tail;
  noise.alpha = p.real_or("alpha", 1.5);
  noise.theta = p.real_or("theta", noise.alpha + 0.5);
  if (noise.theta <= noise.alpha)
    throw InputError(fmt::format("{} is not above alpha = {}: the moment of order alpha would be "
                                 "infinite",
                                 noise.theta,
                                 noise.alpha),
                     "theta");
  return noise;
}

}  // namespace posse
