// SPDX-License-Identifier: Apache-2.0
// Shares problems and arms between runs, because certifying a maximum is expensive.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "program/scenario/scenario.hpp"

namespace posse {

class WorkloadCache {
 public:
  /// `kept`: how many of the latest workloads stay although no run uses them.
  explicit WorkloadCache(std::size_t kept = 0) : kept_(kept) {}

  /// `scenario_id`: equal for scenarios that have the same workload for the same algorithm, clients
  /// and repetition.
  Workload get(const std::string& scenario_id,
               const Scenario& scenario,
               const AlgorithmEntry& entry,
               std::uint32_t repetition);

 private:
  /// A workload that some run may be making; others wait for it.
  struct Entry {
    std::mutex mutex;
    std::weak_ptr<const Problem> problem;
    std::weak_ptr<const ArmSet> arms;
  };
  using Key = std::tuple<std::string, bool, bool, std::uint32_t, std::uint32_t>;

  std::size_t kept_;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<Entry>> entries_;
  std::list<Workload> latest_;
};

}  // namespace posse
