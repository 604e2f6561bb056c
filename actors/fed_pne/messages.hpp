// SPDX-License-Identifier: Apache-2.0
// The messages of Fed-PNE. `LocalMeans`, the upload of a client, is defined in actors/common,
// because PF-PNE uses it as well.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "actors/common/local_means.hpp"
#include "core/role/message.hpp"

namespace posse {

/// The plan of one phase: every client pulls each of these cells `pulls` times, in order. 16 + 8n
/// bytes for n cells.
struct PhasePlan {
  static constexpr std::string_view kName = "PhasePlan";
  std::uint32_t phase = 0;
  std::uint32_t depth = 0;
  std::uint32_t pulls = 0;
  std::vector<std::uint64_t> index;
  /// A cell and its number of pulls each, as the paper counts (Algorithm 2, line 9).
  std::uint64_t values() const { return 2 * index.size(); }
  POSSE_FIELDS(phase, depth, pulls, index)
};

/// A shorter form of `PhasePlan` for clients that know K^{p-1} (K^0 is the root): it says which
/// cells of K^{p-1} remain, one bit each; at the depth limit only the best cell remains. The depth
/// and t_h follow from the parameters. 8 + ceil(|K^{p-1}| / 8) bytes. Phases and depths are at most
/// 63, because every phase has a depth of its own.
struct CompactPlan {
  static constexpr std::string_view kName = "CompactPlan";
  std::uint16_t phase = 0;
  std::uint16_t expansions = 0;    // further splits without sampling, after that of the kept cells
  std::vector<std::uint8_t> kept;  // cell j of K^{p-1} is bit j mod 8 of byte j / 8
  /// The cells that remain and the number of expansions.
  std::uint64_t values() const {
    std::uint64_t values = 1;
    for (const std::uint8_t byte : kept) values += static_cast<std::uint64_t>(std::popcount(byte));
    return values;
  }
  POSSE_FIELDS(phase, expansions, kept)
};

}  // namespace posse
