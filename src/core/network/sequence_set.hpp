// SPDX-License-Identifier: Apache-2.0
// The set of numbers seen in a sequence: a contiguous prefix, a window of bits after it, and the
// rare numbers beyond the window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace posse {

/// Numbers from 0. Those up to 32 above the prefix are bits, so that a message that overtakes
/// others costs no extra memory. Those above that are in a vector that the sets of a node share
/// (normally empty), sorted by (set, number); `self` is the set's number in it. Empty if all its
/// bytes are 0.
class SequenceSet {
 public:
  using Early = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  /// All numbers below this one, and no others, are in the set, unless the node's vector has some.
  void begin_at(std::uint32_t number) { below_ = number, bits_ = 0; }
  /// The smallest number that is not in the set.
  std::uint32_t first_missing() const { return below_; }
  /// `early()`: the node's vector or null.
  template <class GetEarly>
  bool contains(std::uint32_t self, std::uint32_t number, GetEarly&& early) const {
    if (number < below_) return true;
    if (number == below_) return false;
    const std::uint32_t ahead = number - below_ - 1;
    if (ahead < kBits) return (bits_ >> ahead) & 1;
    const Early* const set = early();
    return set && std::binary_search(set->begin(), set->end(), std::pair{self, number});
  }
  /// Adds a number that is not in the set. `existing` is the node's vector or null; `early()`
  /// creates it on demand.
  template <class GetEarly>
  void insert(std::uint32_t self, std::uint32_t number, const Early* existing, GetEarly&& early) {
    if (number != below_) {
      const std::uint32_t ahead = number - below_ - 1;
      if (ahead < kBits) {
        bits_ |= std::uint32_t{1} << ahead;
      } else {
        Early& set = early();
        set.insert(std::lower_bound(set.begin(), set.end(), std::pair{self, number}),
                   {self, number});
      }
      return;
    }
    // The prefix absorbs the bits that follow it; numbers that enter the window become bits.
    bool next_seen = true;
    while (next_seen) {
      next_seen = bits_ & 1;
      ++below_;
      bits_ >>= 1;
      if (existing && !existing->empty()) take_early(self, early());
    }
  }

 private:
  static constexpr std::uint32_t kBits = 32;
  /// Moves the number that has just entered the window from the vector to its bit.
  void take_early(std::uint32_t self, Early& set) {
    const std::pair reach{self, below_ + kBits};
    const auto it = std::lower_bound(set.begin(), set.end(), reach);
    if (it == set.end() || *it != reach) return;
    bits_ |= std::uint32_t{1} << (kBits - 1);
    set.erase(it);
  }
  std::uint32_t below_ = 0;  // all numbers < below have been seen, `below` has not
  std::uint32_t bits_ = 0;   // bit i: below + 1 + i has been seen
};
static_assert(sizeof(SequenceSet) == 8 && std::is_trivially_copyable_v<SequenceSet>);

}  // namespace posse
