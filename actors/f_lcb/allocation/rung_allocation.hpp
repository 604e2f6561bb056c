// SPDX-License-Identifier: Apache-2.0
// Successive halving and Hyperband: allocations that follow a plan of rungs (rung_plan.hpp).
//
// Papers: Jamieson & Talwalkar (2016), Li et al. (2018), and section 5.4 of Dorn et al. (2025).
// An instance is scored when the rung is complete, by the smallest of its values at the ends of
// rungs (hyperband_of_2025: by its last value). A rung's best go on from where they stand. A limit
// of pulls may end inside a rung, whose values count. The answer is the arm with the smallest score
// that was ever given. Ties: lowest index, then lowest instance. Up to `parallel` pulls are under
// way, of different arms or instances.
// Streams: `hyperband/agent` (the orders from which Hyperband takes new instances: shuffled lists
// of the arms, each arm once before any twice). Cost: O(log n) per pull in a rung of n.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "actors/f_lcb/allocation/allocation.hpp"
#include "actors/f_lcb/allocation/rung_plan.hpp"
#include "core/random/stream.hpp"

namespace posse {

/// One job of a rung: `left` more pulls of an instance of an arm.
struct RungJob {
  Pull pull;
  std::uint64_t left = 0;       // pulls not yet started
  std::optional<double> value;  // of the last reply
};

/// Executes the jobs of a rung, up to `parallel` pulls at once.
class Rung {
 public:
  /// Appends a job.
  void add(const Pull& pull, std::uint64_t pulls);
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

class RungAllocation final : public Allocation {
 public:
  RungAllocation(std::size_t arms, RungPlan plan, std::uint32_t parallel, Seed seed);

  void start(std::vector<Pull>& pulls) override;
  void take(const Pull& pull, const ArmReply& reply) override;
  std::uint32_t answer() const override { return answer_; }

 private:
  struct Contender {
    Pull pull;
    double score = std::numeric_limits<double>::infinity();
  };

  const Bracket& bracket() const { return plan_.brackets[bracket_]; }
  void begin_bracket();
  void begin_rung();
  void score_rung();
  /// Goes on to the next rung, or the next bracket, in which there is something to pull.
  void go_on();
  void keep_best(std::uint64_t how_many);

  RungPlan plan_;
  std::size_t arms_;
  std::uint32_t parallel_;
  std::uint64_t started_ = 0;
  std::uint64_t round_ = 0;
  std::size_t bracket_ = 0, rung_number_ = 0;
  UniformStream shuffles_;
  std::uint64_t draws_ = 0;
  std::vector<std::uint32_t> instances_;  // created so far, by arm
  std::vector<Contender> active_;
  Rung rung_;  // the jobs of `active_`
  double best_ = std::numeric_limits<double>::infinity();
  std::uint32_t answer_ = 0;
};

}  // namespace posse
