// SPDX-License-Identifier: Apache-2.0
#include "core/objective/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "core/base/check.hpp"
#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"
#include "core/base/shown_text.hpp"

namespace posse {
namespace {

[[noreturn]] void refuse_table(const std::string& problem) { throw InputError(problem, "file"); }

/// Positions of x1 … xd, then of value.
std::vector<std::size_t> columns_of(const CsvReader& csv) {
  auto columns = csv.numbered_columns("x", 1);
  const auto value = csv.find_column("value");
  if (columns.empty() || columns.size() + 1 != csv.columns().size() || !value)
    refuse_table(fmt::format("line 1: the columns must be x1 … xd and value, but are {}",
                             names_text(csv.columns())));
  columns.push_back(*value);
  return columns;
}

}  // namespace

TableData parse_table(std::string_view csv_text) {
  TableData data;
  std::map<std::vector<double>, std::size_t> lines;
  try {
    CsvReader csv(csv_text);
    const auto columns = columns_of(csv);
    data.dimension = columns.size() - 1;
    while (csv.next()) {
      std::vector<double> point;
      // Adding 0 turns -0 into 0, so that both are the same point.
      for (std::size_t j = 0; j < data.dimension; ++j)
        point.push_back(finite_number(csv, columns[j]) + 0.0);
      data.points.insert(data.points.end(), point.begin(), point.end());
      data.values.push_back(finite_number(csv, columns.back()));
      data.lines.push_back(csv.line());
      const auto [first, added] = lines.emplace(std::move(point), csv.line());
      if (!added)
        refuse_table(
            fmt::format("line {}: the same point as in line {}", csv.line(), first->second));
    }
  } catch (const InputError& error) {
    refuse_table(error.what());
  }
  if (data.values.empty()) refuse_table("the file has no rows");
  return data;
}

Box extent(const TableData& data) {
  const std::size_t d = data.dimension;
  Box box{{data.points.begin(), data.points.begin() + static_cast<std::ptrdiff_t>(d)}, {}};
  box.high = box.low;
  for (std::size_t i = 0; i < data.points.size(); ++i) {
    box.low[i % d] = std::min(box.low[i % d], data.points[i]);
    box.high[i % d] = std::max(box.high[i % d], data.points[i]);
  }
  return box;
}

Table::Table(
    const TableData& data, Box domain, Interpolation interpolation, double factor, double offset)
    : interpolation_(interpolation), domain_(std::move(domain)) {
  const std::size_t d = data.dimension;
  const std::size_t n = data.values.size();
  POSSE_CHECK(domain_.dimension() == d && factor != 0);
  if (interpolation_ == Interpolation::linear && d != 1)
    throw InputError(fmt::format("linear needs one dimension, but the table has {}", d),
                     "interpolation");
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (interpolation_ == Interpolation::linear)
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return data.points[a] < data.points[b];
    });
  std::vector<double> shares;
  for (const std::size_t i : order) {
    const auto point = std::span(data.points).subspan(i * d, d);
    if (!domain_.contains(point))
      refuse_table(
          fmt::format("line {}: ({}) is outside the box", data.lines[i], fmt::join(point, ", ")));
    points_.insert(points_.end(), point.begin(), point.end());
    rewards_.push_back(offset + factor * data.values[i]);
    if (!std::isfinite(rewards_.back()))
      throw InputError(
          fmt::format(
              "turns the value {1} into {0}, which is not finite", rewards_.back(), data.values[i]),
          "factor");
    for (std::size_t j = 0; j < d; ++j)
      shares.push_back((point[j] - domain_.low[j]) / domain_.width(j));
  }
  const auto [low, high] = std::minmax_element(rewards_.begin(), rewards_.end());
  range_ = {*low, *high};
  if (interpolation_ == Interpolation::linear) return;
  tree_.emplace(d, std::move(shares), rewards_);
  for (std::size_t i = 0; i < n; ++i)
    if (const auto nearest = tree_->nearest(tree_->point(i)).point; nearest != i)
      refuse_table(fmt::format(
          "rows {} and {} of data are too close to be told apart in this box", nearest + 1, i + 1));
}

template <class Use>
auto Table::with_shares(std::span<const double> x, Use use) const {
  const auto fill = [&](std::span<double> shares) {
    for (std::size_t j = 0; j < x.size(); ++j)
      shares[j] = (x[j] - domain_.low[j]) / domain_.width(j);
    return use(std::span<const double>(shares));
  };
  // No allocation in up to 16 dimensions: every reward runs through this.
  constexpr std::size_t kInline = 16;
  if (std::array<double, kInline> shares; x.size() <= kInline)
    return fill({shares.data(), x.size()});
  std::vector<double> shares(x.size());
  return fill(shares);
}

double Table::value(std::span<const double> x) const {
  if (!tree_) return on_line(x[0]);
  return with_shares(
      x, [&](std::span<const double> shares) { return rewards_[tree_->nearest(shares).point]; });
}

double Table::on_line(double x) const {
  const auto after = std::upper_bound(points_.begin(), points_.end(), x);
  if (after == points_.begin()) return rewards_.front();
  const auto i = static_cast<std::size_t>(after - points_.begin());
  if (i == points_.size()) return rewards_.back();
  const double t = (x - points_[i - 1]) / (points_[i] - points_[i - 1]);
  const double f = rewards_[i - 1] + (rewards_[i] - rewards_[i - 1]) * t;
  const auto [low, high] = std::minmax(rewards_[i - 1], rewards_[i]);
  return std::clamp(f, low, high);
}

std::vector<std::vector<double>> Table::maximisers() const {
  std::vector<std::vector<double>> best;
  const std::size_t d = domain_.dimension();
  for (std::size_t i = 0; i < rewards_.size(); ++i)
    if (rewards_[i] == range_.high)
      best.emplace_back(points_.begin() + static_cast<std::ptrdiff_t>(i * d),
                        points_.begin() + static_cast<std::ptrdiff_t>((i + 1) * d));
  return best;
}

bool Table::upper_model(std::span<const double> centre,
                        std::span<const double> half_width,
                        UpperModel& model) const {
  model.at_centre = value(centre);
  model.set_constant(bound(centre, half_width));
  model.peak.clear();
  return true;
}

double Table::bound(std::span<const double> centre, std::span<const double> half_width) const {
  if (!tree_) {
    const double low = centre[0] - half_width[0];
    const double high = centre[0] + half_width[0];
    double best = std::max(on_line(low), on_line(high));
    const auto first = std::lower_bound(points_.begin(), points_.end(), low);
    const auto last = std::upper_bound(first, points_.end(), high);
    for (auto it = first; it != last; ++it)
      best = std::max(best, rewards_[static_cast<std::size_t>(it - points_.begin())]);
    return best;
  }
  double squares = 0;
  for (std::size_t j = 0; j < half_width.size(); ++j) {
    const double r = half_width[j] / domain_.width(j);
    squares += r * r;
  }
  return with_shares(centre, [&](std::span<const double> shares) {
    const double reach =
        std::sqrt(tree_->nearest(shares).squared_distance) + 2 * std::sqrt(squares);
    return tree_->largest_within(shares, reach * (1 + 1e-12));
  });
}

}  // namespace posse
