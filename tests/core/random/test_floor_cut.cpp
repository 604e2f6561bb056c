// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/random/floor_cut.hpp"

namespace posse::test_floor_cut {
namespace {

Duration ms(double x) { return Duration::seconds(x * 1e-3); }

}  // namespace

TEST_CASE("the share that a floor cuts and the mean after it are those of many draws") {
  const std::vector<DurationDistribution> all{NormalDuration{ms(2), ms(5), {}},
                                              NormalDuration{ms(20), ms(5), ms(18)},
                                              LognormalDuration{ms(8), 0.7, ms(6)},
                                              GammaDuration{ms(10), 0.8, ms(3)},
                                              GammaDuration{ms(10), 4, ms(12)}};
  constexpr std::uint64_t kDraws = 200'000;
  for (const auto& distribution : all) {
    const auto cut = cut_by_floor(distribution);
    REQUIRE(cut);
    double sum = 0;
    std::uint64_t raised = 0;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      const Duration drawn = sample(distribution, DrawEngine(StreamKey{1}, i));
      sum += drawn.to_seconds();
      raised += drawn == smallest(distribution);
    }
    CHECK(sum / kDraws == Approx(cut->mean.to_seconds()).epsilon(0.01));
    CHECK(static_cast<double>(raised) / kDraws == Approx(cut->share).margin(0.005));
  }
}

TEST_CASE("a floor that is not above 0 cuts only what may be negative") {
  CHECK(cut_by_floor(NormalDuration{ms(2), ms(5), {}})->mean_before == ms(2));
  CHECK(cut_by_floor(NormalDuration{ms(20), {}, {}})->share == 0);
  CHECK_FALSE(cut_by_floor(LognormalDuration{ms(8), 0.7, {}}));
  CHECK_FALSE(cut_by_floor(GammaDuration{ms(8), 2, {}}));
  CHECK_FALSE(cut_by_floor(ExponentialDuration{ms(8), ms(3)}));
  CHECK_FALSE(cut_by_floor(ConstantDuration{ms(8)}));
}

}  // namespace posse::test_floor_cut
