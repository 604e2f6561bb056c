// SPDX-License-Identifier: Apache-2.0
#include "core/learner/arm_points.hpp"

#include <utility>

#include "core/base/check.hpp"
#include "core/random/stream.hpp"

namespace posse {
namespace {

constexpr std::size_t kLargestGridDimension = 2;
constexpr std::int64_t kMaxPerDimension = 1000;
constexpr std::int64_t kMaxPoints = 1'000'000;

std::vector<double> grid(std::size_t dimension, std::uint32_t g, UniformStream coordinates) {
  std::vector<double> unit;
  if (dimension == 1)
    for (std::uint64_t a = 0; a < g; ++a) unit.push_back(coordinates.at(a));
  else
    for (std::uint64_t a = 0; a < g; ++a)
      for (std::uint64_t b = 0; b < g; ++b) {
        unit.push_back(coordinates.at(a));
        unit.push_back(coordinates.at(g + b));
      }
  return unit;
}

}  // namespace

std::uint64_t arm_count(const ArmPointsOptions& options, std::size_t dimension) {
  const std::uint64_t g = options.per_dimension;
  return dimension > kLargestGridDimension ? options.random_points : dimension == 2 ? g * g : g;
}

ArmPoints::ArmPoints(Box box, const ArmPointsOptions& options, Seed seed)
    : box_(std::move(box)),
      size_(static_cast<std::uint32_t>(arm_count(options, box_.dimension()))) {
  POSSE_CHECK(size_ >= 1 && options.per_dimension <= kMaxPerDimension);
  UniformStream coordinates(stream_key(seed, "arms", "coordinates"));
  if (dimension() <= kLargestGridDimension) {
    unit_ = grid(dimension(), options.per_dimension, coordinates);
    return;
  }
  unit_.reserve(size_ * dimension());
  coordinates.for_each(0, size_ * dimension(), [&](double u) { unit_.push_back(u); });
}

std::span<const double> ArmPoints::unit_point(std::uint32_t arm) const {
  POSSE_CHECK(arm >= 1 && arm <= size_, "arm {} of {}", arm, size_);
  return std::span(unit_).subspan((arm - 1) * dimension(), dimension());
}

std::vector<double> ArmPoints::point(std::uint32_t arm) const {
  const auto unit = unit_point(arm);
  std::vector<double> x(unit.size());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = box_.low[j] + unit[j] * box_.width(j);
  return x;
}

std::vector<double> ArmPoints::point(Cell choice) const {
  POSSE_CHECK(choice.depth == 0 && choice.index <= size_, "arm {} of {}", choice.index, size_);
  return point(static_cast<std::uint32_t>(choice.index));
}

std::vector<ParameterSpec> arm_parameters() {
  return {{.name = "arms_per_dimension",
           .type = ParameterType::integer,
           .default_value = std::int64_t{20},
           .help = "for one or two dimensions: number of random coordinates per dimension; "
                   "the arms are the points of their grid",
           .min = 1,
           .max = kMaxPerDimension},
          {.name = "random_arms",
           .type = ParameterType::integer,
           .default_value = std::int64_t{1000},
           .help = "for three or more dimensions: number of random points, the arms",
           .min = 1,
           .max = kMaxPoints}};
}

ArmPointsOptions arm_options(const Parameters& parameters) {
  return {static_cast<std::uint32_t>(parameters.integer("arms_per_dimension")),
          static_cast<std::uint32_t>(parameters.integer("random_arms"))};
}

}  // namespace posse
