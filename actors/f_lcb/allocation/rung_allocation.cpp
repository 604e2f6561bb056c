// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/allocation/rung_allocation.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/base/check.hpp"

namespace posse {

void Rung::add(const Pull& pull, std::uint64_t pulls) {
  if (pulls > 0) ready_.insert(ready_.end(), jobs_.size());
  jobs_.push_back({pull, pulls, std::nullopt});
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

RungAllocation::RungAllocation(std::size_t arms, RungPlan plan, std::uint32_t parallel, Seed seed)
    : plan_(std::move(plan)),
      arms_(arms),
      parallel_(parallel),
      shuffles_(stream_key(seed, "hyperband", "agent")),
      instances_(arms) {
  POSSE_CHECK(arms > 0 && parallel > 0, "{} arms, parallel = {}", arms, parallel);
  begin_bracket();
}

void RungAllocation::begin_bracket() {
  active_.clear();
  std::vector<std::uint32_t> list;
  while (active_.size() < bracket().front().arms) {
    if (!plan_.of_instances) {
      active_.push_back({{static_cast<std::uint32_t>(active_.size()), 0}});
      continue;
    }
    if (list.empty()) {
      list.resize(arms_);
      std::iota(list.begin(), list.end(), 0U);
      for (std::size_t i = arms_; i > 1; --i) {  // Fisher-Yates shuffle
        const auto j = std::min(
            static_cast<std::size_t>(shuffles_.at(draws_++) * static_cast<double>(i)), i - 1);
        std::swap(list[i - 1], list[j]);
      }
    }
    active_.push_back({{list.back(), instances_[list.back()]++}});
    list.pop_back();
  }
  rung_number_ = 0;
  begin_rung();
}

void RungAllocation::begin_rung() {
  const std::uint64_t before = rung_number_ == 0 ? 0 : bracket()[rung_number_ - 1].pulls;
  rung_ = {};
  for (const auto& contender : active_)
    rung_.add(contender.pull, bracket()[rung_number_].pulls - before);
}

void RungAllocation::score_rung() {
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const auto value = rung_.jobs()[i].value;
    if (!value) continue;
    auto& [pull, score] = active_[i];
    score = plan_.by_last_value ? *value : std::min(score, *value);
    if (std::tie(score, pull.arm) < std::tie(best_, answer_)) {
      best_ = score;
      answer_ = pull.arm;
    }
  }
}

void RungAllocation::keep_best(std::uint64_t how_many) {
  std::sort(active_.begin(), active_.end(), [](const Contender& a, const Contender& b) {
    return std::tie(a.score, a.pull.arm, a.pull.instance) <
           std::tie(b.score, b.pull.arm, b.pull.instance);
  });
  active_.resize(how_many);
  if (plan_.of_instances) return;
  std::sort(active_.begin(), active_.end(), [](const Contender& a, const Contender& b) {
    return a.pull.arm < b.pull.arm;
  });
}

void RungAllocation::go_on() {
  while (rung_.complete() && started_ < plan_.limit) {
    if (++rung_number_ < bracket().size()) {
      keep_best(bracket()[rung_number_].arms);
      begin_rung();
      continue;
    }
    if (++bracket_ == plan_.brackets.size()) {
      bracket_ = 0;
      if (++round_ == plan_.rounds) {
        plan_.limit = started_;  // the end
        return;
      }
    }
    begin_bracket();
  }
}

void RungAllocation::start(std::vector<Pull>& pulls) {
  started_ += rung_.start(pulls, parallel_, plan_.limit - started_);
}

void RungAllocation::take(const Pull& pull, const ArmReply& reply) {
  rung_.take(pull, reply);
  if (!rung_.complete() && (started_ < plan_.limit || !rung_.idle())) return;
  score_rung();
  go_on();
}

}  // namespace posse
