// SPDX-License-Identifier: Apache-2.0
// Interface of allocations: which arm of a functional bandit to pull next. No network, no time.
//
// An allocation says which pulls to start and takes their replies. Replies of concurrent pulls may
// come in any order. An allocation starts at most T pulls; Hyperband at most those of its brackets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/arm/arm.hpp"
#include "core/base/check.hpp"
#include "core/base/smallest_number.hpp"

namespace posse {

/// One pull: an arm (from 0) and an instance of its optimizer. Only Hyperband uses instances other
/// than 0.
struct Pull {
  std::uint32_t arm = 0;
  std::uint32_t instance = 0;
  bool operator==(const Pull&) const = default;
};

/// sequential: one pull at a time; batched: several, then the next when all have replied;
/// asynchronous: each reply starts the next pull.
enum class PullOrder { sequential, batched, asynchronous };

class Allocation {
 public:
  virtual ~Allocation() = default;
  /// Appends the pulls to start now. Called at the start and after every reply. An allocation that
  /// starts nothing while no pull is under way has ended.
  virtual void start(std::vector<Pull>& pulls) = 0;
  /// Takes the reply to a pull that was started.
  virtual void take(const Pull& pull, const ArmReply& reply) = 0;
  /// The arm that it would answer if it ended now.
  virtual std::uint32_t answer() const = 0;
};

/// What an agent knows about an arm.
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

/// What an agent knows about its arms, and which of them has the smallest value.
class KnownArms {
 public:
  explicit KnownArms(std::size_t arms) : arms_(arms), by_value_(arms) {}

  std::size_t size() const { return arms_.size(); }
  /// How many were pulled.
  std::size_t known() const { return known_; }
  const ArmKnowledge& operator[](std::size_t arm) const { return arms_[arm]; }
  /// A pull of the arm is under way.
  void start(std::size_t arm) { arms_[arm].in_flight = true; }
  /// The reply to that pull.
  void take(const Pull& pull, const ArmReply& reply) {
    ArmKnowledge& arm = arms_.at(pull.arm);
    POSSE_CHECK(arm.in_flight, "reply of arm {}, which has no pull under way", pull.arm);
    arm.in_flight = false;
    known_ += arm.pulls == 0;
    arm.take(reply);
    by_value_.set(pull.arm, arm.best);
  }
  /// The arm with the smallest value seen (ties: the lowest index); 0 if no arm was pulled.
  std::uint32_t best() const { return by_value_.index().value_or(0); }

 private:
  std::vector<ArmKnowledge> arms_;
  SmallestNumber by_value_;
  std::size_t known_ = 0;
};

}  // namespace posse
