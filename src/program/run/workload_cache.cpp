// SPDX-License-Identifier: Apache-2.0
#include "program/run/workload_cache.hpp"

#include <algorithm>

namespace posse {

Workload WorkloadCache::get(const std::string& scenario_id,
                            const Scenario& scenario,
                            const AlgorithmEntry& entry,
                            std::uint32_t repetition) {
  std::shared_ptr<Entry> known;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [](const auto& old) {
      return old.second.use_count() == 1 && old.second->problem.expired() &&
             old.second->arms.expired();
    });
    auto& place = entries_[{
        scenario_id, entry.spec->needs_problem, entry.spec->needs_arms, entry.clients, repetition}];
    if (!place) place = std::make_shared<Entry>();
    known = place;
  }
  const std::lock_guard making(known->mutex);
  Workload workload{known->problem.lock(), known->arms.lock()};
  if (workload.problem || workload.arms) return workload;
  workload = make_workload(scenario, entry, repetition);
  known->problem = workload.problem;
  known->arms = workload.arms;
  if (kept_ > 0 && (workload.problem || workload.arms)) {
    const std::lock_guard lock(mutex_);
    latest_.push_back(workload);
    if (latest_.size() > kept_) latest_.pop_front();
  }
  return workload;
}

}  // namespace posse
