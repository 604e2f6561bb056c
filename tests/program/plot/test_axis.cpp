// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "program/plot/axis.hpp"

namespace test_axis {

using namespace posse;

namespace {

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> out;
  for (const auto& tick : axis.ticks())
    if (!tick.label.empty()) out.push_back(tick.label);
  return out;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("linear ticks are multiples of 1, 2 or 5, and the axis ends on them") {
  CHECK(labels(Axis::linear(0, 980)) == Labels{"0", "200", "400", "600", "800", "1000"});
  CHECK(labels(Axis::linear(0, 0.31)) == Labels{"0.0", "0.1", "0.2", "0.3", "0.4"});
  CHECK(labels(Axis::linear(-3, 4)) == Labels{"-4", "-2", "0", "2", "4"});
  const auto axis = Axis::linear(0, 980);
  CHECK(axis.low() == 0);
  CHECK(axis.high() == 1000);
  CHECK(axis.position(250) == 0.25);
}

TEST_CASE("a tight axis ends where the data do, with its ticks inside") {
  const auto axis = Axis::linear(0, 1600, Ends::tight);
  CHECK(axis.high() == 1600);
  CHECK(labels(axis) == Labels{"0", "500", "1000", "1500"});
  CHECK(labels(Axis::linear(-0.2, 1.0, Ends::tight)).front() == "-0.2");
  for (const auto& label : labels(Axis::linear(-0.0, 7, Ends::tight))) CHECK(label != "-0");
  const auto log = Axis::logarithmic(1, 10000, Ends::tight);
  CHECK(log.high() == 10000);
  CHECK(labels(log) == Labels{"1", "10", "100", "1000", "10\u2009000"});
}

TEST_CASE("any finite range gives a handful of ticks in order, inside the axis") {
  for (double low : {-5e7, -1.0, 0.0, 1e-9, 0.3, 12345.678, 9e15})
    for (double span : {0.0, -1.0, 1e-6, 0.007, 1.0, 33.0, 9999.0, 1e8, 1e17}) {
      const auto axis = Axis::linear(low, low + span);
      INFO(low << " + " << span);
      CHECK(axis.high() > axis.low());
      CHECK(axis.low() <= low + 1e-8 * std::abs(span));
      CHECK(axis.high() >= low + span - 1e-8 * std::abs(span));
      CHECK(axis.ticks().size() >= 2);
      CHECK(axis.ticks().size() <= 15);
      for (std::size_t i = 0; i < axis.ticks().size(); ++i) {
        const double at = axis.position(axis.ticks()[i].value);
        CHECK(at >= -1e-6);
        CHECK(at <= 1 + 1e-6);
        if (i > 0) CHECK(at > axis.position(axis.ticks()[i - 1].value));
      }
    }
}

TEST_CASE("logarithmic axes label decades, and 2 and 5 where there is room") {
  CHECK(labels(Axis::logarithmic(0.02, 0.9)) == Labels{"0.02", "0.05", "0.1", "0.2", "0.5"});
  CHECK(labels(Axis::logarithmic(0.0011, 80)) == Labels{"0.001", "0.01", "0.1", "1", "10"});
  const auto axis = Axis::logarithmic(1, 10000);
  CHECK(axis.position(1) == Approx(0).margin(1e-12));
  CHECK(axis.position(100) == Approx(0.5));
  CHECK(axis.position(10000) == Approx(1));
  CHECK(axis.position(0) < -1);
  CHECK(axis.position(-3) < -1);
  // Millions and more as powers of ten, never more than nine of them.
  const auto wide = Axis::logarithmic(1e-12, 1e12);
  std::size_t powers = 0;
  for (const auto& tick : wide.ticks()) powers += tick.power ? 1 : 0;
  CHECK(powers >= 3);
  CHECK(powers <= 9);
}

TEST_CASE("a logarithmic range of one value is widened around it") {
  for (const double value : {1.0, 3.7, 1e-5, 6e11}) {
    const auto axis = Axis::logarithmic(value, value);
    CHECK(axis.low() < value);
    CHECK(axis.high() > value);
    CHECK_FALSE(labels(axis).empty());
  }
}

TEST_CASE("0 can have a place of its own on a logarithmic axis, left of everything") {
  const auto axis = Axis::logarithmic_with_zero(10, 1000);
  CHECK(axis.position(0) == 0);
  CHECK(axis.position(10) == Approx(kZeroGap));
  CHECK(axis.position(1000) == Approx(1));
  CHECK(axis.ticks().front().label == "0");
}

TEST_CASE("thousands are set apart from five digits on") {
  CHECK(tick_label(1000, 0) == "1000");
  CHECK(tick_label(10000, 0) == "10\u2009000");
  CHECK(tick_label(-1234567, 0) == "-1\u2009234\u2009567");
  CHECK(tick_label(0.25, 2) == "0.25");
  CHECK(tick_label(12345.5, 1) == "12\u2009345.5");
}

}  // namespace test_axis
