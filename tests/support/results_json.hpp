// SPDX-License-Identifier: Apache-2.0
// How a results.json of this version begins.
#pragma once

#include <fmt/format.h>

#include <string>

#include "program/base/version.hpp"

namespace posse::test {

/// "results_version": 6
inline const std::string kResultsVersionText =
    fmt::format("\"results_version\": {}", kResultsVersion);
/// {"results_version": 6, and a space
inline const std::string kResultsHead = "{" + kResultsVersionText + ", ";

}  // namespace posse::test
