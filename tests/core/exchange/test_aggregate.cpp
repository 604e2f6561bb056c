// SPDX-License-Identifier: Apache-2.0
// The mean and its robust replacements.
#include <catch2/catch.hpp>
#include <vector>

#include "core/exchange/aggregate.hpp"

namespace posse::test_aggregate {
namespace {

double of(std::vector<double> values, Aggregate kind, double trim = 0.1) {
  Policy policy;
  policy.aggregate = kind;
  policy.trim = trim;
  return aggregate(values, policy);
}

}  // namespace

TEST_CASE("the mean adds in the order given") {
  CHECK(of({1, 2, 6}, Aggregate::mean) == 3);
  CHECK(of({1e16, 1, -1e16, 1}, Aggregate::mean) == 0.25);
}

TEST_CASE("the median is the middle value, or the mean of the two middle ones") {
  CHECK(of({7, 1, 100}, Aggregate::median) == 7);
  CHECK(of({7, 1, 100, 3}, Aggregate::median) == 5);
  CHECK(of({4}, Aggregate::median) == 4);
}

TEST_CASE("the trimmed mean leaves out the share at either end, rounded down") {
  const std::vector<double> ten{5, 5, -1e6, 5, 5, 5, 5, 1e6, 5, 4};
  CHECK(of(ten, Aggregate::trimmed_mean) == Approx(39.0 / 8));
  CHECK(of({1, 2, 3, 4, 5, 6, 7, 8, 90}, Aggregate::trimmed_mean) == Approx(14));  // nothing
  CHECK(of({1, 2, 3, 4, 90}, Aggregate::trimmed_mean, 0.2) == 3);
  CHECK(of({1, 9}, Aggregate::trimmed_mean, 0.499) == 5);
}

}  // namespace posse::test_aggregate
