// SPDX-License-Identifier: Apache-2.0
// Draws whole scenarios: one algorithm of the catalogue with a small problem, on a faulty network.
//
// A scenario is TOML, so that it goes through the reader like a user's. It must be valid, cheap
// (some tens to hundreds of evaluations per client, at most 8 clients) and of bounded length (a
// limit of events). Streams: `chaos/scenario`, seeded with the scenario's number.
#pragma once

#include <cstdint>
#include <string>

namespace posse {

/// Scenario number `seed`, which is also its seed and a part of its name, `chaos-SEED`.
std::string random_scenario(std::uint64_t seed);

}  // namespace posse
