// SPDX-License-Identifier: Apache-2.0
// Families of arms: the kinds of `[[arm]]` in a scenario, with their parameters.
//
// A family makes the arms of one repetition. It is made once per scenario and serves all
// repetitions, from several threads; it may cache results that take long (a trained model, an exact
// minimum). Random streams come from the repetition's seed and are named in each kind's header.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/arm/arm.hpp"
#include "core/base/parameters.hpp"
#include "core/objective/family.hpp"

namespace posse {

/// Makes the arms of a scenario: the same for all algorithms of a repetition.
class ArmFamily {
 public:
  virtual ~ArmFamily() = default;
  virtual std::uint32_t size() const = 0;  // K
  /// The arms of one repetition (streams from repetition.seed). Throws InputError.
  virtual std::shared_ptr<const ArmSet> arms(const Repetition& repetition,
                                             std::uint64_t budget) const = 0;
  /// What could mislead about the arms of all repetitions: sentences.
  virtual std::vector<std::string> warnings() const { return {}; }
};

/// One kind of `[[arm]]`.
struct ArmFamilySpec {
  std::string_view kind;
  std::string_view summary;
  std::string_view source;
  std::vector<ParameterSpec> parameters;
  /// Throws InputError.
  std::shared_ptr<const ArmFamily> (*make)(const Parameters&) = nullptr;
  /// As ObjectiveSpec::foreign_mathematics.
  std::string_view foreign_mathematics = {};
};

const std::vector<ArmFamilySpec>& arm_family_specs();
const ArmFamilySpec* find_arm_family(std::string_view kind);

}  // namespace posse
