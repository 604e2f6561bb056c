// SPDX-License-Identifier: Apache-2.0
// The messages of the parallel X-armed bandit.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "actors/common/coded_means.hpp"
#include "core/role/message.hpp"

namespace posse {

/// One player's means of the cells of S_h, in ascending index order: 8 + 8 |S_h| bytes, |S_h|
/// values.
struct LevelMeans {
  static constexpr std::string_view kName = "LevelMeans";
  std::uint32_t depth = 0;
  std::vector<double> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(depth, means)
};

/// The means of c consecutive players from `first` on, cyclically, one after another: 12 + 8 c
/// |S_h| bytes, c |S_h| values.
struct GatheredMeans {
  static constexpr std::string_view kName = "GatheredMeans";
  std::uint32_t depth = 0;
  std::uint32_t first = 0;
  std::vector<double> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(depth, first, means)
};

/// GatheredMeans in fewer bytes: 12 + b c |S_h| bytes with b bytes per mean, c |S_h| values.
template <MeanCode Code>
struct GatheredCodes {
  static constexpr std::string_view kName =
      name_by_code<Code>("GatheredMeans32", "GatheredMeans16", "GatheredMeans8");
  std::uint32_t depth = 0;
  std::uint32_t first = 0;
  std::vector<Code> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(depth, first, means)
};
template <MeanCode Code>
inline constexpr MessageType kMessageType<GatheredCodes<Code>> =
    coded_message_type<GatheredCodes<Code>>();

/// The sums of some players' means of n cells, as multiples of 2^-80, low and high half: 12 + 16 n
/// bytes, n values. The cells are part `part` of S_h, which has as many parts as the exchange.
struct PartialSums {
  static constexpr std::string_view kName = "PartialSums";
  std::uint32_t depth = 0;
  std::uint32_t part = 0;
  std::vector<std::uint64_t> halves;
  std::uint64_t values() const { return halves.size() / 2; }
  POSSE_FIELDS(depth, part, halves)
};

/// What a player has after `step` steps of gossip: 12 + 8 |S_h| bytes, |S_h| values.
struct GossipMeans {
  static constexpr std::string_view kName = "GossipMeans";
  std::uint32_t depth = 0;
  std::uint32_t step = 0;
  std::vector<double> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(depth, step, means)
};

/// The averages over all players of the n cells of a part: 12 + 8 n bytes, n values.
struct Averages {
  static constexpr std::string_view kName = "Averages";
  std::uint32_t depth = 0;
  std::uint32_t part = 0;
  std::vector<double> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(depth, part, means)
};

}  // namespace posse
