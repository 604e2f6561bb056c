// SPDX-License-Identifier: Apache-2.0
// The rules of a message log, from the documents alone: docs/scenario.md says what a network does,
// docs/results.md what the files of a run say. Times are compared to the nanosecond; where a line's
// rate makes a time inexact, each transfer adds a nanosecond of slack.
#pragma once

#include "report.hpp"
#include "run_folder.hpp"

namespace message_log {

/// Adds what was checked in each run of the folder.
void check(const RunFolder& folder, Report& report);

}  // namespace message_log
