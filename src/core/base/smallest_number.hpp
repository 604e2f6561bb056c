// SPDX-License-Identifier: Apache-2.0
// The smallest of numbers that change one at a time, by a tournament: each node of a binary tree
// knows which of the two below it is smaller.
//
// Cost: O(log n) per change, O(1) to ask.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace posse {

class SmallestNumber {
 public:
  /// Of up to `n` numbers, none of which is there yet.
  explicit SmallestNumber(std::size_t n)
      : first_leaf_(std::bit_ceil(n)), numbers_(n), winners_(2 * first_leaf_, kNone) {}

  /// Number `i` is there, or changes.
  void set(std::size_t i, double number) {
    numbers_[i] = number;
    winners_[first_leaf_ + i] = static_cast<std::uint32_t>(i);
    play(i);
  }
  /// Number `i` is no longer there.
  void remove(std::size_t i) {
    winners_[first_leaf_ + i] = kNone;
    play(i);
  }
  /// Where the smallest number is; of equal ones the lowest index.
  std::optional<std::uint32_t> index() const {
    const std::uint32_t winner = winners_[1];
    return winner == kNone ? std::nullopt : std::optional(winner);
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  void play(std::size_t i) {
    for (std::size_t at = (first_leaf_ + i) / 2; at > 0; at /= 2) {
      const std::uint32_t lower = winners_[2 * at], higher = winners_[2 * at + 1];
      const bool higher_wins =
          lower == kNone || (higher != kNone && numbers_[higher] < numbers_[lower]);
      winners_[at] = higher_wins ? higher : lower;
    }
  }

  std::size_t first_leaf_;
  std::vector<double> numbers_;
  std::vector<std::uint32_t> winners_;  // by node of the tree; the root is 1, the leaves come last
};

}  // namespace posse
