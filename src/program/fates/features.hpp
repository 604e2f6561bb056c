// SPDX-License-Identifier: Apache-2.0
// What random environments have reached: the features of scenarios and runs, which prove that rare
// branches were taken.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "program/fates/trial.hpp"

namespace posse {

struct Feature {
  std::string name;  // "crash once", "dropped by loss"
  std::function<bool(const Trial&)> has;
};
struct FeatureGroup {
  std::string_view name;
  std::vector<Feature> features;
};

/// How runs ended, what happened in them, their faults, and their network.
const std::vector<FeatureGroup>& feature_groups();

}  // namespace posse
