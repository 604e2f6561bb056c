// F-LCB: pull the arm whose optimizer may be closest to the smallest minimum.
//
// Paper 004, Algorithm 1 (FMAB) and 2 (BFI): pull every arm once, in index order; then always i =
// argmin LCB_i, LCB = m - G, m the best value seen and G = g(k), lowest index on a tie. When T
// pulls are made, the answer is the arm with the smallest m.
//   value    best: as above; last: m is the last value (Lemma 1 holds for it exactly)
//   epsilon  BFI: above 0, stop when the selected arm has g <= epsilon/2 and answer it. The test is
//            made at selection; the paper's printed order, after the update, can return R_B >
//            epsilon
// Beyond the paper: several pulls under way.
//   batched       the B arms of lowest LCB at once, then wait for all of them
//   asynchronous  as many as B arms in flight; each reply is followed by one pull, of the lowest
//   LCB
//                 among the arms that aren't in flight (an arm in flight keeps its last LCB)
// Cost: O(K) per pull.
#pragma once

#include <optional>

#include "actors/f_lcb/allocation/allocation.hpp"

namespace posse {

enum class PullOrder { sequential, batched, asynchronous };

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

  const std::vector<ArmKnowledge>& arms() const { return arms_; }
  double lower_bound(std::size_t arm) const {
    const auto& a = arms_[arm];
    return (options_.last_value ? a.last : a.best) - a.bound;
  }
  /// True if epsilon ended the search before the budget did.
  bool stopped() const { return stopped_; }

 private:
  /// The arm to pull next, or K if there is none.
  std::size_t select() const;
  /// The arm of the lowest LCB of all, those in flight included, if every arm was pulled and
  /// epsilon is enough for its bound.
  std::optional<std::size_t> certified() const;

  FLcbOptions options_;
  std::uint64_t budget_;
  std::vector<ArmKnowledge> arms_;
  std::uint64_t started_ = 0;
  std::uint32_t under_way_ = 0;
  bool stopped_ = false;
  std::uint32_t stopped_at_ = 0;
};

}  // namespace posse
