// SPDX-License-Identifier: Apache-2.0
// `--shard`: which part of a sweep this program runs.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "program/sweep/sweep.hpp"

namespace posse {

/// A variable of the environment, or null.
using Environment = std::function<const char*(const char*)>;

/// "2/7": the second of seven parts. "auto": from the engine that started this program as one of an
/// array of jobs: Slurm (SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP), LSF (LSB_JOBINDEX, _END).
/// "auto/7": from an engine that doesn't tell the number of parts: PBS (PBS_ARRAY_INDEX,
/// PBS_ARRAYID), Grid Engine (SGE_TASK_ID), GNU parallel (PARALLEL_SEQ); parts count from 1. Throws
/// std::invalid_argument that says what is wrong and what is allowed.
Shard parse_shard(const std::string& text, const Environment& environment);

}  // namespace posse
