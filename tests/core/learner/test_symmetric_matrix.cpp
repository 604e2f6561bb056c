// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <random>

#include "core/base/check.hpp"
#include "core/learner/symmetric_matrix.hpp"
#include "tests/support/dense.hpp"

namespace posse::test_symmetric_matrix {
namespace {

std::vector<double> random_vector(std::mt19937& random, std::size_t n) {
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(static_cast<double>(random() % 2001) / 1000 - 1);
  return x;
}

void check_equal(const SymmetricMatrix& a, const test::Matrix& b, double margin) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      REQUIRE(a(i, j) == Approx(b[i][j]).epsilon(0).margin(margin));
}

TEST_CASE("sums, products and inverses of symmetric matrices are the textbook's") {
  std::mt19937 random(1);
  for (const std::size_t n : {1, 2, 3, 10, 61}) {
    SymmetricMatrix a(n, 0.5);
    auto dense = test::identity(n, 0.5);
    for (int i = 0; i < 40; ++i) {
      const auto x = random_vector(random, n);
      a.add_outer(x);
      test::add_outer(dense, x);
    }
    check_equal(a, dense, 1e-12);
    const auto x = random_vector(random, n);
    std::vector<double> y(n);
    a.multiply(x, y);
    const auto expected = test::times(dense, x);
    for (std::size_t i = 0; i < n; ++i) CHECK(y[i] == Approx(expected[i]).margin(1e-12));
    a.invert();
    check_equal(a, test::inverse(dense).first, 1e-10);
    a.add(a.numbers(), -1);
    check_equal(a, test::identity(n, 0), 0);
  }
}

TEST_CASE("an inverse updated by a rank-one term is the inverse of the new matrix") {
  std::mt19937 random(2);
  const std::size_t n = 12;
  SymmetricMatrix a(n, 10);  // of 0.1 I
  auto dense = test::identity(n, 0.1);
  std::vector<double> product(n);
  for (int i = 0; i < 50; ++i) {
    const auto x = random_vector(random, n);
    const double form = test::quadratic_form(test::inverse(dense).first, x);
    CHECK(a.update_inverse(x, product) == Approx(form).epsilon(1e-8));
    test::add_outer(dense, x);
    check_equal(a, test::inverse(dense).first, 1e-8);
  }
}

TEST_CASE("a matrix that isn't positive definite is refused") {
  SymmetricMatrix a(3, 1);
  const std::vector<double> x{1, 1, 1};
  a.add_outer(x, -1);
  CHECK_THROWS_AS(a.invert(), CheckFailure);
}

}  // namespace
}  // namespace posse::test_symmetric_matrix
