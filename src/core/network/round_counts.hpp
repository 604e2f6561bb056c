// SPDX-License-Identifier: Apache-2.0
// What the messages of each round cost, as one worker counts it: little memory, whatever the
// number of rounds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <vector>

#include "core/base/ids.hpp"
#include "core/role/counts.hpp"

namespace posse {

class RoundCounts {
 public:
  struct Entry {
    RoundCount count;
    Round round;  // 0: what belongs to no round
  };

  /// Valid until the next call.
  RoundCount& of(Round round) {
    Entry& slot = latest_[round.value % kSlots];
    if (slot.round != round) {
      if (slot.count != RoundCount{}) others_.push_back(slot);
      slot.count = {};
      slot.round = round;
    }
    return slot.count;
  }
  /// Whether there is more than what the rounds of one moment need.
  bool many() const { return others_.size() > kMany; }
  /// Calls `visit(Round, const RoundCount&)` for all rounds that cost anything, in any order; a
  /// round may come several times.
  template <class Visit>
  void visit(Visit&& visit) const {
    for (const Entry& entry : others_) visit(entry.round, entry.count);
    for (const Entry& entry : latest_)
      if (entry.count != RoundCount{}) visit(entry.round, entry.count);
  }
  /// All rounds that cost anything, in order.
  std::vector<Entry> sorted() const {
    std::vector<Entry> all = others_;
    std::copy_if(latest_.begin(), latest_.end(), std::back_inserter(all), [](const Entry& entry) {
      return entry.count != RoundCount{};
    });
    // The rounds of most runs come in order.
    const auto earlier = [](const Entry& a, const Entry& b) { return a.round < b.round; };
    const auto latest = all.begin() + static_cast<std::ptrdiff_t>(others_.size());
    std::sort(latest, all.end(), earlier);
    if (!std::is_sorted(all.begin(), all.end(), earlier))
      std::sort(all.begin(), all.end(), earlier);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (kept > 0 && all[kept - 1].round == all[i].round)
        all[kept - 1].count.add(all[i].count);
      else
        all[kept++] = all[i];
    }
    all.resize(kept);
    return all;
  }
  void clear() {
    latest_ = {};
    others_.clear();
  }

 private:
  static constexpr std::size_t kSlots = 64, kMany = 512;
  std::array<Entry, kSlots> latest_{};
  std::vector<Entry> others_;  // a round may be there several times
};

}  // namespace posse
