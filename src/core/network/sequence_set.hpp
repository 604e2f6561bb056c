// Which numbers of a sequence have been seen: a contiguous prefix, and the few that came early.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace posse {

/// One set per link, numbers from 0; the early ones of all links that one node owns share a vector
/// (normally empty), kept sorted by (link, number).
class SequenceSets {
 public:
  using Early = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  void resize(std::uint64_t links) { below_.assign(links, 0); }
  bool contains(std::uint32_t link, std::uint32_t number, const Early* early) const {
    return number < below_[link] ||
           (early && std::binary_search(early->begin(), early->end(), std::pair{link, number}));
  }
  /// Adds a number that isn't there yet.
  template <class GetEarly>
  void insert(std::uint32_t link, std::uint32_t number, const Early* existing, GetEarly&& early) {
    std::uint32_t& below = below_[link];
    if (number != below) {
      Early& set = early();
      set.insert(std::lower_bound(set.begin(), set.end(), std::pair{link, number}), {link, number});
      return;
    }
    ++below;
    if (!existing || existing->empty()) return;
    Early& set = early();
    const auto first = std::lower_bound(set.begin(), set.end(), std::pair{link, below});
    auto last = first;
    while (last != set.end() && *last == std::pair{link, below}) {
      ++below;
      ++last;
    }
    set.erase(first, last);
  }

 private:
  std::vector<std::uint32_t> below_;
};

}  // namespace posse
