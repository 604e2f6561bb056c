// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/allocation/f_lcb.hpp"

#include "core/base/check.hpp"

namespace posse {

FLcb::FLcb(std::size_t arms, std::uint64_t budget, const FLcbOptions& options)
    : options_(options),
      budget_(budget),
      arms_(arms),
      waiting_(arms),
      pulled_(options.epsilon > 0 ? arms : 0) {
  POSSE_CHECK(arms > 0 && options.parallel > 0, "{} arms, parallel = {}", arms, options.parallel);
  POSSE_CHECK(options.order != PullOrder::sequential || options.parallel == 1,
              "sequential pulls need parallel = 1, given {}",
              options.parallel);
}

std::optional<std::uint32_t> FLcb::select() const {
  // Every arm once, in index order.
  if (started_ < arms_.size()) return static_cast<std::uint32_t>(started_);
  return waiting_.index();
}

std::optional<std::uint32_t> FLcb::certified() const {
  if (options_.epsilon == 0 || arms_.known() < arms_.size()) return std::nullopt;
  const auto lowest = pulled_.index();
  if (!lowest || arms_[*lowest].bound > options_.epsilon / 2) return std::nullopt;
  return lowest;
}

void FLcb::start(std::vector<Pull>& pulls) {
  if (options_.order == PullOrder::batched && under_way_ > 0) return;
  while (under_way_ < options_.parallel && started_ < budget_ && !stopped_) {
    if (const auto sure = certified()) {
      stopped_ = true;
      stopped_at_ = *sure;
      return;
    }
    const auto arm = select();
    if (!arm) return;
    arms_.start(*arm);
    waiting_.remove(*arm);
    ++under_way_;
    ++started_;
    pulls.push_back({*arm, 0});
  }
}

void FLcb::take(const Pull& pull, const ArmReply& reply) {
  arms_.take(pull, reply);
  --under_way_;
  waiting_.set(pull.arm, lower_bound(pull.arm));
  if (options_.epsilon > 0) pulled_.set(pull.arm, lower_bound(pull.arm));
}

std::uint32_t FLcb::answer() const { return stopped_ ? stopped_at_ : arms_.best(); }

}  // namespace posse
