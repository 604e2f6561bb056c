// SPDX-License-Identifier: Apache-2.0
#include "core/objective/point_tree.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "core/base/check.hpp"

namespace posse {
namespace {

constexpr std::uint32_t kLeaf = 8;  // points
/// Nodes that may be waiting in a search: one per level, and n < 2^32 halves at most 32 times.
constexpr std::size_t kDeepest = 40;

}  // namespace

PointTree::PointTree(std::size_t dimension,
                     std::vector<double> coordinates,
                     std::vector<double> values)
    : dimension_(dimension), coordinates_(std::move(coordinates)), values_(std::move(values)) {
  POSSE_CHECK(dimension_ >= 1 && !values_.empty());
  POSSE_CHECK(coordinates_.size() == values_.size() * dimension_,
              "{} coordinates, {} values",
              coordinates_.size(),
              values_.size());
  POSSE_CHECK(values_.size() < std::numeric_limits<std::uint32_t>::max());
  order_.resize(values_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  build(0, static_cast<std::uint32_t>(order_.size()));
}

std::uint32_t PointTree::build(std::uint32_t begin, std::uint32_t end) {
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  std::vector<double> low(dimension_, std::numeric_limits<double>::infinity());
  std::vector<double> high(dimension_, -std::numeric_limits<double>::infinity());
  Node node{begin, end, 0, 0, -std::numeric_limits<double>::infinity()};
  for (std::uint32_t i = begin; i < end; ++i) {
    const auto x = point(order_[i]);
    node.largest = std::max(node.largest, values_[order_[i]]);
    for (std::size_t j = 0; j < dimension_; ++j) {
      low[j] = std::min(low[j], x[j]);
      high[j] = std::max(high[j], x[j]);
    }
  }
  boxes_.insert(boxes_.end(), low.begin(), low.end());
  boxes_.insert(boxes_.end(), high.begin(), high.end());
  if (end - begin > kLeaf) {
    std::size_t widest = 0;
    for (std::size_t j = 1; j < dimension_; ++j)
      if (high[j] - low[j] > high[widest] - low[widest]) widest = j;
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin,
                     order_.begin() + middle,
                     order_.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) {
                       const double x = coordinates_[a * dimension_ + widest];
                       const double y = coordinates_[b * dimension_ + widest];
                       return x != y ? x < y : a < b;
                     });
    node.left = build(begin, middle);
    node.right = build(middle, end);
  }
  nodes_[id] = node;
  return id;
}

double PointTree::squared_distance(std::span<const double> a, std::span<const double> b) const {
  double sum = 0;
  for (std::size_t j = 0; j < dimension_; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

// Rounding is monotone: no point of the box is computed to be nearer than this.
double PointTree::squared_distance(const Node& node, std::span<const double> x) const {
  const double* low = &boxes_[2 * dimension_ * static_cast<std::size_t>(&node - nodes_.data())];
  const double* high = low + dimension_;
  double sum = 0;
  for (std::size_t j = 0; j < dimension_; ++j) {
    const double outside = std::max({low[j] - x[j], x[j] - high[j], 0.0});
    sum += outside * outside;
  }
  return sum;
}

PointTree::Nearest PointTree::nearest(std::span<const double> x) const {
  Nearest best{0, std::numeric_limits<double>::infinity()};
  struct Branch {
    std::uint32_t node;
    double distance;
  };
  std::array<Branch, kDeepest> waiting;
  std::size_t count = 0;
  waiting[count++] = {0, 0};
  while (count > 0) {
    const auto [id, distance] = waiting[--count];
    if (distance > best.squared_distance) continue;
    const Node& node = nodes_[id];
    if (node.left != 0) {
      Branch near{node.left, squared_distance(nodes_[node.left], x)};
      Branch far{node.right, squared_distance(nodes_[node.right], x)};
      if (far.distance < near.distance) std::swap(near, far);
      waiting[count++] = far;
      waiting[count++] = near;
      continue;
    }
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
      const double d = squared_distance(point(order_[i]), x);
      if (d < best.squared_distance || (d == best.squared_distance && order_[i] < best.point))
        best = {order_[i], d};
    }
  }
  return best;
}

double PointTree::largest_within(std::span<const double> x, double radius) const {
  double best = -std::numeric_limits<double>::infinity();
  std::array<std::uint32_t, kDeepest> waiting;
  std::size_t count = 0;
  waiting[count++] = 0;
  while (count > 0) {
    const Node& node = nodes_[waiting[--count]];
    if (node.largest <= best || squared_distance(node, x) > radius * radius) continue;
    if (node.left != 0) {
      waiting[count++] = node.left;
      waiting[count++] = node.right;
      continue;
    }
    for (std::uint32_t i = node.begin; i < node.end; ++i)
      if (squared_distance(point(order_[i]), x) <= radius * radius)
        best = std::max(best, values_[order_[i]]);
  }
  return best;
}

}  // namespace posse
