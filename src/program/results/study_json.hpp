// SPDX-License-Identifier: Apache-2.0
// A compared study as JSON: the sentences and tables that people read, then the numbers.
#pragma once

#include "program/results/results_json.hpp"
#include "program/study/study_report.hpp"

namespace posse {

Json study_json(const StudyReport& report);

}  // namespace posse
