// SPDX-License-Identifier: Apache-2.0
// The first blocks of several draws, computed side by side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/random/stream.hpp"

namespace posse {

/// The first blocks of four consecutive draws of a stream.
using PhiloxRow = std::array<PhiloxBlock, 4>;

/// The rows of two streams that begin with draw `first`: the blocks of `philox_block`, in a fifth
/// of the instructions where the processor has AVX2.
void philox_rows(StreamKey a, StreamKey b, std::uint64_t first, PhiloxRow& of_a, PhiloxRow& of_b);

}  // namespace posse
