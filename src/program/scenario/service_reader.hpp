// SPDX-License-Identifier: Apache-2.0
// Reads the tables [[compute.service]] of a scenario.
#pragma once

#include <string>

#include "program/scenario/rule_scope.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {

/// One table, at `path`, into `scenario.service`.
void read_service(const Value& value,
                  std::string path,
                  const KnownAlgorithms& known,
                  Scenario& scenario,
                  Diagnostics& diagnostics);

}  // namespace posse
