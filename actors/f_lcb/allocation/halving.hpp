// SPDX-License-Identifier: Apache-2.0
// Allocations by rungs: successive halving, Hyperband, and asynchronous successive halving (ASHA).
//
// Papers: Jamieson & Talwalkar (2016), Li et al. (2018), Li et al. (2020), as section 5.4 of Dorn
// et al. (2025) runs them. Departures: see PAPERS.md, hyperband-1 and asha-1.
//
// SuccessiveHalving: R = ceil(log2 K) rounds. Each gives every active arm floor(T/R/active) more
// pulls, at least 1, and keeps floor(active/2) arms, at least 1. An arm's score is the smallest of
// its values at the ends of rounds. The rest of T goes to the survivor.
//
// Hyperband: R solves R ln^2(eta R) = T ln^2 eta, rounded up; smax = floor(log_eta R). For s = smax
// … 0 there is a bracket of n = ceil((smax+1)/(s+1) eta^s) new instances, taken from shuffled lists
// of the arms. Rung i = 0 … s gives each instance ceil(R eta^{i-s}) more pulls and keeps
// floor(n eta^{-i}/eta). R and eta determine the number of pulls, which may differ from T.
//
// ASHA: rungs at eta^j pulls. A free worker looks for an arm to promote, highest rung first: the
// best arm not yet promoted among the top floor(n/eta) of the n values in a rung. If there is none,
// it starts a new arm. If none is left, it continues with the best arm of the highest rung that is
// not under way. Ends after T pulls.
//
// The answer is the arm with the smallest score (ASHA: the smallest value). Ties: lowest index,
// then lowest instance. Up to `parallel` pulls are under way, of different arms or instances.
// Streams: `hyperband/agent` (shuffles).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <utility>

#include "actors/f_lcb/allocation/allocation.hpp"
#include "core/random/stream.hpp"

namespace posse {

/// One job of a rung: `left` more pulls of an instance of an arm.
struct RungJob {
  Pull pull;
  std::uint64_t left = 0;       // pulls not yet started
  std::optional<double> value;  // of the last reply
};

/// Executes the jobs of a rung, up to `parallel` pulls at once. O(log n) per pull of n jobs.
class Rung {
 public:
  Rung() = default;
  Rung(const std::vector<Pull>& pulls, std::uint64_t each);

  /// Starts pulls, at most `limit`, until `parallel` are under way. Returns how many it started.
  std::uint64_t start(std::vector<Pull>& pulls, std::uint32_t parallel, std::uint64_t limit);
  void take(const Pull& pull, const ArmReply& reply);
  bool idle() const { return under_way_.empty(); }
  bool complete() const { return idle() && ready_.empty(); }
  const std::vector<RungJob>& jobs() const { return jobs_; }

 private:
  std::vector<RungJob> jobs_;
  std::set<std::size_t> ready_;  // jobs with pulls left, and none under way
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> under_way_;  // by arm, instance
};

class SuccessiveHalving final : public Allocation {
 public:
  SuccessiveHalving(std::size_t arms, std::uint64_t budget, std::uint32_t parallel);

  void start(std::vector<Pull>& pulls) override;
  void take(const Pull& pull, const ArmReply& reply) override;
  std::uint32_t answer() const override { return by_score_.index().value_or(0); }

 private:
  void begin_round();
  void end_round();

  std::uint64_t budget_, rounds_;
  std::uint32_t parallel_;
  std::uint64_t started_ = 0;
  std::vector<std::optional<double>> scores_;  // by arm
  SmallestNumber by_score_;
  std::vector<Pull> active_;
  Rung rung_;
};

class Hyperband final : public Allocation {
 public:
  /// eta > 1.
  Hyperband(std::size_t arms, std::uint64_t budget, double eta, std::uint32_t parallel, Seed seed);

  void start(std::vector<Pull>& pulls) override;
  void take(const Pull& pull, const ArmReply& reply) override;
  std::uint32_t answer() const override;

  /// R, the pulls of the longest run.
  std::uint64_t longest() const { return longest_; }
  /// Pulls of all brackets.
  static std::uint64_t total_pulls(std::uint64_t budget, double eta);

 private:
  void begin_bracket();
  void begin_rung();
  void end_rung();

  std::size_t arms_;
  double eta_;
  std::uint32_t parallel_;
  std::uint64_t longest_;
  int bracket_;  // s; below 0: done
  int rung_number_ = 0;
  std::uint64_t bracket_size_ = 0;  // n
  UniformStream shuffles_;
  std::uint64_t draws_ = 0;
  std::vector<std::uint32_t> instances_;  // created so far, by arm
  std::vector<Pull> active_;
  Rung rung_;
  std::optional<double> best_;
  std::uint32_t answer_ = 0;
};

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
