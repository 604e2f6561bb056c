// SPDX-License-Identifier: Apache-2.0
// Reports of fates as JSON (docs/results.md).
#pragma once

#include <string>

#include "program/fates/fates.hpp"
#include "program/fates/random_fates.hpp"

namespace posse {

std::string fates_json(const FateReport& report);
std::string fates_json(const RandomFateReport& report);

}  // namespace posse
