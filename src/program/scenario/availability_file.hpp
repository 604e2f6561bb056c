// SPDX-License-Identifier: Apache-2.0
// Recorded down times of nodes (`kind = "availability"`).
#pragma once

#include <string_view>

#include "core/network/fault_times.hpp"

namespace posse {

/// CSV with the columns node, down_s, up_s: a row per time that a node is down, from `down_s` until
/// `up_s`, in virtual seconds; without an up_s it never restarts. The rows of a node are in order
/// and do not overlap. Throws InputError.
DownTimes parse_down_times(std::string_view csv_text);

}  // namespace posse
