// A sequence diagram of a run: a lane per node, an arrow per message copy, against virtual time;
// lost copies end in a cross with the cause; regret underneath.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "program/plot/picture.hpp"

namespace posse {

struct SequenceOptions {
  std::string algorithm;         // label; empty: the first
  std::uint32_t repetition = 0;  // of the algorithm
  /// Rounds to draw; nothing: the first ones, as many as are legible.
  std::optional<std::uint32_t> first_round, last_round;
};

inline constexpr std::size_t kMostLanes = 40, kMostArrows = 1'000;

/// From messages.csv.gz (`--trace messages`), rounds.csv and regret.csv. Its CSV has the copies
/// that are drawn, as messages.csv.gz has them. Throws FileError if the folder has no such run or
/// trace, or a round has more messages or nodes than are legible.
Picture sequence_picture(const std::filesystem::path& folder, const SequenceOptions& options);

}  // namespace posse
