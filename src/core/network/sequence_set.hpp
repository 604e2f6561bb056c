// SPDX-License-Identifier: Apache-2.0
// The set of numbers seen in a sequence: a contiguous prefix, a window of bits after it, and the
// rare numbers beyond the window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/fetch.hpp"

namespace posse {

/// One set per link, numbers from 0. Numbers up to 32 above the prefix are bits, so that a message
/// that overtakes others costs no extra memory. Numbers above that share one vector per owning node
/// (normally empty), sorted by (link, number).
class SequenceSets {
 public:
  using Early = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  void resize(std::uint64_t links) { links_.assign(links, {}); }
  /// All numbers below this one, and no others, are in the set, unless the node's vector has some.
  void begin_at(std::uint32_t link, std::uint32_t number) { links_[link] = {number, 0}; }
  /// The smallest number that is not in the set.
  std::uint32_t first_missing(std::uint32_t link) const { return links_[link].below; }
  /// `early()`: the node's vector or null.
  template <class GetEarly>
  bool contains(std::uint32_t link, std::uint32_t number, GetEarly&& early) const {
    const Seen& seen = links_[link];
    if (number < seen.below) return true;
    if (number == seen.below) return false;
    const std::uint32_t ahead = number - seen.below - 1;
    if (ahead < kBits) return (seen.bits >> ahead) & 1;
    const Early* const set = early();
    return set && std::binary_search(set->begin(), set->end(), std::pair{link, number});
  }
  [[gnu::always_inline]] void fetch_set(std::uint32_t link) const { fetch(&links_[link]); }
  /// Adds a number that is not in the set. `existing` is the node's vector or null; `early()`
  /// creates it on demand.
  template <class GetEarly>
  void insert(std::uint32_t link, std::uint32_t number, const Early* existing, GetEarly&& early) {
    Seen& seen = links_[link];
    if (number != seen.below) {
      const std::uint32_t ahead = number - seen.below - 1;
      if (ahead < kBits) {
        seen.bits |= std::uint32_t{1} << ahead;
      } else {
        Early& set = early();
        set.insert(std::lower_bound(set.begin(), set.end(), std::pair{link, number}),
                   {link, number});
      }
      return;
    }
    // The prefix absorbs the bits that follow it; numbers that enter the window become bits.
    bool next_seen = true;
    while (next_seen) {
      next_seen = seen.bits & 1;
      ++seen.below;
      seen.bits >>= 1;
      if (existing && !existing->empty()) take_early(link, seen, early());
    }
  }

 private:
  static constexpr std::uint32_t kBits = 32;
  struct Seen {
    std::uint32_t below = 0;  // all numbers < below have been seen, `below` has not
    std::uint32_t bits = 0;   // bit i: below + 1 + i has been seen
  };
  /// Moves the number that has just entered the window from the vector to its bit.
  static void take_early(std::uint32_t link, Seen& seen, Early& set) {
    const std::pair reach{link, seen.below + kBits};
    const auto it = std::lower_bound(set.begin(), set.end(), reach);
    if (it == set.end() || *it != reach) return;
    seen.bits |= std::uint32_t{1} << (kBits - 1);
    set.erase(it);
  }
  std::vector<Seen> links_;
};

}  // namespace posse
