// SPDX-License-Identifier: Apache-2.0
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/pareto.hpp>
#include <boost/math/distributions/uniform.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "core/random/duration_distribution.hpp"

namespace posse::test_duration_distribution {
namespace {

Duration s(double seconds) { return Duration::seconds(seconds); }

struct Case {
  DurationDistribution distribution;
  std::function<double(double)> cdf;  // of the law before its floor, in seconds
  double mean, sd;                    // sd 0: infinite, not tested
};

std::vector<Case> cases() {
  namespace bm = boost::math;
  const auto cdf = [](auto law) { return [law](double x) { return bm::cdf(law, x); }; };
  return {
      {UniformDuration{s(1), s(3)}, cdf(bm::uniform(1, 3)), 2, 1 / std::sqrt(3.0)},
      // Five sds above the floor: cutting changes nothing here.
      {NormalDuration{s(5), s(0.5), s(0)}, cdf(bm::normal(5, 0.5)), 5, 0.5},
      {LognormalDuration{s(1), 0.5, s(0)},
       cdf(bm::lognormal(0, 0.5)),
       std::exp(0.125),
       std::sqrt((std::exp(0.25) - 1) * std::exp(0.25))},
      {ExponentialDuration{s(1), s(0.25)},
       [](double x) { return bm::cdf(bm::exponential(1), std::max(0.0, x - 0.25)); },
       1.25,
       1},
      {ParetoDuration{s(1), 5},
       [](double x) { return x <= 1 ? 0 : bm::cdf(bm::pareto(1, 5), x); },
       1.25,
       std::sqrt(5.0 / 48)},
      {GammaDuration{s(2), 4, s(0)}, cdf(bm::gamma_distribution<>(4, 0.5)), 2, 1},
  };
}

TEST_CASE("durations have the moments and the law of their distribution", "[random][statistical]") {
  // 5 sds of the mean: 6e-7 per case (Pareto's skew is lost in 50000 draws); chi-square over 40
  // equally likely bins at 1e-6.
  constexpr int kDraws = 50000;
  constexpr int kBins = 40;
  const double critical =
      boost::math::quantile(boost::math::complement(boost::math::chi_squared(kBins - 1), 1e-6));
  for (const auto& [distribution, cdf, mean, sd] : cases()) {
    INFO(kind_name(distribution));
    const StreamKey key = stream_key(Seed{4}, "latency", kind_name(distribution));
    double sum = 0;
    std::vector<int> bins(kBins);
    const Duration least = smallest(distribution);
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      const Duration draw = sample(distribution, {key, i});
      REQUIRE(draw >= least);
      sum += draw.to_seconds();
      const auto bin = static_cast<std::size_t>(cdf(draw.to_seconds()) * kBins);
      ++bins[std::min<std::size_t>(bin, kBins - 1)];
    }
    CHECK(std::abs(sum / kDraws - mean) < 5 * sd / std::sqrt(kDraws));
    CHECK(typical(distribution).to_seconds() == Approx(mean).epsilon(1e-6));
    double chi = 0;
    const double expected = static_cast<double>(kDraws) / kBins;
    for (const int n : bins) chi += (n - expected) * (n - expected) / expected;
    CHECK(chi < critical);
  }
}

TEST_CASE("durations equal the recorded values, on which every result depends", "[random]") {
  const StreamKey key = stream_key(Seed{1}, "reward", "client-7");
  const auto draws = [&](const DurationDistribution& d) {
    return std::pair(sample(d, {key, 0}).ns, sample(d, {key, 1}).ns);
  };
  CHECK(draws(UniformDuration{s(1), s(3)}) == std::pair(2005475049L, 1344859423L));
  CHECK(draws(NormalDuration{s(2), s(0.5), s(0)}) == std::pair(2371769869L, 2135710651L));
  CHECK(draws(LognormalDuration{s(1), 0.5, s(0)}) == std::pair(1450299184L, 1145350440L));
  CHECK(draws(ExponentialDuration{s(1), s(0.25)}) == std::pair(1034311001L, 548951364L));
  CHECK(draws(ParetoDuration{s(1), 3}) == std::pair(1257630030L, 1796646487L));
  CHECK(draws(GammaDuration{s(2), 4, s(0)}) == std::pair(1919267153L, 2296037983L));
}

TEST_CASE("draws of a row are those of one after the other", "[random]") {
  const StreamKey key = stream_key(Seed{1}, "latency", "a>b");
  for (const DurationDistribution& d : std::vector<DurationDistribution>{
           UniformDuration{s(1), s(3)},
           NormalDuration{s(2), s(0.5), s(0)},
           // 1000 rows: also draws that the ziggurat rejects, and those of its tail.
           ExponentialDuration{s(1), s(0.25)},
           GammaDuration{s(2), 4, s(0)}}) {
    INFO(kind_name(d));
    for (std::uint64_t first = 0; first < 8000; first += kRowSize) {
      PhiloxRow blocks;
      philox_row(key, first, blocks);
      std::array<Duration, kRowSize> samples;
      sample_row(d, key, first, blocks, samples);
      for (std::size_t i = 0; i < kRowSize; ++i) REQUIRE(samples[i] == sample(d, {key, first + i}));
    }
  }
}

TEST_CASE("all but about one draw in 500 lie in the likely range", "[random]") {
  for (const auto& each : cases()) {
    const auto [least, largest] = likely(each.distribution);
    INFO(kind_name(each.distribution));
    CHECK(least >= smallest(each.distribution));
    const double inside = each.cdf(largest.to_seconds()) - each.cdf(least.to_seconds());
    CHECK(inside > 0.997);
    if (!std::holds_alternative<UniformDuration>(each.distribution)) CHECK(inside < 0.9995);
  }
  CHECK(likely(ConstantDuration{s(2)}) == DurationRange{s(2), s(2)});
  const auto samples = std::make_shared<const std::vector<Duration>>(std::vector{s(3), s(1), s(7)});
  CHECK(likely(EmpiricalDuration{samples}) == DurationRange{s(1), s(7)});
  CHECK(likely(NormalDuration{s(1), s(2), s(0.5)}).least == s(0.5));
  CHECK(likely(GammaDuration{s(1), 0.01, s(0)}).least == s(0));
}

TEST_CASE("no duration is below its distribution's floor, the kernel's lookahead", "[random]") {
  const StreamKey key = stream_key(Seed{1}, "latency", "floor");
  const std::vector<DurationDistribution> floored{NormalDuration{s(1), s(2), s(0.5)},
                                                  LognormalDuration{s(0.1), 2, s(0.5)},
                                                  GammaDuration{s(0.5), 0.5, s(0.5)}};
  for (const auto& d : floored) {
    INFO(kind_name(d));
    CHECK(smallest(d) == s(0.5));
    int at_floor = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      REQUIRE(sample(d, {key, i}) >= s(0.5));
      at_floor += sample(d, {key, i}) == s(0.5);
    }
    CHECK(at_floor > 100);
  }
  CHECK(smallest(ConstantDuration{s(2)}) == s(2));
  CHECK(sample(ConstantDuration{s(2)}, {key, 9}) == s(2));
  CHECK(smallest(NormalDuration{s(1), s(2), s(-3)}) == Duration{});
  for (std::uint64_t i = 0; i < 1000; ++i)
    REQUIRE(sample(NormalDuration{s(0), s(1), s(-3)}, {key, i}) >= Duration{});
}

TEST_CASE("an empirical distribution draws its samples equally often", "[random][statistical]") {
  const auto samples =
      std::make_shared<const std::vector<Duration>>(std::vector<Duration>{s(3), s(1), s(2), s(10)});
  const EmpiricalDuration d{samples};
  CHECK(smallest(d) == s(1));
  CHECK(typical(d) == s(4));
  const StreamKey key = stream_key(Seed{1}, "latency", "empirical");
  std::vector<int> counts(4);
  for (std::uint64_t i = 0; i < 40000; ++i) {
    const Duration draw = sample(d, {key, i});
    for (std::size_t k = 0; k < 4; ++k) counts[k] += draw == (*samples)[k];
  }
  // Binomial sd 87; 5 sds, 6e-7 each.
  for (const int n : counts) CHECK(std::abs(n - 10000) < 435);
}

}  // namespace
}  // namespace posse::test_duration_distribution
