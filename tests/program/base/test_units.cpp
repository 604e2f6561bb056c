// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "program/base/text.hpp"
#include "program/base/units.hpp"

namespace test_units {

using namespace posse;

TEST_CASE("durations are read in every unit") {
  CHECK(parse_duration("50 ms").value->ns == 50'000'000);
  CHECK(parse_duration("1.5s").value->ns == 1'500'000'000);
  CHECK(parse_duration("2 min").value->ns == 120'000'000'000);
  CHECK(parse_duration("1 h").value->ns == 3'600'000'000'000);
  CHECK(parse_duration("3 us").value->ns == 3'000);
  CHECK(parse_duration("3 \xC2\xB5s").value->ns == 3'000);
  CHECK(parse_duration("7 ns").value->ns == 7);
}

TEST_CASE("durations without a unit, with a wrong one, negative or not finite are refused") {
  CHECK(parse_duration("50").problem == "has no unit");
  CHECK(parse_duration("50 msec").problem == "has the unknown unit 'msec'");
  CHECK(parse_duration("50 MB").problem == "has the unknown unit 'MB'");
  CHECK(parse_duration("-1 s").problem == "is negative");
  for (const auto* text : {"", "s", "nan s", "inf s", "abc"})
    CHECK_FALSE(parse_duration(text).value);
  CHECK_FALSE(parse_duration("1e12 h").value);
}

TEST_CASE("durations that are no whole number of nanoseconds are refused unless they are long") {
  for (const auto* text : {"0.4 ns", "0.6 ns", "1.5 ns", "0.0004 us", "100.4 ns"})
    CHECK_THAT(std::string(parse_duration(text).problem),
               Catch::Matchers::Contains("whole number of nanoseconds"));
  CHECK(parse_duration("0 ns").value->ns == 0);
  CHECK(parse_duration("0.333333333333 s").value->ns == 333'333'333);
  CHECK(parse_duration("0.0015 ms").value->ns == 1500);
}

TEST_CASE("sizes count in powers of 1000 and of 1024, in whole bytes") {
  CHECK(*parse_size("1 MB").value == 1'000'000);
  CHECK(*parse_size("1 MiB").value == 1'048'576);
  CHECK(*parse_size("1.5 kB").value == 1500);
  CHECK_FALSE(parse_size("0.5 B").value);
  CHECK_FALSE(parse_size("1 mb").value);
}

TEST_CASE("rates are bits per second and above 0") {
  CHECK(*parse_rate("10 Mbit/s").value == 1e7);
  CHECK(*parse_rate("1 MB/s").value == 8e6);
  CHECK(parse_rate("0 bit/s").problem == "is not above 0");
  CHECK(parse_rate("0.51e308 Gbit/s").problem == "is too large");
  CHECK_FALSE(parse_rate("10 Mbit").value);
}

TEST_CASE("shares are percentages above 0 and up to 100") {
  CHECK(*parse_share("80%").value == Approx(0.8));
  CHECK_FALSE(parse_share("0%").value);
  CHECK_FALSE(parse_share("101 %").value);
}

TEST_CASE("what is written reads back as the same value") {
  for (const std::int64_t ns :
       {0LL, 1LL, 999LL, 1'000LL, 1'500'000LL, 60'000'000'001LL, 123'456'789LL})
    CHECK(parse_duration(format_duration({ns})).value->ns == ns);
  for (const std::uint64_t bytes : {0ULL, 1ULL, 1023ULL, 1024ULL, 1'000'000ULL, 1'048'576ULL})
    CHECK(*parse_size(format_size(bytes)).value == bytes);
  for (const double rate : {1.0, 0.3, 1e7, 1234567.5})
    CHECK(*parse_rate(format_rate(rate)).value == rate);
}

TEST_CASE(
    "numbers for people: no exponents between 1e-4 and 1e9, an interval's digits are its own") {
  CHECK(pretty_number(200100.4) == "200100");
  CHECK(pretty_number(99999) == "99999");
  CHECK(pretty_number(0.00065) == "0.00065");
  CHECK(pretty_bytes(-4200) == "-4.2 kB");
  const auto shown = [](double mean, Interval interval, std::string_view unit) {
    const auto s = shown_interval(mean, interval, unit);
    return s.mean + " (" + s.low + " to " + s.high + ")";
  };
  CHECK(shown(9994.23, {9993.98, 9994.48}, "") == "9994.2 (9994 to 9994.5)");
  CHECK(shown(2574.06, {2496.2, 2651.9}, "") == "2574 (2496 to 2652)");
  CHECK(shown(0.001876, {-0.00274, 0.00649}, "") == "0.0019 (-0.0027 to 0.0065)");
  CHECK(shown(1.6, {0.92, 2.28}, "s") == "1.6 s (920 ms to 2.28 s)");
  CHECK(shown(5, {5, 5}, "") == "5 (5 to 5)");
}

}  // namespace test_units
