// Allocations by rungs: successive halving, Hyperband, and asynchronous successive halving (ASHA).
//
// Jamieson, Talwalkar 2016; Li et al. 2018; Li et al. 2020; as paper 004's section 5.4 runs them.
//   SuccessiveHalving  R = ceil(log2 K) rounds; in each floor(T/R/active) more pulls of every
//   active
//                      arm (at least 1); keep floor(active/2), at least 1; score = smallest of the
//                      arm's values at round ends; the rest of T goes to the survivor
//   Hyperband          R solves R ln^2(eta R) = T ln^2 eta, rounded up; smax = floor(log_eta R);
//   for
//                      s = smax … 0 a bracket of n = ceil((smax+1)/(s+1) eta^s) fresh instances,
//                      taken from shuffled lists of the arms; rung i = 0 … s: ceil(R eta^{i-s})
//                      more pulls each, keep floor(n eta^{-i}/eta). Its pulls in all follow from R
//                      and eta and may differ from T (48, 100, 200, 362, 518 for T = 50, 100, 200,
//                      350, 500 with eta = 2, 2.9, 2.1, 2.8, 2.1; the paper's code made 101 of the
//                      100 by rounding)
//   ASHA               rungs at eta^j pulls; a free worker promotes the best arm among the top
//                      floor(n/eta) of the n values in a rung, highest rung first, that wasn't
//                      promoted; else starts a new arm; else goes on with the best arm of the
//                      highest rung that isn't under way. Ends after T pulls
// The answer is the arm with the smallest score (ASHA: the smallest value). Ties: lowest index,
// then lowest instance. Up to `parallel` pulls are under way, of different arms or instances.
// Streams: `hyperband/agent` (shuffles).
#pragma once

#include <optional>

#include "actors/f_lcb/allocation/allocation.hpp"
#include "core/random/stream.hpp"

namespace posse {

/// One job of a rung: so many more pulls of an instance of an arm.
struct RungJob {
  Pull pull;
  std::uint64_t left = 0;  // pulls not yet started
  bool in_flight = false;
  std::optional<double> value;  // of the last reply
};

/// Works through the jobs of a rung, up to `parallel` pulls at once.
class Rung {
 public:
  Rung() = default;
  Rung(const std::vector<Pull>& pulls, std::uint64_t each);

  /// Starts at most `limit` pulls in all and `parallel` at once; returns how many.
  std::uint64_t start(std::vector<Pull>& pulls, std::uint32_t parallel, std::uint64_t limit);
  void take(const Pull& pull, const ArmReply& reply);
  bool idle() const { return under_way_ == 0; }
  bool complete() const;
  const std::vector<RungJob>& jobs() const { return jobs_; }

 private:
  std::vector<RungJob> jobs_;
  std::uint32_t under_way_ = 0;
};

class SuccessiveHalving final : public Allocation {
 public:
  SuccessiveHalving(std::size_t arms, std::uint64_t budget, std::uint32_t parallel);

  void start(std::vector<Pull>& pulls) override;
  void take(const Pull& pull, const ArmReply& reply) override;
  std::uint32_t answer() const override;

 private:
  void begin_round();
  void end_round();

  std::uint64_t budget_, rounds_;
  std::uint32_t parallel_;
  std::uint64_t started_ = 0;
  std::vector<std::optional<double>> scores_;  // by arm
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
  std::vector<std::uint32_t> instances_;  // of every arm, handed out so far
  std::vector<Pull> active_;
  Rung rung_;
  std::optional<double> best_;
  std::uint32_t answer_ = 0;
};

class Asha final : public Allocation {
 public:
  /// eta >= 2, whole.
  Asha(std::size_t arms, std::uint64_t budget, std::uint32_t eta, std::uint32_t parallel);

  void start(std::vector<Pull>& pulls) override;
  void take(const Pull& pull, const ArmReply& reply) override;
  std::uint32_t answer() const override { return best_arm(arms_); }

 private:
  struct State {
    std::uint64_t target = 0;  // pulls it is on its way to
    int rung = -1;             // the last rung that it reached
    double value = 0;          // there
    bool busy = false;
    bool promoted = false;  // out of `rung`
  };
  /// The arm that a free worker takes up next, if there is one.
  std::optional<std::uint32_t> choose();

  std::vector<ArmKnowledge> arms_;
  std::vector<State> states_;
  std::vector<std::vector<double>> values_;  // by rung, of the arms that reached it
  std::uint64_t budget_;
  std::uint32_t eta_, parallel_;
  std::uint64_t started_ = 0;
  std::uint32_t under_way_ = 0;
};

}  // namespace posse
