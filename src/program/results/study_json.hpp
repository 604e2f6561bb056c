// SPDX-License-Identifier: Apache-2.0
// A compared study as JSON: the sentences and tables that people read, then the numbers.
#pragma once

#include "program/compare/study_report.hpp"
#include "program/results/results_json.hpp"

namespace posse {

Json study_json(const StudyReport& report);

}  // namespace posse
