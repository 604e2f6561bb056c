// SPDX-License-Identifier: Apache-2.0
// Scenarios that the benchmarks run, as TOML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace posse {

inline constexpr std::string_view kConstantNetwork = "[network]\nlatency = \"50 ms\"\n";
inline constexpr std::string_view kLossyNetwork =
    "[network]\nlatency = { kind = \"exponential\", mean = \"50 ms\", floor = \"5 ms\" }\n"
    "loss = 0.01\ntransport = \"reliable\"\n";

/// Requests of 256 bytes, replies of 128.
std::string echo_scenario(std::uint64_t clients, std::uint64_t rounds, std::string_view network);
/// Of an algorithm that evaluates an objective. `more`: lines of its table.
std::string with_objective(std::string_view kind,
                           std::uint64_t clients,
                           std::uint64_t budget,
                           std::string_view more = "");
/// Of a functional bandit.
std::string with_arms(std::string_view kind, std::uint64_t arms, std::uint64_t pulls);

}  // namespace posse
