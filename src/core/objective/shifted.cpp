// SPDX-License-Identifier: Apache-2.0
#include "core/objective/shifted.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/check.hpp"

namespace posse {
namespace {

/// x mod width in [0, width).
double modulo(double x, double width) {
  const double rest = x - width * std::floor(x / width);
  return rest < width ? std::max(rest, 0.0) : 0.0;
}

}  // namespace

Shifted::Shifted(std::shared_ptr<const Objective> base,
                 std::vector<double> shift,
                 Boundary boundary)
    : base_(std::move(base)), shift_(std::move(shift)), boundary_(boundary) {
  POSSE_CHECK(shift_.size() == base_->domain().dimension(), "{} shifts", shift_.size());
}

double Shifted::mapped(std::size_t j, double x) const {
  const Box& box = base_->domain();
  const double y = x - shift_[j];
  const double low = box.low[j];
  const double high = box.high[j];
  if (boundary_ == Boundary::open || (y >= low && y <= high)) return y;
  const double width = high - low;
  switch (boundary_) {
    case Boundary::reflect: {
      const double z = modulo(y - low, 2 * width);
      return std::clamp(low + (z > width ? 2 * width - z : z), low, high);
    }
    case Boundary::wrap:
      return std::clamp(low + modulo(y - low, width), low, high);
    case Boundary::clip:
    case Boundary::open:
      break;
  }
  return std::clamp(y, low, high);
}

double Shifted::value(std::span<const double> x) const {
  // No allocation in up to 16 dimensions: every reward runs through this.
  constexpr std::size_t kInline = 16;
  if (x.size() <= kInline) {
    std::array<double, kInline> y;
    for (std::size_t j = 0; j < x.size(); ++j) y[j] = mapped(j, x[j]);
    return base_->value({y.data(), x.size()});
  }
  std::vector<double> y(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) y[j] = mapped(j, x[j]);
  return base_->value(y);
}

void Shifted::prepare(std::span<const std::vector<double>> points) const {
  std::vector<std::vector<double>> moved(points.begin(), points.end());
  for (auto& y : moved)
    for (std::size_t j = 0; j < y.size(); ++j) y[j] = mapped(j, y[j]);
  base_->prepare(moved);
}

std::optional<double> Shifted::maximum() const {
  if (boundary_ == Boundary::open || maximisers().empty()) return std::nullopt;
  return base_->maximum();
}

std::vector<std::vector<double>> Shifted::maximisers() const {
  std::vector<std::vector<double>> points;
  if (boundary_ == Boundary::open) return points;
  for (const auto& target : base_->maximisers())
    for (auto& x : preimages(target)) points.push_back(std::move(x));
  return points;
}

std::vector<std::vector<double>> Shifted::candidate_maximisers() const {
  std::vector<std::vector<double>> points;
  for (const auto& target : base_->candidate_maximisers())
    for (auto& x : preimages(target)) points.push_back(std::move(x));
  return points;
}

Shifted::Segment Shifted::segment(std::size_t j, double y) const {
  const double low = base_->domain().low[j];
  const double high = base_->domain().high[j];
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (boundary_ == Boundary::open) return {-kInfinity, kInfinity, 1};
  if (y >= low && y <= high) return {low, high, 1};
  if (boundary_ == Boundary::clip)
    return y < low ? Segment{-kInfinity, low, 0} : Segment{high, kInfinity, 0};
  const double number = std::floor((y - low) / (high - low));
  const double from = low + number * (high - low);
  const bool turned = boundary_ == Boundary::reflect && std::fmod(number, 2) != 0;
  return {from, from + (high - low), turned ? -1.0 : 1.0};
}

bool Shifted::upper_model(std::span<const double> centre,
                          std::span<const double> half_width,
                          UpperModel& model) const {
  const Box& box = base_->domain();
  const std::size_t d = centre.size();
  std::vector<double> y(d);
  std::vector<double> r(half_width.begin(), half_width.end());
  std::vector<double> direction(d);
  for (std::size_t j = 0; j < d; ++j) {
    const double from = centre[j] - shift_[j] - r[j];
    const double to = centre[j] - shift_[j] + r[j];
    const Segment segment = this->segment(j, centre[j] - shift_[j]);
    const double rounding = 1e-14 * box.width(j);
    for (const double face : {segment.low, segment.high})
      if (from + rounding < face && face < to - rounding)
        return parts_model(centre, half_width, j, face + shift_[j], model);
    if (boundary_ == Boundary::open && !base_->closed_form() &&
        (from < box.low[j] || to > box.high[j]))
      return false;
    y[j] = mapped(j, centre[j]);
    direction[j] = segment.direction;
    if (direction[j] == 0) r[j] = 0;
  }
  if (!base_->upper_model(y, r, model)) return false;
  for (std::size_t j = 0; j < d; ++j) {
    model.gradient[j] *= direction[j];
    model.curvature[j] *= std::abs(direction[j]);
  }
  for (std::size_t j = 0; j < model.peak.size(); ++j)
    model.peak[j] = centre[j] + direction[j] * (model.peak[j] - y[j]);
  return true;
}

bool Shifted::parts_model(std::span<const double> centre,
                          std::span<const double> half_width,
                          std::size_t j,
                          double cut,
                          UpperModel& model) const {
  double bound = -std::numeric_limits<double>::infinity();
  std::vector<double> c(centre.begin(), centre.end());
  std::vector<double> r(half_width.begin(), half_width.end());
  for (const double end : {centre[j] - half_width[j], centre[j] + half_width[j]}) {
    c[j] = 0.5 * (end + cut);
    r[j] = 0.5 * std::abs(end - cut);
    if (!upper_model(c, r, model)) return false;
    bound = std::max(bound, model.largest(r));
  }
  model.at_centre = value(centre);
  model.set_constant(bound);
  model.peak.clear();
  return true;
}

std::vector<std::vector<double>> Shifted::preimages(std::span<const double> target) const {
  const Box& box = base_->domain();
  const std::size_t d = target.size();
  std::vector<std::vector<double>> points{{}};
  for (std::size_t j = 0; j < d; ++j) {
    const double direct = target[j] + shift_[j];
    std::vector<double> images{direct};
    if (boundary_ == Boundary::reflect) {
      images.push_back(2 * box.low[j] - target[j] + shift_[j]);
      images.push_back(2 * box.high[j] - target[j] + shift_[j]);
    } else if (boundary_ == Boundary::wrap) {
      images = {box.low[j] + modulo(direct - box.low[j], box.width(j))};
    }
    std::erase_if(images, [&](double x) { return !(x >= box.low[j] && x <= box.high[j]); });
    if (d > 2 && images.size() > 1)
      images.erase(images.begin() + 1, images.end());  // 3^d would be too many

    std::vector<std::vector<double>> longer;
    for (const auto& prefix : points) {
      for (const double x : images) {
        longer.push_back(prefix);
        longer.back().push_back(x);
      }
    }
    points = std::move(longer);
  }
  return points;
}

}  // namespace posse
