// SPDX-License-Identifier: Apache-2.0
// The mathematics that does not depend on the processor: each function is the one that its name
// says. Numbers to 17 digits come from mpmath.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/base/median.hpp"
#include "core/base/portable_double.hpp"
#include "core/base/time.hpp"

namespace posse::test_math {
namespace {

Approx near(double x) { return Approx(x).epsilon(1e-14); }

}  // namespace

TEST_CASE("each elementary function agrees with the C library's to 1e-14") {
  for (const double x : {-0.75, 0.3, 0.8}) {
    CHECK(math::sin(x) == near(std::sin(x)));
    CHECK(math::cos(x) == near(std::cos(x)));
    CHECK(math::tan(x) == near(std::tan(x)));
    CHECK(math::asin(x) == near(std::asin(x)));
    CHECK(math::acos(x) == near(std::acos(x)));
    CHECK(math::atan(x) == near(std::atan(x)));
    CHECK(math::atan2(x, -0.4) == near(std::atan2(x, -0.4)));
    CHECK(math::sinh(x) == near(std::sinh(x)));
    CHECK(math::cosh(x) == near(std::cosh(x)));
    CHECK(math::tanh(x) == near(std::tanh(x)));
    CHECK(math::asinh(x) == near(std::asinh(x)));
    CHECK(math::acosh(x + 2) == near(std::acosh(x + 2)));
    CHECK(math::atanh(x) == near(std::atanh(x)));
    CHECK(math::exp(x) == near(std::exp(x)));
    CHECK(math::exp2(x) == near(std::exp2(x)));
    CHECK(math::expm1(x) == near(std::expm1(x)));
    CHECK(math::log(x + 2) == near(std::log(x + 2)));
    CHECK(math::log2(x + 2) == near(std::log2(x + 2)));
    CHECK(math::log10(x + 2) == near(std::log10(x + 2)));
    CHECK(math::log1p(x) == near(std::log1p(x)));
    CHECK(math::pow(x + 2, 1.7) == near(std::pow(x + 2, 1.7)));
    CHECK(math::hypot(x, 0.9) == near(std::hypot(x, 0.9)));
    CHECK(math::erf(x) == near(std::erf(x)));
    CHECK(math::erfc(x) == near(std::erfc(x)));
  }
}

TEST_CASE("the inverses of erf and erfc, quantiles and p-values are those of mpmath") {
  CHECK(math::erf_inv(0.5) == near(0.47693627620446987338));
  CHECK(math::erf_inv(-0.9) == near(-1.1630871536766741628));
  CHECK(math::erf_inv(1e-10) == near(8.8622692545275804594e-11));
  CHECK(math::erfc_inv(0.1) == near(1.1630871536766740677));
  CHECK(math::erfc_inv(1.5) == near(-0.47693627620446987338));
  CHECK(math::erfc_inv(1e-30) == near(8.1486162231698646023));
  CHECK(math::beta_quantile(2, 3, 0.25) == near(0.24302208375607630235));
  CHECK(math::beta_quantile(0.5, 0.5, 0.1) == near(0.024471741852423216636));
  CHECK(math::beta_quantile(5, 1, 0.9) == near(0.97914836236097679447));
  CHECK(math::student_t_quantile(4, 0.975) == near(2.7764451051977934898));
  CHECK(math::student_t_quantile(1, 0.75) == near(1));
  CHECK(math::student_t_quantile(10, 0.1) == near(-1.3721836411103355904));
  CHECK(math::student_t_two_sided(5, 2) == near(0.10193947882985835625));
  CHECK(math::student_t_two_sided(1, 1) == near(0.5));
  CHECK(math::student_t_two_sided(10, -2.5) == near(0.031446844236608804249));
  CHECK(math::student_t_two_sided(2.5, 0.3) == near(0.78734237149519721449));
}

TEST_CASE("a portable double has the operators and the functions of math.hpp") {
  const PortableDouble a(1.75), b(0.5);
  CHECK((a + b).value() == 2.25);
  CHECK((a - b).value() == 1.25);
  CHECK((a * b).value() == 0.875);
  CHECK((a / b).value() == 3.5);
  CHECK((-a).value() == -1.75);
  CHECK((+a).value() == 1.75);
  PortableDouble c = a;
  CHECK((c += b).value() == 2.25);
  CHECK((c -= a).value() == 0.5);
  CHECK((c *= a).value() == 0.875);
  CHECK((c /= b).value() == 1.75);
  CHECK(c == a);
  CHECK_FALSE(c == b);
  CHECK(c != b);
  CHECK_FALSE(c != a);
  CHECK(b < a);
  CHECK_FALSE(a < a);
  CHECK(a > b);
  CHECK_FALSE(a > a);
  CHECK(a <= a);
  CHECK_FALSE(a <= b);
  CHECK(a >= a);
  CHECK_FALSE(b >= a);
  CHECK(static_cast<int>(a) == 1);
  CHECK(sin(a).value() == math::sin(1.75));
  CHECK(cos(a).value() == math::cos(1.75));
  CHECK(tan(a).value() == math::tan(1.75));
  CHECK(asin(b).value() == math::asin(0.5));
  CHECK(acos(b).value() == math::acos(0.5));
  CHECK(atan(a).value() == math::atan(1.75));
  CHECK(atan2(a, b).value() == math::atan2(1.75, 0.5));
  CHECK(sinh(a).value() == math::sinh(1.75));
  CHECK(cosh(a).value() == math::cosh(1.75));
  CHECK(tanh(a).value() == math::tanh(1.75));
  CHECK(exp(a).value() == math::exp(1.75));
  CHECK(log(a).value() == math::log(1.75));
  CHECK(log10(a).value() == math::log10(1.75));
  CHECK(pow(a, b).value() == math::pow(1.75, 0.5));
  CHECK(sqrt(PortableDouble(2.25)).value() == 1.5);
  CHECK(abs(-a).value() == 1.75);
  CHECK(fabs(-a).value() == 1.75);
  CHECK(floor(-a).value() == -2);
  CHECK(ceil(-a).value() == -1);
  CHECK(fmod(a, b).value() == 0.25);
  CHECK(ldexp(a, 3).value() == 14);
  int exponent = 0;
  CHECK(frexp(a, &exponent).value() == 0.875);
  CHECK(exponent == 1);
  PortableDouble whole;
  CHECK(modf(a, &whole).value() == 0.75);
  CHECK(whole.value() == 1);
}

TEST_CASE("the median of any number of values, in any order") {
  std::vector<double> five{9, -1, 4, 100, 3}, four{8, 1, 2, 100}, one{7};
  CHECK(median(five) == 4);
  CHECK(median(four) == 5);
  CHECK(median(one) == 7);
  CHECK_THROWS_AS(median({}), CheckFailure);
}

TEST_CASE(
    "seconds become the nearest nanosecond, and the longest duration where they are too many") {
  CHECK(Duration::seconds(1.5).ns == 1'500'000'000);
  CHECK(Duration::seconds(0.4e-9).ns == 0);
  CHECK(Duration::seconds(0.6e-9).ns == 1);
  CHECK(Duration::seconds(-0.6e-9).ns == -1);
  CHECK(Duration::seconds(9e9).ns == 9'000'000'000'000'000'000);
  CHECK(Duration::seconds(9.3e9) == Duration::max());
  CHECK(Duration::seconds(std::nan("")) == Duration::max());
  CHECK(Duration::seconds(-9e9).ns == -9'000'000'000'000'000'000);
  CHECK(Duration::seconds(-9.3e9).ns == std::numeric_limits<std::int64_t>::min());
}

}  // namespace posse::test_math
