// SPDX-License-Identifier: Apache-2.0
// Linear algebra for online regression: symmetric p x p matrices, stored in full.
//
// The order of operations depends on p alone (there is no blocking by cache size), so results are
// identical bit for bit on all machines of one instruction set.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace posse {

class SymmetricMatrix {
 public:
  /// `diagonal` times the identity.
  SymmetricMatrix(std::size_t size, double diagonal);

  std::size_t size() const { return size_; }
  double operator()(std::size_t i, std::size_t j) const { return numbers_[j * size_ + i]; }
  /// All p^2 numbers.
  const std::vector<double>& numbers() const { return numbers_; }
  /// Takes p^2 numbers of a symmetric matrix.
  void assign(std::span<const double> numbers);
  void set_zero();

  /// A += scale B. O(p^2).
  void add(std::span<const double> numbers, double scale = 1);
  void add_to_diagonal(double scale);
  /// A += scale x x^T. O(p^2).
  void add_outer(std::span<const double> x, double scale = 1);
  /// y = A x. O(p^2).
  void multiply(std::span<const double> x, std::span<double> y) const;
  /// A := A^-1 for a positive definite A, by sweeps. O(p^3 / 2).
  void invert();
  /// Given the inverse A of a matrix V, turns A into the inverse of V + x x^T (Sherman & Morrison).
  /// The previous A x is returned in `product`, the previous x^T A x as the result. O(p^2).
  double update_inverse(std::span<const double> x, std::span<double> product);

 private:
  std::size_t size_;
  std::vector<double> numbers_;
};

/// y_k = g_k · x for the rows g_k of a matrix of y.size() rows.
void multiply_rows(std::span<const double> rows, std::span<const double> x, std::span<double> y);

}  // namespace posse
