// SPDX-License-Identifier: Apache-2.0
// Values that change in steps over virtual time.
#include <catch2/catch.hpp>

#include "core/base/step_trace.hpp"

namespace posse::test_step_trace {

TEST_CASE("a step holds from its time on until the next one, and the last one for ever") {
  const StepTrace<int> trace({{Time{0}, 1}, {Time{10}, 2}, {Time{30}, 3}});
  CHECK(trace.at(Time{0}) == 1);
  CHECK(trace.at(Time{9}) == 1);
  CHECK(trace.at(Time{10}) == 2);
  CHECK(trace.at(Time{29}) == 2);
  CHECK(trace.at(Time{30}) == 3);
  CHECK(trace.at(Time::max()) == 3);
}

TEST_CASE("a trace with a period begins again after it") {
  const StepTrace<int> trace({{Time{0}, 1}, {Time{10}, 2}}, Duration{15});
  CHECK(trace.at(Time{14}) == 2);
  CHECK(trace.at(Time{15}) == 1);
  CHECK(trace.at(Time{15 * 1'000'000 + 10}) == 2);
  // A last step at the end of the period never holds.
  const StepTrace<int> closed({{Time{0}, 1}, {Time{10}, 2}}, Duration{10});
  for (std::int64_t t = 0; t < 40; ++t) CHECK(closed.at(Time{t}) == 1);
}

}  // namespace posse::test_step_trace
