// SPDX-License-Identifier: Apache-2.0
#include "core/learner/symmetric_matrix.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "core/base/check.hpp"

namespace posse {
namespace {

using Vector = Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Index index(std::size_t n) { return static_cast<Eigen::Index>(n); }
Eigen::Map<const Vector> vector_of(std::span<const double> x) {
  return {x.data(), index(x.size())};
}
Eigen::Map<Vector> changeable(std::span<double> x) { return {x.data(), index(x.size())}; }

}  // namespace

SymmetricMatrix::SymmetricMatrix(std::size_t size, double diagonal)
    : size_(size), numbers_(size * size) {
  add_to_diagonal(diagonal);
}

void SymmetricMatrix::assign(std::span<const double> numbers) {
  POSSE_CHECK(numbers.size() == numbers_.size(), "{} numbers", numbers.size());
  std::copy(numbers.begin(), numbers.end(), numbers_.begin());
}

void SymmetricMatrix::set_zero() { std::fill(numbers_.begin(), numbers_.end(), 0.0); }

void SymmetricMatrix::add(std::span<const double> numbers, double scale) {
  POSSE_CHECK(numbers.size() == numbers_.size(), "{} numbers", numbers.size());
  changeable(numbers_) += scale * vector_of(numbers);
}

void SymmetricMatrix::add_to_diagonal(double scale) {
  for (std::size_t j = 0; j < size_; ++j) numbers_[j * size_ + j] += scale;
}

void SymmetricMatrix::add_outer(std::span<const double> x, double scale) {
  for (std::size_t j = 0; j < size_; ++j)
    if (x[j] != 0)
      changeable(std::span(numbers_).subspan(j * size_, size_)) += (scale * x[j]) * vector_of(x);
}

void SymmetricMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  multiply_rows(numbers_, x, y);
}

void SymmetricMatrix::invert() {
  // Sweeping every index turns A into -A^-1; only the lower triangle is used meanwhile.
  std::vector<double> column(size_);
  for (std::size_t k = 0; k < size_; ++k) {
    for (std::size_t j = 0; j < k; ++j) column[j] = numbers_[j * size_ + k];
    for (std::size_t j = k; j < size_; ++j) column[j] = numbers_[k * size_ + j];
    const double pivot = column[k];
    POSSE_CHECK(pivot > 0, "the matrix is not positive definite: pivot {}", pivot);
    column[k] = 0;
    for (std::size_t j = 0; j < size_; ++j) {
      const std::size_t n = size_ - j;
      if (column[j] != 0)
        changeable(std::span(numbers_).subspan(j * size_ + j, n)) -=
            (column[j] / pivot) * vector_of(std::span(column).subspan(j, n));
    }
    for (std::size_t j = 0; j < k; ++j) numbers_[j * size_ + k] = column[j] / pivot;
    for (std::size_t j = k + 1; j < size_; ++j) numbers_[k * size_ + j] = column[j] / pivot;
    numbers_[k * size_ + k] = -1 / pivot;
  }
  for (std::size_t j = 0; j < size_; ++j)
    for (std::size_t i = j; i < size_; ++i)
      numbers_[i * size_ + j] = numbers_[j * size_ + i] = -numbers_[j * size_ + i];
}

double SymmetricMatrix::update_inverse(std::span<const double> x, std::span<double> product) {
  multiply(x, product);
  const double form = vector_of(x).dot(vector_of(product));
  add_outer(product, -1 / (1 + form));
  return form;
}

void multiply_rows(std::span<const double> rows, std::span<const double> x, std::span<double> y) {
  const Eigen::Map<const Rows> matrix(rows.data(), index(y.size()), index(x.size()));
  changeable(y).noalias() = matrix * vector_of(x);
}

}  // namespace posse
