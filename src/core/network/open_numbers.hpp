// SPDX-License-Identifier: Apache-2.0
// A set of numbers of a sequence, few of which are in it at a time and none for long: those of
// messages that wait for their acknowledgement.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace posse {

/// A window of bits, and the rare numbers outside it. Those are in a vector that the sets of a node
/// share (normally empty), sorted by (set, number); `self` is the set's number in it. The set is
/// empty if all its bytes are 0 and the vector has none of it.
class OpenNumbers {
 public:
  using Others = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  /// `others`: the node's vector or null.
  bool contains(std::uint32_t self, std::uint32_t number, const Others* others) const {
    if (in_window(number)) return true;
    return others && std::binary_search(others->begin(), others->end(), std::pair{self, number});
  }
  /// Adds a number that is not in the set. `others()` is the node's vector.
  template <class GetOthers>
  void insert(std::uint32_t self, std::uint32_t number, GetOthers&& others) {
    if (bits_ == 0) first_ = number;
    if (const std::uint32_t ahead = number - first_; ahead < kBits) {
      bits_ |= std::uint32_t{1} << ahead;
      return;
    }
    Others& all = others();
    all.insert(std::lower_bound(all.begin(), all.end(), std::pair{self, number}), {self, number});
  }
  /// Removes the number if it is in the set.
  void erase(std::uint32_t self, std::uint32_t number, Others* others) {
    if (in_window(number)) {
      bits_ &= ~(std::uint32_t{1} << (number - first_));
    } else if (others) {
      const auto at = std::lower_bound(others->begin(), others->end(), std::pair{self, number});
      if (at != others->end() && *at == std::pair{self, number}) others->erase(at);
    }
  }
  void clear(std::uint32_t self, Others* others) {
    bits_ = 0;
    if (others) std::erase_if(*others, [self](const auto& other) { return other.first == self; });
  }
  /// Nothing if the set is empty.
  std::optional<std::uint32_t> smallest(std::uint32_t self, const Others* others) const {
    std::optional<std::uint32_t> least;
    if (bits_ != 0) least = first_ + static_cast<std::uint32_t>(std::countr_zero(bits_));
    if (!others) return least;
    const auto at =
        std::lower_bound(others->begin(), others->end(), std::pair{self, std::uint32_t{0}});
    if (at == others->end() || at->first != self) return least;
    return std::min(least.value_or(at->second), at->second);
  }

 private:
  static constexpr std::uint32_t kBits = 32;
  bool in_window(std::uint32_t number) const {
    const std::uint32_t ahead = number - first_;
    return ahead < kBits && ((bits_ >> ahead) & 1) != 0;
  }
  std::uint32_t first_ = 0;
  std::uint32_t bits_ = 0;  // bit i: first + i is in the set
};
static_assert(sizeof(OpenNumbers) == 8 && std::is_trivially_copyable_v<OpenNumbers>);

}  // namespace posse
