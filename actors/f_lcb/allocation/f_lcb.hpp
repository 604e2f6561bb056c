// SPDX-License-Identifier: Apache-2.0
// F-LCB: pull the arm with the smallest lower confidence bound on its minimum.
//
// Paper: Dorn, Katrutsa, Latypov & Soboleva, "Functional multi-armed bandit and the best function
// identification problems" (2025), Algorithm 1. Lines 7 to 9 are best function identification
// (BFI); without them it is the functional multi-armed bandit (FMAB).
//
// Every arm is pulled once, in index order. Then always i = argmin LCB_i with LCB = m - G, where m
// is the best value seen and G = g(k) (ties: the lowest index). After T pulls the answer is the arm
// with the smallest m.
//   value    best: as above; last: m is the last value, for which Lemma 1 is exact (f-lcb-1)
//   epsilon  BFI if above 0: stop when the selected arm has g <= epsilon/2, and answer it. The test
//            is made at selection (f-lcb-4)
// Departures: the rows of PAPERS.md in parentheses, and f-lcb-2. Ours: concurrent pulls.
//   batched       starts the B arms of lowest LCB at once, then waits for all of them
//   asynchronous  up to B arms in flight. Each reply is followed by one pull: the arm of lowest LCB
//                 among those not in flight. An arm in flight keeps its last LCB
// Cost: O(log K) per pull.
#pragma once

#include <optional>

#include "actors/f_lcb/allocation/allocation.hpp"

namespace posse {

struct FLcbOptions {
  bool last_value = false;
  double epsilon = 0;  // 0: FMAB
  PullOrder order = PullOrder::sequential;
  std::uint32_t parallel = 1;  // B, at most K; 1 if sequential
};

class FLcb final : public Allocation {
 public:
  FLcb(std::size_t arms, std::uint64_t budget, const FLcbOptions& options);

  void start(std::vector<Pull>& pulls) override;
  void take(const Pull& pull, const ArmReply& reply) override;
  std::uint32_t answer() const override;

  const KnownArms& arms() const { return arms_; }
  double lower_bound(std::size_t arm) const {
    const auto& a = arms_[arm];
    return (options_.last_value ? a.last : a.best) - a.bound;
  }
  /// True if epsilon ended the search before the budget did.
  bool stopped() const { return stopped_; }

 private:
  /// The arm to pull next, if there is one.
  std::optional<std::uint32_t> select() const;
  /// The arm of the lowest LCB, including those in flight, if every arm was pulled and g <=
  /// epsilon/2 for that arm.
  std::optional<std::uint32_t> certified() const;

  FLcbOptions options_;
  std::uint64_t budget_;
  KnownArms arms_;
  SmallestNumber waiting_;  // LCB of the arms that were pulled and are not in flight
  SmallestNumber pulled_;   // LCB of all arms that were pulled; only for BFI
  std::uint64_t started_ = 0;
  std::uint32_t under_way_ = 0;
  bool stopped_ = false;
  std::uint32_t stopped_at_ = 0;
};

}  // namespace posse
