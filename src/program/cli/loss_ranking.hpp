// SPDX-License-Identifier: Apache-2.0
// What `posse fates --rank` prints and writes: the messages of an algorithm's run, by the harm of
// their loss.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "program/base/json.hpp"
#include "program/replay/loss_sweep.hpp"

namespace posse {

/// `label`: the algorithm's.
std::string loss_sweep_text(const std::string& label, const LossSweep& sweep);
Json loss_sweep_json(const std::string& label, const LossSweep& sweep);

inline constexpr std::string_view kLossSweepHeader =
    "algorithm,rank,type,round,from,to,transmission,sent_virtual_s,status,optimum_lost,"
    "simple_regret,cumulative_regret,virtual_s\n";
/// Rank 0: without losses.
std::string loss_sweep_csv(const std::string& label, const LossSweep& sweep);

}  // namespace posse
