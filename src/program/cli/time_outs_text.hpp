// SPDX-License-Identifier: Apache-2.0
// The time-outs of the reliable transport, as `check -v` shows them.
#pragma once

#include <string>

#include "program/scenario/scenario.hpp"

namespace posse {

/// Of the links of each algorithm, those with equal time-outs together; empty if messages are
/// datagrams.
std::string time_outs_text(const Scenario& scenario);

}  // namespace posse
