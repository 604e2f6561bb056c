// SPDX-License-Identifier: Apache-2.0
// Asynchronous successive halving (ASHA).
//
// Paper: Li et al. (2020). Departure: PAPERS.md, asha-1.
//
// Rungs at eta^j pulls. A free worker looks for an arm to promote, highest rung first: the best arm
// not yet promoted among the top floor(n/eta) of the n values in a rung. If there is none, it
// starts a new arm. If none is left, it continues with the best arm of the highest rung that is not
// under way. Ends after T pulls. The answer is the arm with the smallest value. Ties: lowest index.
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <utility>

#include "actors/f_lcb/allocation/allocation.hpp"

namespace posse {

class Asha final : public Allocation {
 public:
  /// eta >= 2.
  Asha(std::size_t arms, std::uint64_t budget, std::uint32_t eta, std::uint32_t parallel);

  void start(std::vector<Pull>& pulls) override;
  void take(const Pull& pull, const ArmReply& reply) override;
  std::uint32_t answer() const override { return arms_.best(); }

 private:
  struct State {
    std::uint64_t target = 0;  // pulls at which it reaches its next rung
    int rung = -1;             // the last rung reached; -1 if none
    double value = 0;          // at that rung
  };
  class AshaRung {
   public:
    /// The arm reaches the rung, and waits there.
    void enter(double value, std::uint32_t arm, std::uint32_t eta);
    void leave(double value, std::uint32_t arm) { waiting_.erase({value, arm}); }
    /// The best of those that wait and are among the best 1/eta of all that reached the rung.
    std::optional<std::uint32_t> to_promote() const;
    std::optional<std::uint32_t> best_waiting() const {
      return waiting_.empty() ? std::nullopt : std::optional(waiting_.begin()->second);
    }

   private:
    using Entry = std::pair<double, std::uint32_t>;  // value, arm
    std::set<Entry> waiting_;
    std::priority_queue<Entry> top_;  // the best 1/eta of all; the last of them is on top
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> others_;
  };
  /// The next arm for a free worker, if there is one. O(number of rungs).
  std::optional<std::uint32_t> choose() const;
  void start_pull(std::uint32_t arm, std::vector<Pull>& pulls);

  KnownArms arms_;
  std::vector<State> states_;
  std::vector<AshaRung> rungs_;
  std::set<std::uint32_t> continuing_;  // below their next rung, with no pull under way
  std::uint32_t begun_ = 0;             // arms that were pulled, the first ones
  std::uint64_t budget_;
  std::uint32_t eta_, parallel_;
  std::uint64_t started_ = 0;
  std::uint32_t under_way_ = 0;
};

}  // namespace posse
