// SPDX-License-Identifier: Apache-2.0
#include "core/learner/gp_ts.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/random/distributions.hpp"

namespace posse {
namespace {

constexpr double kRemainder = 1e-12;
constexpr std::uint64_t kMaxArms = 4096;

using Vector = Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double kernel(std::span<const double> x, std::span<const double> y, double length_scale) {
  double squared = 0;
  for (std::size_t j = 0; j < x.size(); ++j) squared += (x[j] - y[j]) * (x[j] - y[j]);
  return math::exp(-squared / (2 * length_scale * length_scale));
}

Eigen::Map<const Vector> view(std::span<const double> numbers) {
  return {numbers.data(), static_cast<Eigen::Index>(numbers.size())};
}
Eigen::Map<Vector> change(std::span<double> numbers) {
  return {numbers.data(), static_cast<Eigen::Index>(numbers.size())};
}

/// x := R^-1 x for an upper triangular R in rows.
void solve_upper(std::span<const double> r, std::span<double> x) {
  for (std::size_t k = x.size(); k-- > 0;) {
    const std::size_t n = x.size() - k - 1;
    const double known = view(r.subspan(k * x.size() + k + 1, n)).dot(view(x.subspan(k + 1, n)));
    x[k] = (x[k] - known) / r[k * x.size() + k];
  }
}

/// x := R^-T x.
void solve_transposed(std::span<const double> r, std::span<double> x) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::size_t n = x.size() - k - 1;
    x[k] /= r[k * x.size() + k];
    change(x.subspan(k + 1, n)) -= x[k] * view(r.subspan(k * x.size() + k + 1, n));
  }
}

std::vector<double> on_arms(const KernelFeatures& features, std::span<const double> w) {
  std::vector<double> f(features.arms());
  const Eigen::Map<const RowMajor> phi(features.rows().data(),
                                       static_cast<Eigen::Index>(features.arms()),
                                       static_cast<Eigen::Index>(features.rank()));
  change(f).noalias() = phi * view(w);
  return f;
}

/// Ties: the first one.
std::uint32_t argmax(const std::vector<double>& f) {
  return static_cast<std::uint32_t>(std::max_element(f.begin(), f.end()) - f.begin()) + 1;
}

}  // namespace

KernelFeatures::KernelFeatures(const ArmPoints& arms, double length_scale) : arms_(arms.size()) {
  POSSE_CHECK(length_scale > 0, "{}", length_scale);
  const std::size_t n = arms_;
  std::vector<double> left(n, 1.0);  // diagonal of the remainder; k(x, x) = 1
  std::vector<std::vector<double>> columns;
  std::vector<double> row(n);
  while (columns.size() < n) {
    const auto pivot =
        static_cast<std::size_t>(std::max_element(left.begin(), left.end()) - left.begin());
    if (!(left[pivot] > kRemainder)) break;
    std::vector<double> column(n);
    const auto x = arms.unit_point(static_cast<std::uint32_t>(pivot) + 1);
    for (std::size_t i = 0; i < n; ++i)
      column[i] = kernel(arms.unit_point(static_cast<std::uint32_t>(i) + 1), x, length_scale);
    for (const auto& before : columns) change(column) -= before[pivot] * view(before);
    const double root = std::sqrt(left[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      column[i] = left[i] > 0 ? column[i] / root : 0;  // 0: an earlier pivot, known exactly
      left[i] -= column[i] * column[i];
    }
    column[pivot] = root;
    left[pivot] = 0;
    columns.push_back(std::move(column));
  }
  rank_ = columns.size();
  rows_.resize(n * rank_);
  for (std::size_t j = 0; j < rank_; ++j)
    for (std::size_t i = 0; i < n; ++i) rows_[i * rank_ + j] = columns[j][i];
}

GpTs::GpTs(const KernelFeatures& features, const GpTsOptions& options)
    : features_(&features),
      options_(options),
      stream_(stream_key(options.seed, "explore", options.name)),
      r_(features.rank() * features.rank()),
      c_(features.rank()),
      row_(features.rank()),
      rotated_(features.rank()) {
  POSSE_CHECK(options.lambda > 0 && options.v >= 0, "lambda {}, v {}", options.lambda, options.v);
  for (std::size_t k = 0; k < features.rank(); ++k) r_[k * features.rank() + k] = 1;
}

double GpTs::information_gain() const {
  double sum = 0;
  for (std::size_t k = 0; k < c_.size(); ++k) sum += math::log(r_[k * c_.size() + k]);
  return sum;
}

double GpTs::v() const {
  if (!options_.theory_v) return options_.v;
  return options_.norm_bound +
         options_.sub_gaussian *
             std::sqrt(2 * (information_gain() + 1 + math::log(2 / options_.delta)));
}

std::vector<double> GpTs::sample(std::uint64_t number) const {
  DrawEngine draws(stream_, number);
  const double spread = v();
  std::vector<double> w(c_);
  for (auto& x : w) x += spread * draw_normal(draws);
  solve_upper(r_, w);
  return on_arms(*features_, w);
}

std::vector<double> GpTs::mean() const {
  std::vector<double> w(c_);
  solve_upper(r_, w);
  return on_arms(*features_, w);
}

double GpTs::covariance(std::uint32_t x, std::uint32_t y) const {
  // phi(x)^T A^-1 phi(y) = (R^-T phi(x)) · (R^-T phi(y)).
  const auto whitened = [this](std::uint32_t arm) {
    const auto row = features_->row(arm);
    std::vector<double> u(row.begin(), row.end());
    solve_transposed(r_, u);
    return u;
  };
  const auto u = whitened(x);
  const auto w = whitened(y);
  return std::inner_product(u.begin(), u.end(), w.begin(), 0.0);
}

Cell GpTs::next() {
  asked_ = argmax(sample(told_));
  return {0, asked_};
}

Cell GpTs::recommend() const { return {0, argmax(mean())}; }

void GpTs::tell(double reward) {
  POSSE_CHECK(asked_ != 0, "tell without next");
  // Appends the row (phi^T, y) / sqrt(lambda) to (R, c) and rotates it away.
  const std::size_t rank = c_.size();
  const double scale = 1 / std::sqrt(options_.lambda);
  change(row_) = scale * view(features_->row(asked_));
  double y = scale * reward;
  for (std::size_t k = 0; k < rank; ++k) {
    if (row_[k] == 0) continue;
    const auto diagonal = k * rank + k;
    const double length = std::sqrt(r_[diagonal] * r_[diagonal] + row_[k] * row_[k]);
    const double cosine = r_[diagonal] / length;
    const double sine = row_[k] / length;
    r_[diagonal] = length;
    const std::size_t n = rank - k - 1;
    auto upper = change(std::span(r_).subspan(diagonal + 1, n));
    auto lower = change(std::span(row_).subspan(k + 1, n));
    auto rotated = change(std::span(rotated_).subspan(k + 1, n));
    rotated = cosine * upper + sine * lower;
    lower = cosine * lower - sine * upper;
    upper = rotated;
    const double old = c_[k];
    c_[k] = cosine * old + sine * y;
    y = cosine * y - sine * old;
  }
  ++told_;
  asked_ = 0;
}

std::vector<ParameterSpec> gp_ts_parameters() {
  std::vector<ParameterSpec> specs{
      {.name = "length_scale",
       .default_value = 0.2,
       .help = "l of the kernel exp(-|x - y|^2 / (2 l^2)), on the domain scaled to [0, 1]^d",
       .min = 1e-6,
       .max = 1e6},
      {.name = "v",
       .default_value = 0.1,
       .help = "scale of the posterior from which samples are drawn",
       .min = 0,
       .max = 1e6},
      {.name = "theory_v",
       .type = ParameterType::boolean,
       .default_value = false,
       .help = "replace v by the theory's B + R sqrt(2 (gamma + 1 + ln(2/delta)))"},
      {.name = "norm_bound",
       .default_value = 1.0,
       .help = "B, bound on the objective's norm in the kernel's space, for theory_v",
       .min = 0,
       .max = 1e6},
      {.name = "sub_gaussian",
       .default_value = 0.5,
       .help = "R, the noise's sub-Gaussian constant, for theory_v",
       .min = 0,
       .max = 1e6},
      {.name = "delta",
       .default_value = 0.1,
       .help = "confidence, for theory_v",
       .min = 1e-100,
       .max = 1},
  };
  for (auto& spec : arm_parameters()) specs.push_back(std::move(spec));
  return specs;
}

GpTsOptions gp_ts_options(const Parameters& parameters,
                          std::uint64_t horizon,
                          Seed seed,
                          std::string name) {
  return {.lambda = 1 + 2 / static_cast<double>(horizon),
          .v = parameters.real("v"),
          .theory_v = parameters.boolean("theory_v"),
          .norm_bound = parameters.real("norm_bound"),
          .sub_gaussian = parameters.real("sub_gaussian"),
          .delta = parameters.real("delta"),
          .seed = seed,
          .name = std::move(name)};
}

std::vector<std::string> validate_gp_ts(const Parameters& parameters, std::size_t dimension) {
  const std::uint64_t arms = arm_count(arm_options(parameters), dimension);
  if (arms <= kMaxArms) return {};
  return {
      fmt::format("at most {} arms are allowed (their kernel matrix is factored), not {}: lower {}",
                  kMaxArms,
                  arms,
                  dimension > 2 ? "random_arms" : "arms_per_dimension")};
}

}  // namespace posse
