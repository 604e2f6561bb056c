// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/allocation/asha.hpp"

#include "core/base/check.hpp"

namespace posse {

void Asha::AshaRung::enter(double value, std::uint32_t arm, std::uint32_t eta) {
  const Entry entry{value, arm};
  waiting_.insert(entry);
  if (!top_.empty() && entry < top_.top())
    top_.push(entry);
  else
    others_.push(entry);
  const std::size_t size = (top_.size() + others_.size()) / eta;
  for (; top_.size() < size; others_.pop()) top_.push(others_.top());
  for (; top_.size() > size; top_.pop()) others_.push(top_.top());
}

std::optional<std::uint32_t> Asha::AshaRung::to_promote() const {
  if (top_.empty() || waiting_.empty() || *waiting_.begin() > top_.top()) return std::nullopt;
  return waiting_.begin()->second;
}

Asha::Asha(std::size_t arms, std::uint64_t budget, std::uint32_t eta, std::uint32_t parallel)
    : arms_(arms), states_(arms), budget_(budget), eta_(eta), parallel_(parallel) {
  POSSE_CHECK(arms > 0 && parallel > 0, "{} arms, parallel = {}", arms, parallel);
  POSSE_CHECK(eta >= 2, "eta = {}", eta);
}

std::optional<std::uint32_t> Asha::choose() const {
  // The highest rung first.
  for (auto rung = rungs_.rbegin(); rung != rungs_.rend(); ++rung)
    if (const auto arm = rung->to_promote()) return arm;
  if (begun_ < states_.size()) return begun_;
  for (auto rung = rungs_.rbegin(); rung != rungs_.rend(); ++rung)
    if (const auto arm = rung->best_waiting()) return arm;
  return std::nullopt;
}

void Asha::start_pull(std::uint32_t arm, std::vector<Pull>& pulls) {
  arms_.start(arm);
  ++under_way_;
  ++started_;
  pulls.push_back({arm, 0});
}

void Asha::start(std::vector<Pull>& pulls) {
  // Arms below their next rung continue first; free workers take other arms.
  while (!continuing_.empty() && under_way_ < parallel_ && started_ < budget_) {
    start_pull(*continuing_.begin(), pulls);
    continuing_.erase(continuing_.begin());
  }
  while (under_way_ < parallel_ && started_ < budget_) {
    const auto arm = choose();
    if (!arm) return;
    State& state = states_[*arm];
    if (state.rung < 0)
      ++begun_;
    else
      rungs_[static_cast<std::size_t>(state.rung)].leave(state.value, *arm);
    state.target = state.rung < 0 ? 1 : state.target * eta_;
    start_pull(*arm, pulls);
  }
}

void Asha::take(const Pull& pull, const ArmReply& reply) {
  arms_.take(pull, reply);
  --under_way_;
  const ArmKnowledge& arm = arms_[pull.arm];
  State& state = states_[pull.arm];
  if (arm.pulls < state.target) {
    continuing_.insert(pull.arm);
    return;
  }
  ++state.rung;
  state.value = arm.best;
  if (rungs_.size() <= static_cast<std::size_t>(state.rung)) rungs_.emplace_back();
  rungs_[static_cast<std::size_t>(state.rung)].enter(state.value, pull.arm, eta_);
}

}  // namespace posse
