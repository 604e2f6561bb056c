// SPDX-License-Identifier: Apache-2.0
// A sample of what `tools/fuzz keys` and `tools/fuzz verbs` try.
#include <catch2/catch.hpp>

#include "tests/fuzz/commands/inputs.hpp"
#include "tests/fuzz/sandbox.hpp"

namespace posse::fuzz {
namespace {

constexpr Limits kLimits{std::chrono::seconds(1)};

/// About so many of the inputs, evenly.
template <class Inputs, class Try>
Tally sample(const Inputs& inputs, std::size_t wanted, Try attempt) {
  const Sandbox own;
  Tally tally;
  // A prime, so that all values have their turn.
  const std::size_t step = std::max<std::size_t>(inputs.size() / wanted, 1) | 1;
  for (std::size_t i = 0; i < inputs.size(); i += step)
    attempt(inputs[i], own.path(), kLimits, tally);
  return tally;
}

void check(const Tally& tally) {
  for (const auto& finding : tally.findings) FAIL_CHECK(finding);
  CHECK(tally.accepted > 0);
  CHECK(tally.accepted < tally.tried);
}

}  // namespace

TEST_CASE("whatever a key of a scenario is set to is accepted or refused by name") {
  const Sandbox scenarios;
  const auto inputs = key_inputs(scenarios.path());
  CHECK(inputs.size() > 10'000);
  check(sample(inputs, 60, try_key));
}

TEST_CASE("whatever a flag of a verb is set to is accepted or refused by name") {
  const Sandbox scenarios;
  const auto inputs = verb_inputs(scenarios.path());
  CHECK(inputs.size() > 3'000);
  check(sample(inputs, 60, try_verb));
}

}  // namespace posse::fuzz
