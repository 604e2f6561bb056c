// SPDX-License-Identifier: Apache-2.0
#include "core/objective/sample_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr std::size_t kMaxSamplePoints = 5000;
constexpr std::size_t kLargestSampledGrid = 7;
constexpr std::size_t kSequencePoints = 1024;

/// The point at these shares, 0 to 1, of the box's widths; 0 and 1 give the bounds exactly.
std::vector<double> at_shares(const Box& box, const std::vector<double>& shares) {
  std::vector<double> x(shares.size());
  for (std::size_t j = 0; j < x.size(); ++j)
    x[j] = shares[j] >= 1
               ? box.high[j]
               : std::clamp(box.low[j] + shares[j] * box.width(j), box.low[j], box.high[j]);
  return x;
}

std::vector<std::vector<double>> grid(const Box& box) {
  const std::size_t d = box.dimension();
  const auto power = [&](std::size_t side) {
    std::size_t points = 1;
    for (std::size_t j = 0; j < d; ++j) points *= side;
    return points;
  };
  std::size_t side = 3;
  while (power(2 * side - 1) <= kMaxSamplePoints) side = 2 * side - 1;
  std::vector<std::vector<double>> points;
  std::vector<double> shares(d);
  for (std::size_t i = 0; i < power(side); ++i) {
    std::size_t rest = i;
    for (std::size_t j = d; j-- > 0;) {
      const std::size_t row = rest / side;
      // Odd rows run backwards, so that one step changes one coordinate.
      const std::size_t step = row % 2 == 0 ? rest % side : side - 1 - rest % side;
      shares[j] = static_cast<double>(step) / static_cast<double>(side - 1);
      rest = row;
    }
    points.push_back(at_shares(box, shares));
  }
  return points;
}

std::vector<std::vector<double>> axes_and_sequence(const Box& box) {
  const std::size_t d = box.dimension();
  const std::vector<double> middle(d, 0.5);
  std::vector<std::vector<double>> points{at_shares(box, middle),
                                          at_shares(box, std::vector<double>(d, 0.0)),
                                          at_shares(box, std::vector<double>(d, 1.0))};
  for (std::size_t j = 0; j < d; ++j) {
    for (const double end : {0.0, 1.0}) {
      auto shares = middle;
      shares[j] = end;
      points.push_back(at_shares(box, shares));
    }
  }
  // The positive root of g^(d+1) = g + 1.
  double golden = 1.5;
  for (int i = 0; i < 100; ++i) golden = math::pow(1 + golden, 1.0 / (static_cast<double>(d) + 1));
  std::vector<double> steps(d);
  for (std::size_t j = 0; j < d; ++j) steps[j] = math::pow(golden, -static_cast<double>(j + 1));
  std::vector<double> shares(d, 0.5);
  for (std::size_t i = 0; i < kSequencePoints; ++i) {
    for (std::size_t j = 0; j < d; ++j) shares[j] = std::fmod(shares[j] + steps[j], 1.0);
    points.push_back(at_shares(box, shares));
  }
  return points;
}

}  // namespace

std::vector<std::vector<double>> sample_points(const Box& box) {
  return box.dimension() <= kLargestSampledGrid ? grid(box) : axes_and_sequence(box);
}

}  // namespace posse
