// SPDX-License-Identifier: Apache-2.0
#include "core/network/burst_chain.hpp"

#include <algorithm>
#include <bit>

#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {

BurstChain::BurstChain(const BurstLoss& loss)
    : good_loses_(loss.loss_good), bad_loses_(loss.loss_bad) {
  POSSE_CHECK(loss.mean_good.ns >= 1 && loss.mean_bad.ns >= 1,
              "mean stays of {} ns and {} ns",
              loss.mean_good.ns,
              loss.mean_bad.ns);
  const auto good = static_cast<double>(loss.mean_good.ns);
  const auto bad = static_cast<double>(loss.mean_bad.ns);
  const double rate = 1 / good + 1 / bad;   // theta
  const double share = bad / (good + bad);  // beta
  const auto shorter = static_cast<std::uint64_t>(std::min(loss.mean_good, loss.mean_bad).ns);
  const std::uint64_t cell = std::bit_floor(std::max<std::uint64_t>(1, shorter / 1024));
  cell_exponent_ = static_cast<std::uint32_t>(std::countr_zero(cell));
  constexpr std::uint32_t kLongest = 62;  // log2 H: all of time
  while (rate * std::ldexp(1.0, static_cast<int>(cell_exponent_ + levels_)) < 40 &&
         cell_exponent_ + levels_ < kLongest)
    ++levels_;
  POSSE_CHECK(levels_ <= kMostLevels);
  stationary_ = IsBelow(share);
  for (std::uint32_t i = 0; i < levels_; ++i) {
    const double kept = math::exp(-rate * std::ldexp(1.0, static_cast<int>(cell_exponent_ + i)));
    const auto to_bad = [&](bool from) { return share + ((from ? 1.0 : 0.0) - share) * kept; };
    const auto to = [&](bool from, bool state) { return state ? to_bad(from) : 1 - to_bad(from); };
    for (const bool left : {false, true})
      for (const bool right : {false, true}) {
        const double through_bad = to(left, true) * to(true, right);
        const double through_good = to(left, false) * to(false, right);
        middle_[i][left][right] = IsBelow(through_bad / (through_bad + through_good));
      }
  }
}

bool BurstChain::is_bad(StreamKey stream, Time at, Path& path) const {
  const std::uint64_t cell = static_cast<std::uint64_t>(at.ns) >> cell_exponent_;
  if (cell == path.cell) return (path.left & 1) != 0;
  const bool same_block = path.cell >> levels_ == cell >> levels_;
  std::uint32_t level = levels_;
  if (same_block)
    level = static_cast<std::uint32_t>(std::bit_width(cell ^ path.cell));
  else {
    const std::uint64_t begin = cell >> levels_;
    path.left = drawn(stream, begin << levels_, levels_, stationary_) ? 1U << levels_ : 0;
    path.right = drawn(stream, (begin + 1) << levels_, levels_, stationary_) ? 1U << levels_ : 0;
  }
  path.cell = cell;
  bool left = (path.left >> level & 1) != 0, right = (path.right >> level & 1) != 0;
  const std::uint32_t below = (1U << level) - 1;
  path.left &= ~below;
  path.right &= ~below;
  while (level-- > 0) {
    const std::uint64_t middle = (cell >> level | 1) << level;
    const bool bad = drawn(stream, middle, level, middle_[level][left][right]);
    (cell >= middle ? left : right) = bad;
    path.left |= static_cast<std::uint32_t>(left) << level;
    path.right |= static_cast<std::uint32_t>(right) << level;
  }
  return left;
}

std::optional<BurstChain::Burst> BurstChain::burst_around(StreamKey stream,
                                                          Time at,
                                                          Time last,
                                                          std::uint64_t& steps) const {
  const auto cell_at = [this](Time time) {
    return static_cast<std::uint64_t>(time.ns) >> cell_exponent_;
  };
  const auto begin_of = [this](std::uint64_t cell) {
    return Time{static_cast<std::int64_t>(cell << cell_exponent_)};
  };
  Path path;
  const auto bad = [&](std::uint64_t cell) { return is_bad(stream, begin_of(cell), path); };
  const std::uint64_t last_cell = cell_at(last);
  std::uint64_t first = cell_at(at), end = first + 1;
  POSSE_CHECK(bad(first), "no burst at {} ns", at.ns);
  for (; first > 0 && bad(first - 1); --first)
    if (steps-- == 0) return std::nullopt;
  for (; end <= last_cell && bad(end); ++end)
    if (steps-- == 0) return std::nullopt;
  return Burst{begin_of(first), end > last_cell ? Time::max() : begin_of(end)};
}

}  // namespace posse
