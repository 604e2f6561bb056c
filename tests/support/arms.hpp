// SPDX-License-Identifier: Apache-2.0
// Arms for tests: families from parameters, and an allocation run without network or time.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/f_lcb/allocation/allocation.hpp"
#include "core/arm/arm_family.hpp"
#include "core/optimizer/optimizer.hpp"

namespace posse::test {

inline InputText input_text(std::string content) {
  return {"given.csv", "", std::make_shared<const std::string>(std::move(content))};
}

using Given = std::vector<std::pair<std::string_view, ParameterValue>>;

/// A family with everything that isn't given at its default.
inline std::shared_ptr<const ArmFamily> family(std::string_view kind, const Given& given = {}) {
  const ArmFamilySpec* spec = find_arm_family(kind);
  REQUIRE(spec != nullptr);
  Parameters parameters = default_parameters(spec->parameters);
  for (const auto& [name, value] : given) parameters.set(name, value);
  return spec->make(parameters);
}

inline std::shared_ptr<const ArmSet> arms(std::string_view kind,
                                          const Given& given,
                                          std::uint64_t seed,
                                          std::uint64_t budget) {
  return family(kind, given)->arms({Seed{seed}, seed}, budget);
}

/// The text of the InputError that this throws; "" if it throws none.
template <class Do>
std::string complaint(Do act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Answers every pull at once, in the order of starting, until the allocation ends, and calls
/// use(pull, optimizer) after each. Returns the pulls by arm.
template <class Use>
std::vector<std::uint64_t> play(Allocation& allocation, const ArmSet& set, Use use) {
  std::vector<std::vector<std::unique_ptr<Optimizer>>> copies(set.size());
  std::vector<std::uint64_t> made(set.size());
  std::vector<Pull> pulls;
  for (;;) {
    pulls.clear();
    allocation.start(pulls);
    if (pulls.empty()) return made;
    for (const auto& pull : pulls) {
      auto& mine = copies[pull.arm];
      while (mine.size() <= pull.instance)
        mine.push_back(set.arms[pull.arm].start(static_cast<std::uint32_t>(mine.size())));
      Optimizer& optimizer = *mine[pull.instance];
      optimizer.step();
      ++made[pull.arm];
      allocation.take(pull, {optimizer.steps(), optimizer.value(), optimizer.bound()});
      use(pull, optimizer);
    }
  }
}

}  // namespace posse::test
