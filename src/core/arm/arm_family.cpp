// SPDX-License-Identifier: Apache-2.0
#include "core/arm/arm_family.hpp"

#include <algorithm>

#include "core/arm/curve_arms.hpp"
#include "core/arm/digit_arms.hpp"
#include "core/arm/function_arms.hpp"
#include "core/arm/noisy_arms.hpp"
#include "core/arm/piecewise_linear_arms.hpp"
#include "core/arm/reward_arms.hpp"
#include "core/arm/smooth_arms.hpp"

namespace posse {

const std::vector<ArmFamilySpec>& arm_family_specs() {
  static const std::vector<ArmFamilySpec> all{smooth_arms_spec(),
                                              piecewise_linear_arms_spec(),
                                              noisy_arms_spec(),
                                              curve_arms_spec(),
                                              function_arms_spec(),
                                              digit_arms_spec(),
                                              reward_arms_spec()};
  return all;
}

const ArmFamilySpec* find_arm_family(std::string_view kind) {
  const auto& all = arm_family_specs();
  const auto it = std::find_if(
      all.begin(), all.end(), [&](const ArmFamilySpec& spec) { return spec.kind == kind; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace posse
