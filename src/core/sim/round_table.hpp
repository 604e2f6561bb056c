// SPDX-License-Identifier: Apache-2.0
// The rounds of a run: what was observed of each, and what its messages cost.
//
// Results show the first rounds of a long run, those at checkpoints and the last one (thin_rounds).
// Where one node decides, no round changes once it ended long ago. Of such rounds the table keeps
// those that will be read, and sums over the others: its memory does not grow with their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/numbered_queue.hpp"
#include "core/network/round_counts.hpp"
#include "core/role/checkpoints.hpp"
#include "core/role/outcome.hpp"
#include "core/role/path.hpp"

namespace posse {

/// Counts numbers of evaluations, in the intervals between checkpoints.
class CheckpointCounts {
 public:
  void add(std::uint64_t evaluations);
  /// How many of the numbers are at most `evaluations`, which is a checkpoint or at least as large
  /// as all of them.
  std::uint64_t until(std::uint64_t evaluations) const;
  /// The index of the first checkpoint that is not smaller. Quick if it is near the latest one.
  std::size_t interval(std::uint64_t evaluations) {
    const bool same = evaluations <= checkpoints_[latest_] &&
                      (latest_ == 0 || checkpoints_[latest_ - 1] < evaluations);
    return same ? latest_ : other_interval(evaluations);
  }

 private:
  std::size_t other_interval(std::uint64_t evaluations);
  std::vector<std::uint64_t> counts_, checkpoints_{checkpoint(0)};
  std::size_t latest_ = 0;
  std::uint64_t most_ = 0;
};

class RoundTable {
 public:
  struct Row {
    RoundRecord record;              // without its messages' cost
    std::optional<NodeId> reporter;  // whose report gave the details: the smallest id; none: open
    bool began = false;
    bool read = false;                // it will be, whatever its number
    Path path{};                      // to the latest end, until it is settled
    NodeId last_ended{};              // where that was, of equals the smallest id
    std::vector<NodeId> came_last{};  // there
  };

  /// `one_decides`: only the hub's reports give a round's details.
  explicit RoundTable(bool one_decides) : one_decides_(one_decides) {}

  /// Of a round that the table does not keep: a row that nobody reads. Throws std::exception if
  /// the number is far beyond those that have ended.
  Row& row(Round round) { return rows_.has(round.value) ? rows_[round.value] : other_row(round); }
  void book(Round round, const RoundCount& cost);
  /// Past the largest number of a row.
  std::uint32_t end() const { return rows_.end(); }
  /// If it is time, keeps of the rounds long before round `latest` only those that will be read.
  void forget(std::uint32_t latest);
  /// At most `most` of the latest complete rounds.
  std::vector<RoundRecord> latest(std::size_t most) const;

  /// Fills in the complete rounds, and the sums over all of them. After it, of the functions above
  /// none may be called, and those below may be.
  void conclude(RunOutcome& out);
  /// The number of complete rounds with at most so many steps, as CheckpointCounts::until.
  std::uint32_t complete_with(std::uint64_t steps) const {
    return static_cast<std::uint32_t>(steps_.until(steps));
  }
  struct Standing {
    Round round;
    std::uint64_t steps = 0;
    std::uint32_t complete = 0;  // rounds up to this one
    std::uint64_t bytes = 0;     // of all rounds up to this one, complete or not
  };
  /// After a round, or the last one before it that was kept; all zero if there is no such row.
  Standing after(Round round) const;
  /// After the complete round number `complete`, counted from 1. Exact if complete_with() of a
  /// checkpoint gave the number.
  Standing after_complete(std::uint32_t complete) const;

 private:
  struct Sums {
    std::uint64_t bytes = 0, values = 0;
    void add(const Sums& other) {
      bytes += other.bytes;
      values += other.values;
    }
  };
  struct Kept {
    Round round;
    Row row;
    RoundCount cost;
    Sums before;  // of the rounds between the one kept before and this one
  };

  static constexpr std::uint32_t kMayChange = 1024;       // rounds before the latest
  static constexpr std::uint32_t kMostRows = 10'000'000;  // one after the other

  /// One that is not among `rows_` yet.
  Row& other_row(Round round);
  static bool is_over(const Row& row) { return row.reporter && !row.path; }
  Kept* find_kept(Round round);
  void check_number(Round round) const;
  RoundCount cost(std::uint32_t round) const {
    return costs_.has(round) ? costs_[round] : RoundCount{};
  }
  /// Takes a complete row into the sums over all complete rounds, which must come in order.
  void sum_up(const Row& row);
  /// Moves the rows before round `end` out of the table.
  void retire(std::uint32_t end);

  bool one_decides_;
  NumberedQueue<Row> rows_;          // the rounds before the first are complete (except 0)
  NumberedQueue<RoundCount> costs_;  // from the first round of `rows_` on, perhaps more or fewer
  std::vector<Kept> kept_;           // of the rounds before `rows_`, by number
  Sums after_kept_;                  // of the rounds between the last one kept and `rows_`
  Sums all_;                         // of all rounds but round 0
  Row unread_;
  Checkpoints round_checkpoints_;
  std::uint32_t deepest_ = 0;  // of the best cells before `rows_`
  // Over the complete rounds before `rows_`:
  CheckpointCounts steps_;
  std::uint64_t active_cells_ = 0;
  std::optional<Time> ended_;  // the end of the last one
  bool overlap_ = false;

  std::vector<Standing> standings_;  // by number; empty before conclude()
};

}  // namespace posse
