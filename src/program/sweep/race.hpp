// SPDX-License-Identifier: Apache-2.0
// Which of several candidates has the smallest mean: repetitions only for those that may still be
// it, until the verdict holds.
//
// Candidates have their repetitions in common (equal seeds), and all of them get kFirstRepetitions.
// After each look the ones that still race get a quarter more, up to a most. In every pair, the
// differences repetition by repetition decide:
//
// - A candidate is beaten, and races no more, once the interval of a difference lies above 0
//   (sequential_test.hpp; for roughly normal differences).
// - Differences that are equal in all n repetitions have no spread to judge by. They are taken for
//   the difference once 2^(1 - n) is below the pair's error: unless more than half of all
//   repetitions have one and the same difference, this is as unlikely. A difference of 0 makes the
//   two candidates one.
// - A candidate is set aside once the most repetitions are unlikely to show it worse than the
//   leader: the chance that their difference is large enough then, as far as the present values
//   tell, is below kHopeless. It stays undecided which of the two is best, but the others race on,
//   until they are beaten or set aside, too. This makes no verdict, so it can't make a wrong one.
//
// A candidate can be called the best wrongly only if the truly best was beaten, so errors of pairs
// that add up to `error` over the other candidates keep that of the verdict below it. Looks depend
// on nothing but the values of the repetitions that the race asked for.
//
// Maron & Moore (1994), "Hoeffding races", with other intervals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "program/base/statistics.hpp"

namespace posse {

inline constexpr std::uint32_t kFirstRepetitions = 5;
inline constexpr double kHopeless = 0.01;

/// racing: more repetitions are needed; hopeless: undecided before the most repetitions, as those
/// that may still be the best are set aside.
enum class RaceState { racing, decided, undecided, hopeless };

class Race {
 public:
  struct Candidate {
    std::uint32_t repetitions = 0;  // to be made, from the first on
    std::optional<std::size_t> beaten_by, equal_to;
    bool set_aside = false;
    /// May be the best.
    bool in() const { return !beaten_by && !equal_to; }
    /// Gets further repetitions.
    bool races() const { return in() && !set_aside; }
  };
  /// Values by candidate and repetition, nothing for runs without one.
  using Values = std::vector<std::vector<std::optional<double>>>;

  /// At least two candidates; `error` of the verdict.
  Race(std::size_t candidates, double error, std::uint32_t most);

  RaceState state() const { return state_; }
  const std::vector<Candidate>& candidates() const { return candidates_; }
  /// Of each comparison of two candidates.
  double pair_error() const { return pair_error_; }

  /// At the values of all repetitions that are to be made; further ones don't count.
  void look(const Values& values);

  // Of `values` those of the repetitions that are to be made count, as far as they are there: after
  // a look, those that it asked for are not.

  /// The best candidate if the race is decided, else the one with the smallest mean of those that
  /// race. Nothing if none of them has values.
  std::optional<std::size_t> leader(const Values& values) const;
  /// `b`'s values minus `a`'s, in the repetitions that both were to make.
  Statistics difference(const Values& values, std::size_t b, std::size_t a) const;
  /// Of the mean of these differences, at the pair's error.
  std::optional<Interval> interval(const Statistics& differences) const;

 private:
  std::size_t repetitions_in(const Values& values, std::size_t candidate) const;
  void compare(const Values& values);
  void set_aside_hopeless(const Values& values, std::size_t first);

  std::vector<Candidate> candidates_;
  double pair_error_;
  std::uint32_t most_;
  RaceState state_ = RaceState::racing;
};

}  // namespace posse
