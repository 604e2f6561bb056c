// SPDX-License-Identifier: Apache-2.0
// HCT or VHCT as a kind of learner, for hosts that run it: learners, parameters, bounds. See
// hct.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "actors/learners/tree_learner.hpp"
#include "core/learner/hct.hpp"

namespace posse {

class HctKind : public TreeLearnerKind {
 public:
  /// VHCT if `variance`.
  HctKind(bool variance,
          const Parameters& parameters,
          const ProtocolContext& context,
          bool resplit = false);

  std::unique_ptr<Learner> make(std::string_view name) const override {
    return std::make_unique<Hct>(make_hct(name));
  }
  Hct make_hct(std::string_view name) const;

  ComparisonFacts comparison_facts() const override;
  std::optional<Bound> depth_bound() const override;
  std::optional<Bound> cells_bound() const override;
  std::optional<Bound> regret_bound(const RunOutcome& outcome) const override;

  static std::vector<ParameterSpec> parameters(bool variance);

 private:
  HctOptions options_;
};

}  // namespace posse
