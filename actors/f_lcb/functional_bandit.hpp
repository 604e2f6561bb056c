// SPDX-License-Identifier: Apache-2.0
// What all functional bandits share: nodes, messages and measurements (protocol.hpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "actors/f_lcb/allocation/allocation.hpp"
#include "core/arm/arm.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// How pulls follow each other.
struct PullPace {
  PullOrder order = PullOrder::sequential;
  std::uint32_t parallel = 1;  // at most so many are under way at once

  /// A pull starts whenever fewer than `parallel` are under way.
  static PullPace steady(std::uint32_t parallel) {
    return {parallel == 1 ? PullOrder::sequential : PullOrder::asynchronous, parallel};
  }
};

class FunctionalBandit : public Protocol {
 public:
  using MakeAllocation = std::function<std::unique_ptr<Allocation>()>;
  /// `arms` must outlive it. `pulls`: the largest number of pulls that the allocation makes.
  FunctionalBandit(const ArmSet& arms, std::uint64_t pulls, PullPace pace, MakeAllocation make)
      : arms_(&arms), pulls_(pulls), pace_(pace), make_(std::move(make)) {}

  std::vector<NodeGroup> groups() const override;
  std::unique_ptr<Role> make_role(NodeId node) const override;
  std::string_view why_order_matters(NodeId node) const override;
  bool can_lose_state(NodeId node) const override;
  std::unique_ptr<Role> make_role_anew(NodeId node, std::uint64_t evaluations) const override;
  Forecast forecast() const override;
  std::vector<Measurement> measurements(const RunOutcome& outcome) const override;
  ComparisonFacts comparison_facts() const override { return {.pulls_at_once = pace_.parallel}; }

 protected:
  /// Adds the measurements of regret. F-LCB has more of them.
  virtual void add_regret(const RunOutcome& outcome, std::vector<Measurement>& measurements) const;
  virtual Bound pulls_bound() const;

  static void add_measured_regret(const RunOutcome& outcome,
                                  std::optional<Bound> simple,
                                  std::vector<Measurement>& measurements);

  const ArmSet& arms() const { return *arms_; }
  std::uint64_t pulls() const { return pulls_; }

 private:
  const ArmSet* arms_;
  std::uint64_t pulls_;
  PullPace pace_;
  MakeAllocation make_;
};

/// A check of arms: with functions to minimise, not rewards.
std::vector<std::string> require_functions(const Parameters&, const ProtocolContext& context);

/// All functional bandits have the same nodes and messages; arms are checked by
/// require_functions().
AlgorithmSpec functional_spec(std::string_view kind,
                              std::string_view summary,
                              std::string_view source,
                              std::vector<ParameterSpec> parameters,
                              decltype(AlgorithmSpec::make) make);

}  // namespace posse
