// Who is pulled next: the agent's part of a functional bandit, without network or time.
//
// An allocation says which pulls to start and hears their replies, which may come in any order when
// it has several under way. It never starts more than T pulls in all, Hyperband not more than its
// brackets have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/arm/arm.hpp"

namespace posse {

/// One pull: an arm (from 0) and which of its instances; all but Hyperband know only instance 0.
struct Pull {
  std::uint32_t arm = 0;
  std::uint32_t instance = 0;
  bool operator==(const Pull&) const = default;
};

class Allocation {
 public:
  virtual ~Allocation() = default;
  /// Appends the pulls to start now. Called at the beginning and after every reply; an allocation
  /// that starts nothing while nothing is under way has ended.
  virtual void start(std::vector<Pull>& pulls) = 0;
  virtual void take(const Pull& pull, const ArmReply& reply) = 0;
  /// The arm it would answer now.
  virtual std::uint32_t answer() const = 0;
};

/// What an agent knows of an arm.
struct ArmKnowledge {
  std::uint64_t pulls = 0;  // k
  double last = 0;          // v, the last value
  double best = 0;          // m, the smallest value
  double bound = 0;         // G = g(k)
  bool in_flight = false;

  void take(const ArmReply& reply) {
    best = pulls == 0 ? reply.value : std::min(best, reply.value);
    last = reply.value;
    bound = reply.bound;
    pulls = reply.pulls;
  }
};

/// The arm with the smallest value seen, lowest index on a tie; 0 if none was pulled.
inline std::uint32_t best_arm(const std::vector<ArmKnowledge>& arms) {
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < arms.size(); ++i)
    if (arms[i].pulls > 0 && (arms[best].pulls == 0 || arms[i].best < arms[best].best)) best = i;
  return best;
}

}  // namespace posse
