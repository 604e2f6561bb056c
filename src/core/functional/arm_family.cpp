#include "core/functional/arm_family.hpp"

#include <algorithm>

#include "core/functional/curve_arms.hpp"
#include "core/functional/digit_arms.hpp"
#include "core/functional/function_arms.hpp"
#include "core/functional/noisy_arms.hpp"
#include "core/functional/piecewise_linear_arms.hpp"
#include "core/functional/reward_arms.hpp"
#include "core/functional/smooth_arms.hpp"

namespace posse {

const std::vector<ArmsSpec>& arm_family_specs() {
  static const std::vector<ArmsSpec> all{smooth_arms_spec(),
                                         piecewise_linear_arms_spec(),
                                         noisy_arms_spec(),
                                         curve_arms_spec(),
                                         function_arms_spec(),
                                         digit_arms_spec(),
                                         reward_arms_spec()};
  return all;
}

const ArmsSpec* find_arm_family(std::string_view kind) {
  const auto& all = arm_family_specs();
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const ArmsSpec& spec) { return spec.kind == kind; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace posse
