#include "core/objective/shifted.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

std::optional<double> Shifted::upper_bound(std::span<const double> centre,
                                           std::span<const double> half_width) const {
  const Box& box = base_->domain();
  std::vector<double> y(centre.size());
  for (std::size_t j = 0; j < centre.size(); ++j) {
    y[j] = mapped(j, centre[j]);
    const double low = centre[j] - shift_[j] - half_width[j];
    const double high = centre[j] - shift_[j] + half_width[j];
    // The modulus does not apply where R is not 1-Lipschitz on the cell or leaves the box.
    if (boundary_ == Boundary::open && (low < box.low[j] || high > box.high[j]))
      return std::nullopt;
    if (boundary_ == Boundary::wrap && std::floor((low - box.low[j]) / box.width(j)) !=
                                           std::floor((high - box.low[j]) / box.width(j)))
      return base_->maximum();
  }
  return base_->upper_bound(y, half_width);
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
