// SPDX-License-Identifier: Apache-2.0
// Textbook linear algebra, as a reference for faster implementations.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/base/math.hpp"

namespace posse::test {

using Matrix = std::vector<std::vector<double>>;

inline Matrix identity(std::size_t n, double scale = 1) {
  Matrix a(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) a[i][i] = scale;
  return a;
}

inline double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

inline std::vector<double> times(const Matrix& a, std::span<const double> x) {
  std::vector<double> y;
  for (const auto& row : a) y.push_back(dot(row, x));
  return y;
}

inline double quadratic_form(const Matrix& a, std::span<const double> x) {
  return dot(x, times(a, x));
}

inline void add_outer(Matrix& a, std::span<const double> x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) a[i][j] += x[i] * x[j];
}

/// A^-1 and ln det A by Gauss-Jordan elimination with pivoting.
inline std::pair<Matrix, double> inverse(Matrix a) {
  const std::size_t n = a.size();
  Matrix b(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) b[i][i] = 1;
  double log_determinant = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    log_determinant += math::log(std::abs(a[k][k]));
    const double scale = a[k][k];
    for (std::size_t j = 0; j < n; ++j) {
      a[k][j] /= scale;
      b[k][j] /= scale;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a[i][k];
      for (std::size_t j = 0; j < n; ++j) {
        a[i][j] -= factor * a[k][j];
        b[i][j] -= factor * b[k][j];
      }
    }
  }
  return {b, log_determinant};
}

}  // namespace posse::test
