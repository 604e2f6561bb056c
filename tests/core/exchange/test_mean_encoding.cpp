// SPDX-License-Identifier: Apache-2.0
// Rounding of means: unbiased, within a step, reversible.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "core/exchange/mean_encoding.hpp"

namespace posse::test_mean_encoding {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<MeanEncoding> grids() {
  std::vector<MeanEncoding> all;
  for (const MeanFormat format : {MeanFormat::u16, MeanFormat::u8}) {
    all.push_back({format});
    all.push_back({format, -0.1, 1.1});
    all.push_back({format, -1e6, -999'999.999});
    all.push_back({format, -3, 1e6});
  }
  return all;
}
double step_of(const MeanEncoding& e) { return (e.high - e.low) / e.steps(); }
/// Rounding errors of doubles of the size of the range.
double tiny(const MeanEncoding& e) { return 4e-16 * (std::abs(e.low) + std::abs(e.high)); }

}  // namespace

TEST_CASE("every value of a grid has a code of its own, and the ends are exact") {
  for (const MeanEncoding& e : grids()) {
    INFO(to_string(e.format) << " from " << e.low << " to " << e.high);
    CHECK(e.steps() == (e.format == MeanFormat::u16 ? 65535 : 255));
    CHECK(e.grid_value(0) == e.low);
    CHECK(e.grid_value(e.steps()) == e.high);
    bool all = true, ascending = true;
    for (std::uint32_t i = 0; i <= e.steps(); ++i) {
      const double value = e.grid_value(i);
      if (e.format == MeanFormat::u16)
        all = all && e.value_of(e.code_of<std::uint16_t>(value)) == value;
      else
        all = all && e.value_of(e.code_of<std::uint8_t>(value)) == value;
      ascending = ascending && (i == 0 || e.grid_value(i - 1) < value);
    }
    CHECK(all);
    CHECK(ascending);
  }
}

TEST_CASE("over all draws the rounded value is the mean, and never a step away") {
  // With u = 1/(2n), 3/(2n), … a fraction p of the draws lies below p, to 1/(2n).
  constexpr std::uint32_t kDraws = 2000;
  for (const MeanEncoding& e : grids()) {
    const double step = step_of(e);
    for (int i = 0; i <= 300; ++i) {
      const double mean = e.low + (e.high - e.low) * (i / 300.0);
      INFO(to_string(e.format) << " from " << e.low << " to " << e.high << ", mean " << mean);
      double sum = 0, farthest = 0;
      for (std::uint32_t draw = 0; draw < kDraws; ++draw) {
        const double error = e.grid_value(e.rounded(mean, (draw + 0.5) / kDraws)) - mean;
        sum += error;
        farthest = std::max(farthest, std::abs(error));
      }
      CHECK(std::abs(sum / kDraws) <= step / (2 * kDraws) + tiny(e));
      CHECK(farthest < step + tiny(e));
    }
  }
}

TEST_CASE("a node's draws are unbiased and have the variance of a Bernoulli variate") {
  // 3/10 of a step above a value of the grid: up with probability 0.3. The interval fails with
  // probability 6e-7 (5 standard deviations).
  constexpr std::uint64_t kMeans = 200'000;
  const MeanEncoding e{MeanFormat::u8};
  MeanRounding rounding(e, Seed{4}, "client-3");
  std::uint64_t up = 0;
  for (std::uint64_t i = 0; i < kMeans; ++i) {
    const double value = rounding.round(100.3 / 255);
    REQUIRE((value == 100.0 / 255 || value == 101.0 / 255));
    up += value > 100.3 / 255;
  }
  const double expected = 0.3 * kMeans, sd = std::sqrt(0.3 * 0.7 * kMeans);
  CHECK(std::abs(static_cast<double>(up) - expected) < 5 * sd);
  CHECK(rounding.clipped() == 0);
}

TEST_CASE("means outside the range become its ends and are counted") {
  for (const MeanEncoding& e : grids()) {
    MeanRounding rounding(e, Seed{1}, "player-0");
    CHECK(rounding.round(e.low) == e.low);
    CHECK(rounding.round(e.high) == e.high);
    CHECK(rounding.clipped() == 0);
    CHECK(rounding.round(std::nextafter(e.low, -kInfinity)) == e.low);
    CHECK(rounding.round(-kInfinity) == e.low);
    CHECK(rounding.round(1e300) == e.high);
    CHECK(rounding.round(kInfinity) == e.high);
    CHECK(rounding.clipped() == 4);
    CHECK(e.nearest(-kInfinity) == 0);
    CHECK(e.nearest(kInfinity) == e.steps());
  }
}

TEST_CASE("f32 is the nearest float, f64 the mean itself") {
  MeanRounding single({MeanFormat::f32}, Seed{1}, "client-0");
  DrawEngine draws(stream_key(Seed{3}, "test", "floats"), 0);
  for (int i = 0; i < 1000; ++i) {
    const double mean = (draws.uniform() - 0.5) * 20;
    const double value = single.round(mean);
    const auto code = MeanEncoding{MeanFormat::f32}.code_of<float>(value);
    REQUIRE(double{code} == value);
    const double error = std::abs(value - mean);
    REQUIRE(error <= std::abs(double{std::nextafter(code, -INFINITY)} - mean));
    REQUIRE(error <= std::abs(double{std::nextafter(code, INFINITY)} - mean));
  }
  CHECK(single.clipped() == 0);
  CHECK(single.round(-1e300) == -double{std::numeric_limits<float>::max()});
  CHECK(single.clipped() == 1);

  MeanRounding exact({}, Seed{1}, "client-0");
  CHECK(exact.round(0.1) == 0.1);
  CHECK(exact.round(-1e300) == -1e300);
  CHECK(exact.clipped() == 0);
}

TEST_CASE("a rounding depends on seed, node and the number of the mean only") {
  const MeanEncoding e{MeanFormat::u8};
  const auto values_of = [&](Seed seed, std::string_view node, std::uint64_t skipped) {
    MeanRounding rounding(e, seed, node);
    rounding.go_on_after(skipped);
    std::vector<double> values;
    for (std::uint64_t i = skipped; i < 64; ++i) values.push_back(rounding.round(0.1));
    return values;
  };
  const auto all = values_of(Seed{1}, "client-1", 0);
  CHECK(values_of(Seed{1}, "client-1", 24) == std::vector(all.begin() + 24, all.end()));
  CHECK(values_of(Seed{1}, "client-2", 0) != all);
  CHECK(values_of(Seed{2}, "client-1", 0) != all);
}

TEST_CASE("a mean has 8, 4, 2 or 1 bytes") {
  std::vector<std::uint32_t> bytes;
  for (const MeanFormat format : kMeanFormats)
    bytes.push_back(MeanEncoding{format}.bytes_per_mean());
  CHECK(bytes == std::vector<std::uint32_t>{8, 4, 2, 1});
}

}  // namespace posse::test_mean_encoding
