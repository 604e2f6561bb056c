// SPDX-License-Identifier: Apache-2.0
// What the papers on tree learners leave open: the winner of a tie, and the recommended cell.
//
// Streams, from the learner's seed and name: `ties/name` and `recommend/name`. Draw number j
// belongs to the j-th use: a tie between several cells, or a change of the uniformly drawn play.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/domain/cell.hpp"
#include "core/random/stream.hpp"

namespace posse {

/// Among children with equal B: the lowest index, the highest (PyXAB), or a random one (Bubeck et
/// al. 2011).
enum class TieBreak { lower, last, random };
constexpr std::string_view to_string(TieBreak ties) {
  return ties == TieBreak::lower ? "lower" : ties == TieBreak::last ? "last" : "random";
}

/// uniform_play: one of the plays, drawn uniformly (theory: E[loss] <= E[R_n] / n). most_pulled:
/// the cell with the most pulls of its own. deepest_most_pulled: among the deepest pulled cells,
/// the one with the most pulls. Ties: the smallest depth, then index. last: the last play (PyXAB).
enum class Recommendation { uniform_play, most_pulled, deepest_most_pulled, last };
constexpr std::string_view to_string(Recommendation rule) {
  return rule == Recommendation::uniform_play  ? "uniform-play"
         : rule == Recommendation::most_pulled ? "most-pulled"
         : rule == Recommendation::last        ? "last"
                                               : "deepest-most-pulled";
}

/// The options that all tree learners share.
struct LearnerChoices {
  TieBreak ties = TieBreak::lower;
  Recommendation recommendation = Recommendation::uniform_play;
  Seed seed;
  std::string name = "learner";  // of its streams
};

/// Picks one of several equal candidates.
class TieBreaker {
 public:
  explicit TieBreaker(const LearnerChoices& choices)
      : ties_(choices.ties), stream_(stream_key(choices.seed, "ties", choices.name)) {}

  /// Rank, from 0 in ascending order of index, of the winner among `count` >= 1 equals. A single
  /// candidate uses no draw.
  std::uint32_t pick(std::uint32_t count) {
    if (count == 1 || ties_ == TieBreak::lower) return 0;
    if (ties_ == TieBreak::last) return count - 1;
    // u < 1, but u * count may be rounded to count.
    const auto rank = static_cast<std::uint32_t>(stream_.at(draws_++) * count);
    return rank < count ? rank : count - 1;
  }

 private:
  TieBreak ties_;
  UniformStream stream_;
  std::uint64_t draws_ = 0;
};

/// Follows the plays of a learner and has a recommendation at any time. O(1) in amortised time and
/// in memory.
class Recommender {
 public:
  explicit Recommender(const LearnerChoices& choices)
      : rule_(choices.recommendation),
        stream_(stream_key(choices.seed, "recommend", choices.name)) {}

  /// `cell` was played, now for the `pulls`-th time.
  void played(Cell cell, std::uint64_t pulls) {
    ++plays_;
    if (better(cell, pulls)) {
      cell_ = cell;
      pulls_ = pulls;
    }
  }
  /// The root before the first play.
  Cell cell() const { return cell_; }

 private:
  bool better(Cell cell, std::uint64_t pulls) {
    switch (rule_) {
      case Recommendation::last:
        return true;
      case Recommendation::uniform_play:
        return plays_ == next_change_ && draw_next_change();
      case Recommendation::most_pulled:
        return pulls > pulls_ || (pulls == pulls_ && cell < cell_);
      case Recommendation::deepest_most_pulled:
        if (cell.depth != cell_.depth) return cell.depth > cell_.depth;
        return pulls > pulls_ || (pulls == pulls_ && cell < cell_);
    }
    return false;
  }
  /// Reservoir sampling: a play drawn uniformly from t plays is still the drawn one after m plays
  /// with probability t / m. The play that replaces it therefore has the number floor(t / u) + 1.
  bool draw_next_change() {
    const double next = static_cast<double>(plays_) / stream_.at(draws_++);
    next_change_ = next < 0x1p63 ? static_cast<std::uint64_t>(next) + 1
                                 : std::numeric_limits<std::uint64_t>::max();
    return true;
  }

  Recommendation rule_;
  UniformStream stream_;
  std::uint64_t draws_ = 0;
  std::uint64_t plays_ = 0;
  std::uint64_t next_change_ = 1;
  Cell cell_;
  std::uint64_t pulls_ = 0;
};

}  // namespace posse
