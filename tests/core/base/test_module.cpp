// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/base/module.hpp"
#include "core/base/outside_failure.hpp"
#include "core/function/clp_module.hpp"

namespace test_module {

using namespace posse;
using Catch::Matchers::Contains;

TEST_CASE("a module is loaded once, and its functions can be called") {
  CHECK(&module<ClpModule>() == load_module("clp"));
  CHECK(load_module("clp") == load_module("clp"));
  // max(x - 1, -x) over [-2, 2]: the planes cross at 1/2.
  const std::vector<double> slopes = {1, -1};
  const std::vector<double> offsets = {-1, 0};
  const auto minimum = module<ClpModule>().minimise(slopes, offsets, -2, 2);
  REQUIRE(minimum.point.size() == 1);
  CHECK(minimum.point[0] == Approx(0.5));
  CHECK(minimum.prices.size() == 2);
}

TEST_CASE("a module that isn't there is an outside failure that names it and says what to do") {
  CHECK_THROWS_AS(load_module("weather"), OutsideFailure);
  CHECK_THROWS_WITH(load_module("weather"),
                    Contains("'weather'") && Contains("install Posse again") &&
                        Contains("posse-weather.so: cannot open"));
}

}  // namespace test_module
