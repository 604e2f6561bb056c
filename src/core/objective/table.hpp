// SPDX-License-Identifier: Apache-2.0
// f(x) from a table of points and values, such as measurements or the results of a grid search.
//
//   nearest   the value of the nearest point (Euclidean, every coordinate as a share of the box's
//             width; ties go to the point listed first): piecewise constant
//   linear    straight lines between neighbouring points, constant beyond the outermost; in one
//             dimension only
// f = offset + factor * value; offset 1 and factor -1 turn a loss in [0, 1] into a reward. Maximum:
// exact, that of the best point. Bound on a ball, for `nearest`: if q is the point nearest to the
// centre c and r the radius, the point nearest to any x in the ball is within |q - c| + 2 r of c.
// Cost: O(log n) per value on average in a few dimensions.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/objective/objective.hpp"
#include "core/objective/point_tree.hpp"

namespace posse {

struct TableData {
  std::size_t dimension = 0;
  std::vector<double> points;  // row after row
  std::vector<double> values;
  std::vector<std::size_t> lines;  // of the file
};

/// Reads a CSV with the columns x1 … xd and value, in any order. Throws InputError with the line of
/// an entry that is missing, repeated or not a finite number.
TableData parse_table(std::string_view csv_text);
/// The smallest box that holds all points; flat in a dimension where all coordinates are equal.
Box extent(const TableData& data);

enum class Interpolation { nearest, linear };

class Table final : public Objective {
 public:
  /// domain: same dimension as the data, low < high. factor not 0. Throws InputError if a point is
  /// outside the box, or if `linear` is used in several dimensions.
  Table(const TableData& data,
        Box domain,
        Interpolation interpolation,
        double factor = 1,
        double offset = 0);

  const Box& domain() const override { return domain_; }
  double value(std::span<const double> x) const override;
  ValueRange value_range() const override { return range_; }
  std::optional<double> maximum() const override { return range_.high; }
  std::vector<std::vector<double>> maximisers() const override;
  bool upper_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   UpperModel& model) const override;

 private:
  double on_line(double x) const;
  /// The largest value in the box, or more.
  double bound(std::span<const double> centre, std::span<const double> half_width) const;
  /// Calls use with x in shares of the box's widths.
  template <class Use>
  auto with_shares(std::span<const double> x, Use use) const;

  Interpolation interpolation_;
  Box domain_;
  ValueRange range_;
  std::vector<double> points_;     // as given; sorted for `linear`
  std::vector<double> rewards_;    // offset + factor * value
  std::optional<PointTree> tree_;  // in shares of the box
};

}  // namespace posse
