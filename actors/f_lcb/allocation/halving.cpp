// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/allocation/halving.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {
namespace {

std::uint64_t rounded_up(double x) { return static_cast<std::uint64_t>(std::ceil(x)); }

/// R with R ln^2(eta R) = T ln^2 eta, rounded up; at least 1.
std::uint64_t hyperband_longest(std::uint64_t budget, double eta) {
  const double target = static_cast<double>(budget) * math::log(eta) * math::log(eta);
  const auto excess = [&](double r) { return r * math::pow(math::log(eta * r), 2) - target; };
  double low = 1, high = static_cast<double>(budget);  // excess increases from 1 on
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    (excess(middle) < 0 ? low : high) = middle;
  }
  return std::max<std::uint64_t>(1, rounded_up(high - 1e-9));
}

int hyperband_brackets(std::uint64_t longest, double eta) {
  // The slack protects R = eta^s from rounding down to s - 1.
  return static_cast<int>(
      std::floor(math::log(static_cast<double>(longest)) / math::log(eta) + 1e-9));
}

std::uint64_t hyperband_size(int brackets, int s, double eta) {
  return rounded_up((brackets + 1.0) / (s + 1.0) * math::pow(eta, s) - 1e-9);
}

std::uint64_t hyperband_pulls(std::uint64_t longest, int s, int rung, double eta) {
  return rounded_up(static_cast<double>(longest) * math::pow(eta, rung - s) - 1e-9);
}

std::uint64_t hyperband_kept(std::uint64_t size, int rung, double eta) {
  return static_cast<std::uint64_t>(
      std::floor(static_cast<double>(size) * math::pow(eta, -rung) / eta + 1e-9));
}

}  // namespace

Rung::Rung(const std::vector<Pull>& pulls, std::uint64_t each) {
  POSSE_CHECK(each > 0);
  for (const auto& pull : pulls) {
    ready_.insert(ready_.end(), jobs_.size());
    jobs_.push_back({pull, each, std::nullopt});
  }
}

std::uint64_t Rung::start(std::vector<Pull>& pulls, std::uint32_t parallel, std::uint64_t limit) {
  std::uint64_t started = 0;
  while (!ready_.empty() && under_way_.size() < parallel && started < limit) {
    const std::size_t i = *ready_.begin();
    ready_.erase(ready_.begin());
    RungJob& job = jobs_[i];
    --job.left;
    under_way_[{job.pull.arm, job.pull.instance}] = i;
    ++started;
    pulls.push_back(job.pull);
  }
  return started;
}

void Rung::take(const Pull& pull, const ArmReply& reply) {
  const auto found = under_way_.find({pull.arm, pull.instance});
  POSSE_CHECK(found != under_way_.end(), "reply of arm {}, which has no pull under way", pull.arm);
  RungJob& job = jobs_[found->second];
  job.value = reply.value;
  if (job.left > 0) ready_.insert(found->second);
  under_way_.erase(found);
}

SuccessiveHalving::SuccessiveHalving(std::size_t arms, std::uint64_t budget, std::uint32_t parallel)
    : budget_(budget),
      rounds_(std::max<std::uint64_t>(1, rounded_up(math::log2(static_cast<double>(arms)) - 1e-9))),
      parallel_(parallel),
      scores_(arms),
      by_score_(arms) {
  POSSE_CHECK(arms > 0 && parallel > 0, "{} arms, parallel = {}", arms, parallel);
  for (std::uint32_t i = 0; i < arms; ++i) active_.push_back({i, 0});
  begin_round();
}

void SuccessiveHalving::begin_round() {
  const std::uint64_t each = active_.size() > 1 ? budget_ / rounds_ / active_.size()
                                                : budget_ - std::min(started_, budget_);
  rung_ = Rung(active_, std::max<std::uint64_t>(1, each));
}

void SuccessiveHalving::end_round() {
  for (const auto& job : rung_.jobs()) {
    if (!job.value) continue;
    auto& score = scores_[job.pull.arm];
    score = std::min(score.value_or(*job.value), *job.value);
    by_score_.set(job.pull.arm, *score);
  }
  if (active_.size() == 1 || started_ == budget_) return;
  std::stable_sort(active_.begin(), active_.end(), [&](const Pull& a, const Pull& b) {
    return *scores_[a.arm] < *scores_[b.arm];
  });
  active_.resize(std::max<std::size_t>(1, active_.size() / 2));
  std::sort(
      active_.begin(), active_.end(), [](const Pull& a, const Pull& b) { return a.arm < b.arm; });
  begin_round();
}

void SuccessiveHalving::start(std::vector<Pull>& pulls) {
  started_ += rung_.start(pulls, parallel_, budget_ - started_);
}

void SuccessiveHalving::take(const Pull& pull, const ArmReply& reply) {
  rung_.take(pull, reply);
  // The budget may end inside a round. Its values count.
  if (rung_.complete() || (started_ == budget_ && rung_.idle())) end_round();
}

Hyperband::Hyperband(
    std::size_t arms, std::uint64_t budget, double eta, std::uint32_t parallel, Seed seed)
    : arms_(arms),
      eta_(eta),
      parallel_(parallel),
      longest_(hyperband_longest(budget, eta)),
      bracket_(hyperband_brackets(longest_, eta)),
      shuffles_(stream_key(seed, "hyperband", "agent")),
      instances_(arms) {
  POSSE_CHECK(arms > 0 && parallel > 0, "{} arms, parallel = {}", arms, parallel);
  POSSE_CHECK(eta > 1, "eta = {}", eta);
  begin_bracket();
}

std::uint64_t Hyperband::total_pulls(std::uint64_t budget, double eta) {
  const std::uint64_t longest = hyperband_longest(budget, eta);
  const int brackets = hyperband_brackets(longest, eta);
  std::uint64_t total = 0;
  for (int s = brackets; s >= 0; --s) {
    const std::uint64_t size = hyperband_size(brackets, s, eta);
    std::uint64_t active = size;
    for (int rung = 0; rung <= s && active > 0; ++rung) {
      total += active * hyperband_pulls(longest, s, rung, eta);
      active = std::min(active, hyperband_kept(size, rung, eta));
    }
  }
  return total;
}

void Hyperband::begin_bracket() {
  const int brackets = hyperband_brackets(longest_, eta_);
  bracket_size_ = hyperband_size(brackets, bracket_, eta_);
  active_.clear();
  std::vector<std::uint32_t> list;
  while (active_.size() < bracket_size_) {
    if (list.empty()) {
      list.resize(arms_);
      std::iota(list.begin(), list.end(), 0U);
      for (std::size_t i = arms_; i > 1; --i) {  // Fisher-Yates shuffle
        const auto j = std::min(
            static_cast<std::size_t>(shuffles_.at(draws_++) * static_cast<double>(i)), i - 1);
        std::swap(list[i - 1], list[j]);
      }
    }
    active_.push_back({list.back(), instances_[list.back()]++});
    list.pop_back();
  }
  rung_number_ = 0;
  begin_rung();
}

void Hyperband::begin_rung() {
  rung_ = Rung(active_, hyperband_pulls(longest_, bracket_, rung_number_, eta_));
}

void Hyperband::end_rung() {
  auto jobs = rung_.jobs();
  std::sort(jobs.begin(), jobs.end(), [](const RungJob& a, const RungJob& b) {
    return std::tie(a.value, a.pull.arm, a.pull.instance) <
           std::tie(b.value, b.pull.arm, b.pull.instance);
  });
  const auto& first = jobs.front();
  if (!best_ || std::tie(*first.value, first.pull.arm) < std::tie(*best_, answer_)) {
    best_ = first.value;
    answer_ = first.pull.arm;
  }
  const std::uint64_t kept =
      std::min<std::uint64_t>(jobs.size(), hyperband_kept(bracket_size_, rung_number_, eta_));
  if (rung_number_ == bracket_ || kept == 0) {
    if (--bracket_ >= 0) begin_bracket();
    return;
  }
  active_.clear();
  for (std::uint64_t i = 0; i < kept; ++i) active_.push_back(jobs[i].pull);
  ++rung_number_;
  begin_rung();
}

void Hyperband::start(std::vector<Pull>& pulls) {
  if (bracket_ >= 0) rung_.start(pulls, parallel_, ~std::uint64_t{0});
}

void Hyperband::take(const Pull& pull, const ArmReply& reply) {
  rung_.take(pull, reply);
  if (rung_.complete()) end_rung();
}

std::uint32_t Hyperband::answer() const { return answer_; }

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
