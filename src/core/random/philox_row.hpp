// SPDX-License-Identifier: Apache-2.0
// The first blocks of several draws of a stream, computed side by side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/random/stream.hpp"

namespace posse {

inline constexpr std::size_t kRowSize = 8;
/// The first blocks of consecutive draws.
using PhiloxRow = std::array<PhiloxBlock, kRowSize>;

/// The row that begins with draw `first`: the blocks of `philox_block`, in a fifth of the
/// instructions where the processor has AVX2.
void philox_row(StreamKey key, std::uint64_t first, PhiloxRow& row);

}  // namespace posse
