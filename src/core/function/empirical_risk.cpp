// SPDX-License-Identifier: Apache-2.0
#include "core/function/empirical_risk.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/csv.hpp"
#include "core/base/math.hpp"
#include "core/base/parameters.hpp"

namespace posse {
namespace {

/// A loss and its derivative by a'x = `prediction`.
std::pair<double, double> loss_of(const RiskOptions& options, double prediction, double target) {
  const double r = prediction - target;
  switch (options.loss) {
    case Loss::squares:
      return {r * r / 2, r};
    case Loss::absolute:
      return {std::abs(r), r > 0 ? 1 : r < 0 ? -1 : 0};
    case Loss::huber: {
      const double c = options.huber;
      if (std::abs(r) <= c) return {r * r / 2, r};
      return {c * std::abs(r) - c * c / 2, std::copysign(c, r)};
    }
    case Loss::logistic:
      break;
  }
  // log(1 + exp(-m)), without overflow for either sign of the margin m.
  const double margin = target * prediction;
  const double e = math::exp(-std::abs(margin));
  const double value = math::log1p(e) + std::max(-margin, 0.0);
  const double share = margin > 0 ? e / (1 + e) : 1 / (1 + e);
  return {value, -target * share};
}

/// max |x| over a bounded set.
double largest_norm(const FeasibleSet& set) {
  return std::sqrt(2 * set.largest_half_square(Vector::Zero(set.dimension())));
}

std::optional<double> subgradient_bound(const Spectrum& s,
                                        const RiskOptions& o,
                                        const FeasibleSet& set) {
  const bool bounded = set.bounded();
  if (!bounded && (o.l2 > 0 || o.loss == Loss::squares)) return std::nullopt;
  const double reach = bounded ? largest_norm(set) : 0;
  double m = std::min(std::sqrt(s.largest), s.mean_norm);
  if (o.loss == Loss::squares) m = s.largest * reach + s.correlation;
  if (o.loss == Loss::huber) m *= o.huber;
  return m + o.l2 * reach + o.l1 * std::sqrt(static_cast<double>(set.dimension()));
}

}  // namespace

RegressionData parse_regression_data(std::string_view text, std::string_view target) {
  CsvReader csv(text);
  const std::size_t y = target.empty() ? csv.columns().size() - 1 : csv.column(target);
  const std::size_t d = csv.columns().size() - 1;
  if (d == 0)
    throw InputError("line 1: there is only one column; features are needed besides the target");
  std::vector<double> features, targets;
  while (csv.next()) {
    for (std::size_t j = 0; j <= d; ++j)
      (j == y ? targets : features).push_back(finite_number(csv, j));
  }
  if (targets.empty()) throw InputError("the file has no rows");
  const auto n = static_cast<Eigen::Index>(targets.size());
  return {
      Eigen::Map<const RegressionData::Matrix>(features.data(), n, static_cast<Eigen::Index>(d)),
      Eigen::Map<const Vector>(targets.data(), n)};
}

Spectrum spectrum_of(const RegressionData& data) {
  const auto& a = data.rows;
  const auto n = static_cast<double>(a.rows());
  const bool wide = a.rows() < a.cols();
  const Eigen::MatrixXd gram =
      wide ? Eigen::MatrixXd(a * a.transpose() / n) : Eigen::MatrixXd(a.transpose() * a / n);
  Spectrum s;
  s.mean_norm = a.rowwise().norm().sum() / n;
  s.correlation = (a.transpose() * data.targets).norm() / n;
  if (!gram.allFinite())
    throw InputError("the squares of some numbers overflow; scale the columns");
  const Vector values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues();
  s.largest = std::max(values[values.size() - 1], 0.0);
  // Eigenvalues within rounding errors of 0 are set to 0, so that mu is not too large.
  const double noise = 1e-12 * s.largest * static_cast<double>(gram.rows());
  s.smallest = wide || values[0] <= noise ? 0 : values[0] - noise;
  return s;
}

EmpiricalRisk::EmpiricalRisk(std::shared_ptr<const RegressionData> data,
                             const Spectrum& spectrum,
                             const RiskOptions& options,
                             const FeasibleSet& set)
    : data_(std::move(data)),
      options_(options),
      lipschitz_(subgradient_bound(spectrum, options, set)),
      mu_(options.l2 + (options.loss == Loss::squares ? spectrum.smallest : 0)) {
  POSSE_CHECK(options.l1 >= 0 && options.l2 >= 0 && options.huber > 0,
              "l1 = {}, l2 = {}, c = {}",
              options.l1,
              options.l2,
              options.huber);
  POSSE_CHECK(set.dimension() == dimension(),
              "the set has dimension {}, the data {}",
              set.dimension(),
              dimension());
  if (options.loss != Loss::absolute)
    smoothness_ = spectrum.largest * (options.loss == Loss::logistic ? 0.25 : 1) + options.l2;
}

std::optional<double> EmpiricalRisk::smoothness() const {
  if (options_.l1 > 0) return std::nullopt;
  return smoothness_;
}

double EmpiricalRisk::value(const Vector& x) const {
  const auto& [rows, targets] = *data_;
  double sum = 0;
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    sum += loss_of(options_, rows.row(i).dot(x), targets[i]).first;
  double value = sum / static_cast<double>(rows.rows());
  if (options_.l2 > 0) value += options_.l2 / 2 * x.squaredNorm();
  if (options_.l1 > 0) value += options_.l1 * x.lpNorm<1>();
  return value;
}

double EmpiricalRisk::smooth_part(const Vector& x, Vector& gradient) const {
  const auto& [rows, targets] = *data_;
  const auto n = static_cast<double>(rows.rows());
  double sum = 0;
  gradient.setZero();
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const auto [loss, slope] = loss_of(options_, rows.row(i).dot(x), targets[i]);
    sum += loss;
    gradient += slope * rows.row(i).transpose();
  }
  gradient /= n;
  if (options_.l2 == 0) return sum / n;
  gradient += options_.l2 * x;
  return sum / n + options_.l2 / 2 * x.squaredNorm();
}

double EmpiricalRisk::value_and_subgradient(const Vector& x, Vector& gradient) const {
  const double value = smooth_part(x, gradient);
  if (options_.l1 == 0) return value;
  for (Eigen::Index j = 0; j < x.size(); ++j)
    gradient[j] += options_.l1 * (x[j] > 0 ? 1 : x[j] < 0 ? -1 : 0);
  return value + options_.l1 * x.lpNorm<1>();
}

}  // namespace posse
