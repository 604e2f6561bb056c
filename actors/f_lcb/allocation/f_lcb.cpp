// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/allocation/f_lcb.hpp"

#include "core/base/check.hpp"

namespace posse {

FLcb::FLcb(std::size_t arms, std::uint64_t budget, const FLcbOptions& options)
    : options_(options), budget_(budget), arms_(arms) {
  POSSE_CHECK(arms > 0 && options.parallel > 0, "{} arms, parallel = {}", arms, options.parallel);
  POSSE_CHECK(options.order != PullOrder::sequential || options.parallel == 1,
              "sequential pulls need parallel = 1, given {}",
              options.parallel);
}

std::size_t FLcb::select() const {
  std::size_t best = arms_.size();
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    if (arms_[i].in_flight) continue;
    if (arms_[i].pulls == 0) return i;  // every arm once, in index order
    if (best == arms_.size() || lower_bound(i) < lower_bound(best)) best = i;
  }
  return best;
}

std::optional<std::size_t> FLcb::certified() const {
  if (options_.epsilon == 0) return std::nullopt;
  std::size_t lowest = 0;
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    if (arms_[i].pulls == 0) return std::nullopt;
    if (lower_bound(i) < lower_bound(lowest)) lowest = i;
  }
  if (arms_[lowest].bound > options_.epsilon / 2) return std::nullopt;
  return lowest;
}

void FLcb::start(std::vector<Pull>& pulls) {
  if (options_.order == PullOrder::batched && under_way_ > 0) return;
  while (under_way_ < options_.parallel && started_ < budget_ && !stopped_) {
    if (const auto sure = certified()) {
      stopped_ = true;
      stopped_at_ = static_cast<std::uint32_t>(*sure);
      return;
    }
    const std::size_t arm = select();
    if (arm == arms_.size()) return;
    arms_[arm].in_flight = true;
    ++under_way_;
    ++started_;
    pulls.push_back({static_cast<std::uint32_t>(arm), 0});
  }
}

void FLcb::take(const Pull& pull, const ArmReply& reply) {
  ArmKnowledge& arm = arms_.at(pull.arm);
  POSSE_CHECK(arm.in_flight, "reply of arm {}, which has no pull under way", pull.arm);
  arm.in_flight = false;
  --under_way_;
  arm.take(reply);
}

std::uint32_t FLcb::answer() const { return stopped_ ? stopped_at_ : best_arm(arms_); }

}  // namespace posse
