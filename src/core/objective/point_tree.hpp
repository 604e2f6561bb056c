// SPDX-License-Identifier: Apache-2.0
// A k-d tree of points with values, for nearest-neighbour queries.
//
// Distances are Euclidean; ties go to the point given first. Construction takes O(n log n), a query
// O(log n) on average for a few dimensions, O(n) at worst.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace posse {

class PointTree {
 public:
  /// coordinates: point after point, `dimension` >= 1 numbers each; one value per point, at least
  /// one.
  PointTree(std::size_t dimension, std::vector<double> coordinates, std::vector<double> values);

  std::size_t dimension() const { return dimension_; }
  std::size_t size() const { return values_.size(); }
  std::span<const double> point(std::size_t i) const {
    return std::span(coordinates_).subspan(i * dimension_, dimension_);
  }
  double value(std::size_t i) const { return values_[i]; }

  struct Nearest {
    std::size_t point = 0;
    double squared_distance = 0;
  };
  Nearest nearest(std::span<const double> x) const;
  /// The largest value of the points within `radius` of x; -infinity if there are none.
  double largest_within(std::span<const double> x, double radius) const;

 private:
  struct Node {
    std::uint32_t begin = 0, end = 0;   // of order_
    std::uint32_t left = 0, right = 0;  // nodes; 0: a leaf
    double largest = 0;                 // value
  };

  std::uint32_t build(std::uint32_t begin, std::uint32_t end);
  double squared_distance(std::span<const double> a, std::span<const double> b) const;
  /// From x to the box of a node's points.
  double squared_distance(const Node& node, std::span<const double> x) const;

  std::size_t dimension_;
  std::vector<double> coordinates_;
  std::vector<double> values_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
  std::vector<double> boxes_;  // node after node: the lower ends, the upper ends
};

}  // namespace posse
