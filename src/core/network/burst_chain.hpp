// SPDX-License-Identifier: Apache-2.0
// A link that is good or bad: a Markov chain with two states that goes on in virtual time, whether
// or not anything is sent.
//
// The state at an instant is a pure function of the stream and the instant: it is the same whatever
// was looked up before, in any order and on any thread. States at multiples of H, the smallest
// power of two (in ns) of at least 40 relaxation times, are independent (their true correlation is
// below e^-40). Between two known states, h before and h after it, the state in the middle has
//     P(bad) ~ P_h(left -> bad) P_h(bad -> right),
// the chain's bridge, so that halving leads to any cell of g ns, the largest power of two not above
// a 1024th of the shorter mean stay. A cell has one state.
//
// Stream `loss-state/a>b` (of a link), `loss-state/a-b` (of a pair, its names in byte order): the
// draw at instant t, which begins the right half of an interval of 2^(i+1) ns, is the first word of
// block (t, tag i); that at a multiple of H = 2^i has the tag i, too.
// Cost of a look-up: at most 20 draws, fewer near the one before (Path).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/time.hpp"
#include "core/network/config.hpp"
#include "core/random/stream.hpp"

namespace posse {

class BurstChain {
 public:
  /// Mean stays of 1 ns or more.
  explicit BurstChain(const BurstLoss& loss);

  /// The last look-up. A default one is none. It changes the time of the next one, never its
  /// result.
  struct Path {
    std::uint64_t cell = ~std::uint64_t{0};
    // States at the two ends of the intervals that lead to the cell: bit i of 2^i cells.
    std::uint32_t left = 0, right = 0;
  };
  /// Whether the state at `at`, from 0 on, is bad.
  bool is_bad(StreamKey stream, Time at, Path& path) const;

  /// A time in which the state is bad.
  struct Burst {
    Time begin, end;  // begin <= t < end
  };
  /// The burst that `at` is in, which must be bad, from 0 to `last`; each cell of it costs one of
  /// `steps`. Nothing if they don't suffice.
  std::optional<Burst> burst_around(StreamKey stream,
                                    Time at,
                                    Time last,
                                    std::uint64_t& steps) const;

  /// Whether a transmission is lost whose draw this is.
  bool loses(bool bad, std::uint64_t draw) const {
    return bad ? bad_loses_(draw) : good_loses_(draw);
  }

 private:
  static constexpr std::size_t kMostLevels = 20;
  bool drawn(StreamKey stream, std::uint64_t cell, std::uint32_t level, const IsBelow& bad) const {
    return bad(philox_block(stream, cell << cell_exponent_, cell_exponent_ + level).first);
  }

  std::uint32_t cell_exponent_ = 0;  // log2 g
  std::uint32_t levels_ = 0;         // log2(H / g)
  IsBelow stationary_;
  /// The middle of 2^(i+1) cells is bad, by the states at the left and the right end.
  std::array<std::array<std::array<IsBelow, 2>, 2>, kMostLevels> middle_;
  IsBelow good_loses_, bad_loses_;
};

}  // namespace posse
