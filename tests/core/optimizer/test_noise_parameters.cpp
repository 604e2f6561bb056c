// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/optimizer/noise_parameters.hpp"

namespace test_noise_parameters {

using namespace posse;

namespace {

GradientNoise noise_of(const std::vector<std::pair<std::string_view, ParameterValue>>& given) {
  Parameters parameters = default_parameters(gradient_noise_parameters("gaussian", 2.0));
  for (const auto& [name, value] : given) parameters.set(name, value);
  return parse_gradient_noise(parameters);
}

}  // namespace

TEST_CASE("noise is gaussian of the given size by default, and none has size 0") {
  CHECK(noise_of({}).kind == GradientNoiseKind::gaussian);
  CHECK(noise_of({}).sigma == 2);
  CHECK(noise_of({}).alpha == 2);
  CHECK(noise_of({{"alpha", 2.0}}).alpha == 2);
  CHECK(noise_of({{"noise", std::string("none")}}).kind == GradientNoiseKind::none);
  CHECK(noise_of({{"noise", std::string("none")}}).sigma == 0);
}

TEST_CASE("heavy tails bound the moment of order 1.5 and have none of order 2, unless told else") {
  const ParameterValue heavy = std::string("heavy-tail");
  const auto plain = noise_of({{"noise", heavy}, {"sigma", 3.0}});
  CHECK(plain.kind == GradientNoiseKind::heavy_tail);
  CHECK(plain.sigma == 3);
  CHECK(plain.alpha == 1.5);
  CHECK(plain.theta == 2);
  CHECK(noise_of({{"noise", heavy}, {"alpha", 1.25}}).theta == 1.75);
  CHECK(noise_of({{"noise", heavy}, {"alpha", 1.25}, {"theta", 5.0}}).theta == 5);
  CHECK_THROWS_AS(noise_of({{"noise", heavy}, {"alpha", 1.25}, {"theta", 1.25}}), InputError);
}

}  // namespace test_noise_parameters
