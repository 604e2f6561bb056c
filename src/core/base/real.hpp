// A double whose functions are those of math.hpp. Boost.Math and Boost.Random are templates over
// the number type and find functions by argument-dependent lookup. With `Real` they give the same
// bits on every processor.
#pragma once

#include <cmath>
#include <istream>
#include <limits>
#include <ostream>
#include <type_traits>

#include "core/base/math.hpp"

namespace posse {

class Real {
 public:
  constexpr Real() = default;
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  constexpr Real(Number x) : value_(static_cast<double>(x)) {}  // NOLINT: Boost converts freely

  constexpr double value() const { return value_; }
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  explicit constexpr operator Number() const {
    return static_cast<Number>(value_);
  }

  constexpr Real operator-() const { return -value_; }
  constexpr Real operator+() const { return *this; }
  constexpr Real& operator+=(Real x) { return *this = value_ + x.value_; }
  constexpr Real& operator-=(Real x) { return *this = value_ - x.value_; }
  constexpr Real& operator*=(Real x) { return *this = value_ * x.value_; }
  constexpr Real& operator/=(Real x) { return *this = value_ / x.value_; }
  friend constexpr Real operator+(Real a, Real b) { return a.value_ + b.value_; }
  friend constexpr Real operator-(Real a, Real b) { return a.value_ - b.value_; }
  friend constexpr Real operator*(Real a, Real b) { return a.value_ * b.value_; }
  friend constexpr Real operator/(Real a, Real b) { return a.value_ / b.value_; }
  friend constexpr bool operator==(Real a, Real b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(Real a, Real b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(Real a, Real b) { return a.value_ < b.value_; }
  friend constexpr bool operator>(Real a, Real b) { return a.value_ > b.value_; }
  friend constexpr bool operator<=(Real a, Real b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>=(Real a, Real b) { return a.value_ >= b.value_; }

  friend Real sin(Real x) { return math::sin(x.value_); }
  friend Real cos(Real x) { return math::cos(x.value_); }
  friend Real tan(Real x) { return math::tan(x.value_); }
  friend Real asin(Real x) { return math::asin(x.value_); }
  friend Real acos(Real x) { return math::acos(x.value_); }
  friend Real atan(Real x) { return math::atan(x.value_); }
  friend Real atan2(Real y, Real x) { return math::atan2(y.value_, x.value_); }
  friend Real sinh(Real x) { return math::sinh(x.value_); }
  friend Real cosh(Real x) { return math::cosh(x.value_); }
  friend Real tanh(Real x) { return math::tanh(x.value_); }
  friend Real exp(Real x) { return math::exp(x.value_); }
  friend Real log(Real x) { return math::log(x.value_); }
  friend Real log10(Real x) { return math::log10(x.value_); }
  friend Real pow(Real x, Real y) { return math::pow(x.value_, y.value_); }
  friend Real sqrt(Real x) { return std::sqrt(x.value_); }
  friend Real abs(Real x) { return std::abs(x.value_); }
  friend Real fabs(Real x) { return std::abs(x.value_); }
  friend Real floor(Real x) { return std::floor(x.value_); }
  friend Real ceil(Real x) { return std::ceil(x.value_); }
  friend Real fmod(Real x, Real y) { return std::fmod(x.value_, y.value_); }
  friend Real ldexp(Real x, int e) { return std::ldexp(x.value_, e); }
  friend Real frexp(Real x, int* e) { return std::frexp(x.value_, e); }
  friend Real modf(Real x, Real* whole) { return std::modf(x.value_, &whole->value_); }
  friend int fpclassify(Real x) { return std::fpclassify(x.value_); }

  friend std::ostream& operator<<(std::ostream& out, Real x) { return out << x.value_; }
  friend std::istream& operator>>(std::istream& in, Real& x) { return in >> x.value_; }

 private:
  double value_ = 0;
};

}  // namespace posse

template <>
class std::numeric_limits<posse::Real> : public std::numeric_limits<double> {};
