// SPDX-License-Identifier: Apache-2.0
// trace.perfetto.json: the runs as a timeline, in the Trace Event Format of Chrome. It opens in
// https://ui.perfetto.dev and in chrome://tracing.
//
// A process per run, a lane (thread) per node. Slices: work; each message copy where it leaves and
// where it ends, joined by a flow. Copies that did not arrive end in a mark that says why: a
// dropped one at its sender, when it left; one on the way at the end at its receiver. Rounds are
// asynchronous slices; regrets and active cells counters. Timestamps: virtual microseconds, exact
// to the nanosecond.
#pragma once

#include <filesystem>

#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// Needs runs with traced messages. Errors are std::runtime_errors that name the file.
void write_perfetto(const std::filesystem::path& path,
                    const Scenario& scenario,
                    const ScenarioResult& result);

}  // namespace posse
