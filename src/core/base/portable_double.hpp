// SPDX-License-Identifier: Apache-2.0
// A double whose functions are those of math.hpp. Boost.Math and Boost.Random are templates over
// the number type and find functions by argument-dependent lookup. With `PortableDouble` they give
// the same bits on every processor.
#pragma once

#include <cmath>
#include <istream>
#include <limits>
#include <ostream>
#include <type_traits>

#include "core/base/math.hpp"

namespace posse {

class PortableDouble {
 public:
  constexpr PortableDouble() = default;
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  constexpr PortableDouble(Number x)
      : value_(static_cast<double>(x)) {}  // NOLINT: Boost converts freely

  constexpr double value() const { return value_; }
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  explicit constexpr operator Number() const {
    return static_cast<Number>(value_);
  }

  constexpr PortableDouble operator-() const { return -value_; }
  constexpr PortableDouble operator+() const { return *this; }
  constexpr PortableDouble& operator+=(PortableDouble x) { return *this = value_ + x.value_; }
  constexpr PortableDouble& operator-=(PortableDouble x) { return *this = value_ - x.value_; }
  constexpr PortableDouble& operator*=(PortableDouble x) { return *this = value_ * x.value_; }
  constexpr PortableDouble& operator/=(PortableDouble x) { return *this = value_ / x.value_; }
  friend constexpr PortableDouble operator+(PortableDouble a, PortableDouble b) {
    return a.value_ + b.value_;
  }
  friend constexpr PortableDouble operator-(PortableDouble a, PortableDouble b) {
    return a.value_ - b.value_;
  }
  friend constexpr PortableDouble operator*(PortableDouble a, PortableDouble b) {
    return a.value_ * b.value_;
  }
  friend constexpr PortableDouble operator/(PortableDouble a, PortableDouble b) {
    return a.value_ / b.value_;
  }
  friend constexpr bool operator==(PortableDouble a, PortableDouble b) {
    return a.value_ == b.value_;
  }
  friend constexpr bool operator!=(PortableDouble a, PortableDouble b) {
    return a.value_ != b.value_;
  }
  friend constexpr bool operator<(PortableDouble a, PortableDouble b) {
    return a.value_ < b.value_;
  }
  friend constexpr bool operator>(PortableDouble a, PortableDouble b) {
    return a.value_ > b.value_;
  }
  friend constexpr bool operator<=(PortableDouble a, PortableDouble b) {
    return a.value_ <= b.value_;
  }
  friend constexpr bool operator>=(PortableDouble a, PortableDouble b) {
    return a.value_ >= b.value_;
  }

  friend PortableDouble sin(PortableDouble x) { return math::sin(x.value_); }
  friend PortableDouble cos(PortableDouble x) { return math::cos(x.value_); }
  friend PortableDouble tan(PortableDouble x) { return math::tan(x.value_); }
  friend PortableDouble asin(PortableDouble x) { return math::asin(x.value_); }
  friend PortableDouble acos(PortableDouble x) { return math::acos(x.value_); }
  friend PortableDouble atan(PortableDouble x) { return math::atan(x.value_); }
  friend PortableDouble atan2(PortableDouble y, PortableDouble x) {
    return math::atan2(y.value_, x.value_);
  }
  friend PortableDouble sinh(PortableDouble x) { return math::sinh(x.value_); }
  friend PortableDouble cosh(PortableDouble x) { return math::cosh(x.value_); }
  friend PortableDouble tanh(PortableDouble x) { return math::tanh(x.value_); }
  friend PortableDouble exp(PortableDouble x) { return math::exp(x.value_); }
  friend PortableDouble log(PortableDouble x) { return math::log(x.value_); }
  friend PortableDouble log10(PortableDouble x) { return math::log10(x.value_); }
  friend PortableDouble pow(PortableDouble x, PortableDouble y) {
    return math::pow(x.value_, y.value_);
  }
  friend PortableDouble sqrt(PortableDouble x) { return std::sqrt(x.value_); }
  friend PortableDouble abs(PortableDouble x) { return std::abs(x.value_); }
  friend PortableDouble fabs(PortableDouble x) { return std::abs(x.value_); }
  friend PortableDouble floor(PortableDouble x) { return std::floor(x.value_); }
  friend PortableDouble ceil(PortableDouble x) { return std::ceil(x.value_); }
  friend PortableDouble fmod(PortableDouble x, PortableDouble y) {
    return std::fmod(x.value_, y.value_);
  }
  friend PortableDouble ldexp(PortableDouble x, int e) { return std::ldexp(x.value_, e); }
  friend PortableDouble frexp(PortableDouble x, int* e) { return std::frexp(x.value_, e); }
  friend PortableDouble modf(PortableDouble x, PortableDouble* whole) {
    return std::modf(x.value_, &whole->value_);
  }
  friend int fpclassify(PortableDouble x) { return std::fpclassify(x.value_); }

  friend std::ostream& operator<<(std::ostream& out, PortableDouble x) { return out << x.value_; }
  friend std::istream& operator>>(std::istream& in, PortableDouble& x) { return in >> x.value_; }

 private:
  double value_ = 0;
};

}  // namespace posse

template <>
class std::numeric_limits<posse::PortableDouble> : public std::numeric_limits<double> {};
